//! A figure as SVG: panels in rows and columns, a title above, a note below.

use super::colors::Colors;
use super::content::{Content, given_range};
use super::error::{FigureError, Mistake};
use super::font::{Weight, wrap};
use super::panel::{Margins, PanelPlan};
use super::scale::LARGEST;
use super::source::Source;
use super::space::SpaceContent;
use super::space_panel::SpacePlan;
use super::spec::{Figure, Panel, Scale, Width};
use super::svg::{Anchor, Svg, TextStyle, escape};
use super::theme::{GREY, LEADING, MM, NOTE, RIM, TITLE};
use crate::dataset::Table;

/// Distance between two panels \[pt\].
const GAP: f64 = 10.0;
/// Smallest width of the axes of a panel \[pt\]; many panels side by side make a wider picture instead.
const NARROWEST: f64 = 40.0;

/// A picture: SVG text and its size in print.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Name of the figure, also of its files.
    pub name: String,
    /// The SVG file.
    pub svg: String,
    /// Width in print, in millimetres.
    pub width: f64,
    /// Height in print, in millimetres.
    pub height: f64,
    /// Where the picture comes from; see [`Drawing::stamped`].
    pub stamp: Vec<(String, String)>,
}

impl Drawing {
    /// The picture with names and values that say where it comes from, in the metadata of its SVG and PNG files.
    #[must_use]
    pub fn stamped(mut self, stamp: &[(String, String)]) -> Self {
        let lines: String =
            stamp.iter().map(|(name, value)| format!("{}: {}\n", escape(name), escape(value))).collect();
        if let Some(end) = self.svg.find('>') {
            self.svg.insert_str(end + 1, &format!("\n<metadata>\n{lines}</metadata>"));
        }
        self.stamp.extend_from_slice(stamp);
        self
    }
}

/// Draws a figure from the tables of a run; `note` stands small below it (for instance that the run was reduced).
///
/// The same figure and the same tables give the same bytes on every machine.
///
/// ```
/// use stiction_lab::dataset::Table;
/// use stiction_lab::figure::{Figure, draw};
///
/// let table = Table::new("motion", "One row a sample.")
///     .numbers("time", "s", "time t", vec![0.0, 1.0, 2.0])
///     .numbers("displacement", "m", "displacement x", vec![0.0, 0.4, 0.1]);
/// let figure: Figure = toml::from_str(r#"lines = { x = "time", y = "displacement" }"#).unwrap();
/// let drawing = draw(&figure, &[table], None).unwrap();
/// assert!(drawing.svg.contains("displacement x"));
/// ```
///
/// # Errors
/// [`FigureError`] names the figure, and the table or column that does not exist or cannot be drawn.
pub fn draw(figure: &Figure, tables: &[Table], note: Option<&str>) -> Result<Drawing, FigureError> {
    let name = figure.name.as_deref().unwrap_or("figure");
    drawing(figure, name, Source(tables), note).map_err(|mistake| mistake.of(name))
}

fn drawing(figure: &Figure, name: &str, source: Source<'_>, note: Option<&str>) -> Result<Drawing, Mistake> {
    check(figure)?;
    let mut colors = Colors::default();
    // once to learn which words meet in a panel, and again if other colours follow from that
    let first = look_up(&figure.panels(), source, &mut colors)?;
    let contents = if colors.settle() { look_up(&figure.panels(), source, &mut colors)? } else { first };
    let columns = figure.columns.unwrap_or(2).min(contents.len()).max(1);
    let width = match figure.width.unwrap_or(if columns > 1 { Width::Page } else { Width::Column }) {
        Width::Column => 88.0 * MM,
        Width::Page => 180.0 * MM,
    };
    let grid = Grid::new(&contents, columns, width);
    let width = width.max(grid.width() + 2.0 * RIM);

    let mut svg = Svg::default();
    let mut top = RIM;
    for line in wrap(&figure.title, TITLE, Weight::Bold, width - 2.0 * RIM) {
        let style = TextStyle::new(TITLE).bold().anchor(Anchor::Middle);
        svg.text(0.5 * width, top + 0.85 * TITLE, &line, style);
        top += TITLE * LEADING;
    }
    if !figure.title.is_empty() {
        top += 3.0;
    }
    top = grid.draw(&mut svg, top)?;
    for line in wrap(note.unwrap_or(""), NOTE, Weight::Regular, width - 2.0 * RIM) {
        let style = TextStyle::new(NOTE).fill(GREY).anchor(Anchor::End);
        svg.text(width - RIM, top + NOTE, &line, style);
        top += NOTE * LEADING;
    }
    let height = top + RIM;
    let (name, svg) = (name.to_owned(), svg.finish(width, height));
    Ok(Drawing { name, svg, width: width / MM, height: height / MM, stamp: Vec::new() })
}

/// What the panels show.
fn look_up(panels: &[Panel], source: Source<'_>, colors: &mut Colors) -> Result<Vec<Shown>, Mistake> {
    let mut contents = Vec::new();
    for panel in panels {
        if let Some(space) = &panel.space {
            contents.push(Shown::Space(Box::new(SpaceContent::new(panel, space, source, colors)?)));
        } else {
            let mut content = Content::new(panel, source, colors)?;
            if panel.equal {
                make_equal(&mut content);
            }
            contents.push(Shown::Plane(Box::new(content)));
        }
        colors.next_panel();
    }
    Ok(contents)
}

/// What is wrong with a figure whatever the tables hold: told before a run, not after it.
pub(crate) fn mistake(figure: &Figure) -> Option<FigureError> {
    check(figure).err().map(|mistake| mistake.of(figure.name.as_deref().unwrap_or("figure")))
}

/// Why a figure cannot be drawn from tables with these columns, whatever their rows hold.
pub(crate) fn misfit(figure: &Figure, tables: &[Table]) -> Option<FigureError> {
    draw(figure, tables, None).err().filter(|error| {
        use Mistake::{BadLayer, NoColumn, NoTable, NotNumbers};
        matches!(error.mistake, NoTable { .. } | NoColumn { .. } | NotNumbers { .. } | BadLayer { .. })
    })
}

fn check(figure: &Figure) -> Result<(), Mistake> {
    if !figure.panel.is_empty() && figure.own_panel() != Panel::default() {
        return Err(Mistake::PanelsAndLayers);
    }
    let bad = |key, value, expected| Err(Mistake::value(key, value, expected));
    if let Some(columns) = figure.columns.filter(|columns| !(1..=6).contains(columns)) {
        return bad("columns", columns as f64, "must be between 1 and 6");
    }
    for panel in figure.panels() {
        if let Some(aspect) = panel.aspect.filter(|aspect| !(0.1..=4.0).contains(aspect)) {
            return bad("aspect", aspect, "must be between 0.1 and 4");
        }
        let z_axis = panel.space.as_ref().map(|space| ("space.z_axis.unit", &space.z_axis));
        for (key, axis) in [("x_axis.unit", &panel.x_axis), ("y_axis.unit", &panel.y_axis)].into_iter().chain(z_axis) {
            if let Some((value, expected)) = axis.bad_unit() {
                return Err(Mistake::BadValue { key: key.to_owned(), value: format!("{value:?}"), expected });
            }
        }
        for (key, axis) in [("x_axis", &panel.x_axis), ("y_axis", &panel.y_axis)] {
            if let Some(ends) = axis.range {
                given_range(ends, axis.scale == Scale::Log, key)?;
            }
        }
        for (key, values) in [("horizontal", &panel.horizontal), ("vertical", &panel.vertical)] {
            if let Some(&value) = values.iter().find(|value| value.is_nan() || value.abs() > LARGEST) {
                return bad(key, value, "must be a number within 1e300");
            }
        }
    }
    Ok(())
}

/// Chooses the aspect such that a unit is as long on both axes; a range that is much shorter than the other one is
/// widened. Log axes have no unit of length: they stay as they are.
fn make_equal(content: &mut Content) {
    const FLATTEST: f64 = 0.25;
    const TALLEST: f64 = 1.6;
    if content.x.log || content.y.log {
        return;
    }
    let ratio = content.y.length() / content.x.length();
    if ratio < FLATTEST {
        content.y = content.y.with_length(FLATTEST * content.x.length());
    } else if ratio > TALLEST {
        content.x = content.x.with_length(content.y.length() / TALLEST);
    }
    content.panel.aspect = Some(ratio.clamp(FLATTEST, TALLEST));
}

/// What a panel shows.
enum Shown {
    Plane(Box<Content>),
    Space(Box<SpaceContent>),
}

/// A panel of known size.
enum Plan<'a> {
    Plane(Box<PanelPlan<'a>>),
    Space(Box<SpacePlan<'a>>),
}

impl Plan<'_> {
    fn margins(&self) -> Margins {
        match self {
            Plan::Plane(plan) => plan.margins,
            Plan::Space(plan) => plan.margins,
        }
    }

    fn height(&self) -> f64 {
        match self {
            Plan::Plane(plan) => plan.axes.height,
            Plan::Space(plan) => plan.axes.height,
        }
    }
}

/// Panels in rows and columns: axes of a column have the same left end, those of a row the same lower end.
struct Grid<'a> {
    plans: Vec<Plan<'a>>,
    columns: usize,
    axes_width: f64,
    /// Left and right room of every column.
    sides: Vec<(f64, f64)>,
}

impl<'a> Grid<'a> {
    fn new(contents: &'a [Shown], columns: usize, width: f64) -> Self {
        let free = width - 2.0 * RIM - GAP * (columns - 1) as f64;
        let mut axes_width = (free / columns as f64 - 45.0).max(NARROWEST);
        // labels need room, room makes the axes shorter, shorter axes have other labels: settles in two rounds
        for _ in 0..2 {
            let sides = sides(&plan_all(contents, axes_width), columns);
            let taken: f64 = sides.iter().map(|(left, right)| left + right).sum();
            axes_width = ((free - taken) / columns as f64).max(NARROWEST);
        }
        let plans = plan_all(contents, axes_width);
        let sides = sides(&plans, columns);
        Self { plans, columns, axes_width, sides }
    }

    fn width(&self) -> f64 {
        let sides: f64 = self.sides.iter().map(|(left, right)| left + right + self.axes_width).sum();
        sides + GAP * (self.columns - 1) as f64
    }

    /// Draws all panels below `top`; returns where they end.
    fn draw(&self, svg: &mut Svg, mut top: f64) -> Result<f64, Mistake> {
        for (number, row) in self.plans.chunks(self.columns).enumerate() {
            if number > 0 {
                top += GAP;
            }
            let highest = |part: fn(&Plan) -> f64| row.iter().map(part).fold(0.0, f64::max);
            let above = highest(|plan| plan.margins().top + plan.height());
            let bottom = highest(|plan| plan.margins().bottom);
            let mut left = RIM;
            for (plan, &(before, after)) in row.iter().zip(&self.sides) {
                let margins = Margins { left: before, right: after, ..plan.margins() };
                let corner = (left + before, top + above - plan.height());
                match plan {
                    Plan::Plane(plan) => plan.draw(svg, corner, margins)?,
                    Plan::Space(plan) => plan.draw(svg, corner),
                }
                left += before + self.axes_width + after + GAP;
            }
            top += above + bottom;
        }
        Ok(top)
    }
}

fn plan_all(contents: &[Shown], axes_width: f64) -> Vec<Plan<'_>> {
    let mut plans = Vec::with_capacity(contents.len());
    for content in contents {
        plans.push(match content {
            Shown::Plane(content) => Plan::Plane(Box::new(PanelPlan::new(content, axes_width))),
            Shown::Space(content) => Plan::Space(Box::new(SpacePlan::new(content, axes_width))),
        });
    }
    plans
}

fn sides(plans: &[Plan], columns: usize) -> Vec<(f64, f64)> {
    let of_column = |column: usize| plans.iter().skip(column).step_by(columns).map(Plan::margins);
    let widest = |column: usize| {
        of_column(column).fold((0.0_f64, 0.0_f64), |(left, right), room| (left.max(room.left), right.max(room.right)))
    };
    (0..columns).map(widest).collect()
}
