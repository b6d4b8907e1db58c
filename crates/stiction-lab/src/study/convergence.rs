//! How the means of realisations converge: a table and a picture.

use crate::dataset::Table;
use crate::figure::{Axis, Figure, Layer, Panel, Scale};
use stiction::analysis::campaign::{Milestone, Watch};
use stiction::num::statistics::{Running, Spread};

/// Running means against the number of realisations, one row for each number and point.
pub(crate) fn convergence_table(watch: &Watch) -> Table {
    let history = watch.history();
    let width = watch.quantities().len().max(1);
    let points = history.first().map_or(1, |first| (first.running.len() / width).max(1));
    let rows = || history.iter().flat_map(|milestone| (0..points).map(move |point| (milestone, point)));
    let mut table = Table::new("convergence", "means of the first realisations, with their standard errors").integers(
        "realisations",
        "realisations",
        rows().map(|(milestone, _)| milestone.realisations as i64).collect(),
    );
    if points > 1 {
        table = table.integers("point", "point", rows().map(|(_, point)| point as i64).collect());
    }
    for (index, quantity) in watch.quantities().iter().enumerate() {
        let column = |of: fn(Spread) -> Option<f64>| -> Vec<f64> {
            let here = |(milestone, point): (&Milestone, usize)| {
                milestone.running.get(point * width + index).map(Running::spread).and_then(of).unwrap_or(f64::NAN)
            };
            rows().map(here).collect()
        };
        let label = quantity.name.replace('_', " ");
        table = table
            .numbers(&format!("{}_mean", quantity.name), &quantity.unit, &label, column(|spread| spread.mean))
            .numbers(&format!("{}_se", quantity.name), &quantity.unit, "standard error", column(|spread| spread.error));
    }
    table
}

/// A picture of the convergence of up to four quantities that vary, at one point.
pub(crate) fn convergence_figure(tables: &[Table]) -> Option<Figure> {
    let table = tables.iter().find(|table| table.name == "convergence")?;
    if table.column("point").is_some() || table.rows() < 3 || table.column("realisations").is_none() {
        return None;
    }
    let spread = |name: &str| match &table.column(&format!("{name}_se"))?.data {
        crate::dataset::Data::Numbers(values) => values.last().copied().filter(|error| *error > 0.0),
        _ => None,
    };
    let names = table.columns.iter().filter_map(|column| column.name.strip_suffix("_mean"));
    let panel: Vec<Panel> = names
        .filter(|name| spread(name).is_some())
        .take(4)
        .map(|name| {
            let layer = Layer {
                table: Some("convergence".to_owned()),
                x: "realisations".to_owned(),
                y: vec![format!("{name}_mean")],
                error: Some(format!("{name}_se")),
                ..Layer::default()
            };
            let x_axis = Axis { scale: Scale::Log, ..Axis::default() };
            Panel { x_axis, points: vec![layer], ..Panel::default() }
        })
        .collect();
    if panel.is_empty() {
        return None;
    }
    Some(Figure {
        name: Some("convergence".to_owned()),
        caption: "Means of the first realisations, with their standard errors, against the number of realisations."
            .to_owned(),
        panel,
        ..Figure::default()
    })
}
