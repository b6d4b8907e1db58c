//! What stands along an axis: names with their units, `displacement x  [m]`.

use super::content::Names;
use super::font::{Weight, width, wrap};
use super::theme::TEXT;
use super::ticks::power_label;

impl Names {
    /// The lines of the label of an axis whose tick labels are to be multiplied by ten to the power `factor`, for an
    /// axis that has room for texts of width `limit` \[pt\].
    pub(super) fn lines(&self, factor: i32, limit: f64) -> Vec<String> {
        let mut units: Vec<&str> = self.unit.as_deref().into_iter().collect();
        for (_, unit) in self.columns.iter().filter(|_| self.unit.is_none()) {
            if !units.contains(&unit.as_str()) {
                units.push(unit);
            }
        }
        let brackets: Vec<String> = units.iter().map(|unit| bracket(unit, factor)).collect();
        let brackets = brackets.join(", ");
        if let Some(given) = &self.given {
            return wrap(&format!("{given}\u{a0}\u{a0}{brackets}"), TEXT, Weight::Regular, limit);
        }
        let fits = |text: &String| width(text, TEXT, Weight::Regular) <= limit;
        let names: Vec<&str> = self.columns.iter().map(|(label, _)| label.as_str()).collect();
        let full = if units.len() > 1 {
            let each = self.columns.iter().map(|(label, unit)| format!("{label}\u{a0}\u{a0}{}", bracket(unit, factor)));
            each.collect::<Vec<_>>().join(",  ")
        } else {
            format!("{}\u{a0}\u{a0}{brackets}", names.join(", "))
        };
        if names.is_empty() {
            Vec::new()
        } else if fits(&full) || names.len() == 1 {
            wrap(&full, TEXT, Weight::Regular, limit)
        } else {
            // the legend has the names
            wrap(&brackets, TEXT, Weight::Regular, limit)
        }
    }
}

/// A unit with the power of ten of the tick labels: `[m]`, `[10⁻³ m]`; a pure number has `[–]`.
pub(super) fn bracket(unit: &str, factor: i32) -> String {
    match (unit, factor) {
        ("" | "-", 0) => "[–]".to_owned(),
        (_, 0) => format!("[{unit}]"),
        ("" | "-", _) => format!("[×{}]", power_label(factor)),
        _ => format!("[×{} {unit}]", power_label(factor)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(columns: &[(&str, &str)]) -> Names {
        let columns = columns.iter().map(|(label, unit)| ((*label).to_owned(), (*unit).to_owned())).collect();
        Names { columns, ..Names::default() }
    }

    #[test]
    fn every_axis_has_its_unit() {
        assert_eq!(names(&[("displacement x", "m")]).lines(0, 500.0), ["displacement x\u{a0}\u{a0}[m]"]);
        assert_eq!(names(&[("ratio", "")]).lines(0, 500.0), ["ratio\u{a0}\u{a0}[–]"]);
        assert_eq!(names(&[("time t", "s")]).lines(-3, 500.0), ["time t\u{a0}\u{a0}[×10⁻³\u{20}s]"]);
        assert_eq!(names(&[("x", "m"), ("y", "m")]).lines(0, 500.0), ["x, y\u{a0}\u{a0}[m]"]);
        assert_eq!(names(&[("x", "m"), ("v", "m/s")]).lines(0, 500.0), ["x\u{a0}\u{a0}[m], v\u{a0}\u{a0}[m/s]"]);
        assert_eq!(names(&[("displacement", "m"), ("velocity", "m/s")]).lines(0, 60.0), ["[m], [m/s]"]);
    }

    #[test]
    fn a_unit_that_is_given_stands_for_those_of_the_columns() {
        let given = |label: Option<&str>, unit: &str, columns: &[(&str, &str)]| Names {
            given: label.map(str::to_owned),
            unit: Some(unit.to_owned()),
            ..names(columns)
        };
        let value = [("value", "")];
        assert_eq!(given(Some("speed v_b"), "m/s", &value).lines(0, 500.0), ["speed v_b\u{a0}\u{a0}[m/s]"]);
        assert_eq!(given(None, "m/s", &value).lines(-3, 500.0), ["value\u{a0}\u{a0}[×10⁻³ m/s]"]);
        assert_eq!(given(None, "-", &[("x", "m"), ("v", "m/s")]).lines(0, 500.0), ["x, v\u{a0}\u{a0}[–]"]);
    }
}
