//! How branches of oscillations end, as a table, with a warning for those that could not be followed further.

use crate::dataset::{Outcome, Table, number};
use stiction::analysis::spring_block::{CycleBranch, CycleEnd};
use stiction::keys::Parameter;

/// Reports the ends of all branches; `first` is the number of the first branch in the table of branches.
pub(super) fn report(outcome: &mut Outcome, branches: &[CycleBranch], parameter: &Parameter, first: i64) {
    let name = parameter.path().last();
    let mut rows: Vec<(i64, f64, f64, CycleEnd)> = Vec::new();
    for (index, branch) in branches.iter().enumerate() {
        let ends = [branch.points.first(), branch.points.last()].into_iter().zip(branch.ends);
        rows.extend(ends.filter_map(|(point, end)| {
            let point = point?;
            Some((first + index as i64, point.value, point.oscillation.max_displacement, end))
        }));
    }
    for (branch, value, max, _) in rows.iter().filter(|row| row.3 == CycleEnd::GivenUp) {
        outcome.warnings.push(format!(
            "branch {branch} of oscillations could not be followed beyond {name} = {}, max x = {} m: no step converged there; it may \
             go on, and states beyond it may be missing",
            number(*value),
            number(*max)
        ));
    }
    let column = |of: fn(&(i64, f64, f64, CycleEnd)) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
    outcome.tables.push(
        Table::new("branch_ends", "where and how the branches of oscillations end")
            .numbers(name, parameter.unit(), parameter.label(), column(|row| row.1))
            .numbers("max_displacement", "m", "largest displacement max x", column(|row| row.2))
            .words("end", "end", rows.iter().map(|row| row.3.name().to_owned()).collect())
            .integers("branch", "branch", rows.iter().map(|row| row.0).collect()),
    );
}
