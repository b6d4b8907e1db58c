//! All attractors and their unstable counterparts against a parameter, with located bifurcations.

use super::{Family, drive_speed};
use crate::dataset::{Outcome, Table, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::continuation;
use stiction::analysis::spring_block::bifurcation::{
    Bifurcation as Located, BifurcationKind, Point, locate, scan, signs,
};
use stiction::analysis::spring_block::{
    Attractors, CycleBranch, CycleEnd, GrazeCase, Orbits, Oscillation, cycle_branches,
};
use stiction::analysis::{AnalysisError, Budget};
use stiction::integrate::IntegrationError;
use stiction::keys::Parameter;
use stiction::system::spring_block::ContactPolicy;

/// All attractors and their unstable counterparts against a parameter, with located bifurcations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bifurcation {
    /// The parameter: a key below the system, for instance `drive_speed` or `law.two_slope.crossover_speed`.
    #[serde(default = "drive_speed")]
    pub parameter: String,
    /// First value, in the unit of the parameter.
    pub from: f64,
    /// Last value, in the unit of the parameter.
    pub to: f64,
    /// Number of values of the scan that brackets the bifurcations.
    #[serde(default = "points")]
    #[schemars(range(min = 8, max = 100_000))]
    pub points: usize,
    /// Whether the branches of all states are computed; without them only the bifurcations are located, which is faster.
    #[serde(default = "branches")]
    pub branches: bool,
}

fn branches() -> bool {
    true
}

fn points() -> usize {
    240
}

impl Study for Bifurcation {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        let sweep = Sweep::even(&self.parameter, self.from, self.to, self.points);
        let values = sweep.values("study.bifurcation")?;
        let family = Family::of(block, &self.parameter, "study.bifurcation.parameter")?;
        let make = |value: f64| family.at(value);
        if !self.branches {
            let signs = signs(&make, &values, context.solver, context.progress)?;
            let located = locate(&make, &signs, context.solver, context.progress)?;
            let mut outcome = Outcome::default();
            self.values(&mut outcome, &located, family.first());
            outcome.tables.push(bifurcation_table(&located, family.first()));
            return Ok(outcome);
        }
        let points = scan(&make, &values, context.solver, context.progress)?;
        let located = locate(&make, &points, context.solver, context.progress)?;

        // the ends of branches: attractors on both sides of every bifurcation
        let beside = beside(&located, self.from, self.to);
        let mut all = scan(&make, &beside, context.solver, context.progress)?;
        let known: Vec<_> = points.iter().map(|point| (point.value, &point.attractors)).collect();
        // fine enough to draw the bends at folds
        let settings = continuation::Continuation { first_step: 0.01, longest_step: 0.04, ..Default::default() };
        let cycles = match cycle_branches(&make, &known, settings, context.solver, context.progress) {
            // a light block has branches that are too steep to be followed; what was found at the values of the scan stands
            Err(AnalysisError::Integration(IntegrationError::TooManySteps { .. })) => None,
            cycles => Some(cycles?),
        };
        all.extend(points.iter().cloned());
        all.sort_by(|a, b| a.value.total_cmp(&b.value));

        let mut outcome = Outcome::default();
        self.values(&mut outcome, &located, family.first());
        outcome.push("inward_outward_changes", "", inward_outward_changes(&all));
        let ending = |kind: BifurcationKind| located.iter().filter(move |b| b.kind == kind);
        let mut branches = Branches::default();
        branches.states(&all, &self.first_contact(&all, &family, context)?);
        if cycles.is_none() {
            branches.oscillations(&all);
            let message = "the branches of oscillations take too many steps to be followed through their bends: they are shown at the \
                           values of the scan only";
            outcome.warnings.push(message.to_owned());
        }
        let first = branches.count + 1;
        for branch in cycles.iter().flatten() {
            branches.cycle(
                branch,
                &ending(BifurcationKind::Hopf).chain(ending(BifurcationKind::Type2)).copied().collect::<Vec<_>>(),
            );
        }
        outcome.tables.push(branches.table(family.first()));
        outcome.tables.push(bifurcation_table(&located, family.first()));
        outcome.tables.push(coexistence_table(&all, family.first()));
        report_ends(&mut outcome, cycles.as_deref().unwrap_or_default(), family.first(), first);
        lacking(&mut outcome, &points, &self.parameter);
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system)
    }
}

/// Says where an oscillation that must exist could not be computed.
fn lacking(outcome: &mut Outcome, points: &[Point], parameter: &str) {
    let lacking: Vec<f64> =
        points.iter().filter(|point| point.attractors.lacks_oscillation).map(|point| point.value).collect();
    if let (Some(first), Some(last)) = (lacking.first(), lacking.last()) {
        outcome.warnings.push(format!(
            "at {} of {} values of {parameter}, from {} to {}, an oscillation that must separate two states could not be computed: it \
             repels too strongly, or is too small",
            lacking.len(),
            points.len(),
            number(*first),
            number(*last)
        ));
    }
}

/// Values just below and just above every bifurcation, inside the range.
fn beside(located: &[Located], from: f64, to: f64) -> Vec<f64> {
    let gap = 1e-8 * (to - from);
    let mut values: Vec<f64> = located
        .iter()
        .flat_map(|b| [b.value - gap, b.value + gap])
        .filter(|value| *value > from && *value < to)
        .collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

impl Bifurcation {
    /// The values of the parameter at the located bifurcations, one list a kind.
    fn values(&self, outcome: &mut Outcome, located: &[Located], parameter: &Parameter) {
        let word = if self.parameter == "drive_speed" { "speeds" } else { "values" };
        for (kind, name) in [
            (BifurcationKind::Hopf, "hopf"),
            (BifurcationKind::Type1, "type1"),
            (BifurcationKind::Type2, "type2"),
            (BifurcationKind::Fold, "fold"),
            (BifurcationKind::Overshoot, "overshoot"),
            (BifurcationKind::Through, "through"),
        ] {
            let values: Vec<f64> = located.iter().filter(|b| b.kind == kind).map(|b| b.value).collect();
            outcome.push(&format!("{name}_{word}"), parameter.unit(), values);
        }
    }

    /// Largest displacement of stick-slip motion where every contact from behind sticks, for the values at which the strict
    /// contact passes through.
    fn first_contact(&self, points: &[Point], family: &Family, context: &Context<'_>) -> Result<Vec<f64>, StudyError> {
        let budget = Budget::of(points.len(), context.progress);
        crate::parallel::map(points, |point| {
            if point.attractors.release.first_contact.is_none() || point.attractors.stick_slip.is_some() {
                return Ok(f64::NAN);
            }
            let mut block = family.at(point.value)?;
            block.contact_policy = ContactPolicy::FirstContact;
            let release = Orbits::new(&block, context.solver)?.within(&budget).release()?;
            Ok(release.stick_slip.map_or(f64::NAN, |cycle| cycle.max_displacement))
        })
    }
}

/// Changes of the graze orbit between coming from inside and coming from outside without a boundary between them: none, by theory.
fn inward_outward_changes(points: &[Point]) -> usize {
    use GrazeCase::{Inward, Outward};
    // in a continuum of undamped oscillations the graze orbit closes: it comes from nowhere else
    let told = points.iter().filter(|point| !point.attractors.continuum);
    let cases: Vec<GrazeCase> = told.map(|point| point.attractors.graze.case).collect();
    cases.windows(2).filter(|pair| matches!(pair, [Inward, Outward] | [Outward, Inward])).count()
}

/// What exists at each value of the parameter.
fn coexistence_table(points: &[Point], parameter: &Parameter) -> Table {
    let attractors = |point: &Point| point.attractors.classes().join("+");
    let oscillations = |point: &Point| point.attractors.oscillations.iter().filter(|cycle| cycle.stable).count() as i64;
    let max = |of: fn(&Attractors) -> Option<f64>| {
        points.iter().map(|point| of(&point.attractors).unwrap_or(f64::NAN)).collect::<Vec<f64>>()
    };
    let table = Table::new("coexistence", "what exists at every value of the parameter, and how large it is");
    with_parameter(table, parameter, points.iter().map(|point| point.value).collect())
        .words("attractors", "attractors", points.iter().map(attractors).collect())
        .integers("coexisting", "attractors", points.iter().map(|point| point.attractors.coexisting() as i64).collect())
        .integers("oscillations", "stable oscillations", points.iter().map(oscillations).collect())
        .numbers("stick_slip", "m", "max x of stick-slip motion", max(|found| Some(found.stick_slip?.max_displacement)))
        .numbers("boundary", "m", "max x of the special boundary", max(Attractors::special_boundary_max))
        .numbers(
            "largest_oscillation",
            "m",
            "max x of the largest oscillation",
            max(|found| found.oscillations.iter().map(|cycle| cycle.max_displacement).reduce(f64::max)),
        )
}

/// With a column of values of a parameter, named by the last part of its key.
fn with_parameter(table: Table, parameter: &Parameter, values: Vec<f64>) -> Table {
    table.numbers(parameter.path().last(), parameter.unit(), parameter.label(), values)
}

/// Largest and smallest displacement \[m\], period \[s\] and multiplier [-] of a state; not a number where it has none.
type Size = [f64; 4];

const NONE: f64 = f64::NAN;

/// In place of the stability of a state that exists under another rule of contact only.
const OTHER_RULE: &str = "under another rule";

/// A state at a value of the parameter.
struct BranchRow {
    value: f64,
    size: Size,
    kind: &'static str,
    stability: &'static str,
    branch: i64,
}

/// Rows of the table of branches.
#[derive(Default)]
struct Branches {
    rows: Vec<BranchRow>,
    count: i64,
}

pub(super) fn stability(stable: bool) -> &'static str {
    if stable { "stable" } else { "unstable" }
}

impl Branches {
    fn row(&mut self, value: f64, size: Size, kind: &'static str, stability: &'static str) {
        self.rows.push(BranchRow { value, size, kind, stability, branch: self.count });
    }

    /// Adds one kind of state at the values where it exists: a new branch begins after every gap and at every change of stability.
    fn along(&mut self, kind: &'static str, states: impl Iterator<Item = (f64, Option<(Size, &'static str)>)>) {
        let mut last = None;
        for (value, state) in states {
            let stability = state.map(|(_, stability)| stability);
            if stability.is_some() && stability != last {
                self.count += 1;
            }
            last = stability;
            if let Some((size, stability)) = state {
                self.row(value, size, kind, stability);
            }
        }
    }

    /// All states but oscillations.
    fn states(&mut self, points: &[Point], first_contact: &[f64]) {
        type Of<'a> = &'a dyn Fn(usize, &Point) -> Option<(Size, &'static str)>;
        let kinds: [(&'static str, Of<'_>); 5] = [
            ("CS", &|_, point| {
                let sliding = &point.attractors.sliding;
                Some(([sliding.displacement, sliding.displacement, NONE, NONE], stability(sliding.stable)))
            }),
            ("SS", &|_, point| {
                let cycle = point.attractors.stick_slip?;
                Some(([cycle.max_displacement, cycle.min_displacement, cycle.period(), 0.0], "stable"))
            }),
            ("through", &|_, point| {
                let cycle = point.attractors.through?;
                let stable = stability(cycle.multiplier.abs() < 1.0);
                Some(([cycle.max_displacement, cycle.min_displacement, cycle.period, cycle.multiplier], stable))
            }),
            ("SS, first contact", &|i, _| {
                let max = *first_contact.get(i)?;
                // an attractor of another model than the one that was asked for
                max.is_finite().then_some(([max, NONE, NONE, NONE], OTHER_RULE))
            }),
            ("special boundary", &|_, point| {
                let max = point.attractors.special_boundary_max()?;
                Some(([max, NONE, NONE, NONE], "boundary"))
            }),
        ];
        for (kind, of) in kinds {
            self.along(kind, points.iter().enumerate().map(|(i, point)| (point.value, of(i, point))));
        }
    }

    /// Oscillations as they were found, from the smallest to the largest.
    fn oscillations(&mut self, points: &[Point]) {
        let most = points.iter().map(|point| point.attractors.oscillations.len()).max().unwrap_or(0);
        for number in 0..most {
            let state = |point: &Point| point.attractors.oscillations.get(number).map(oscillation);
            self.along("OS", points.iter().map(|point| (point.value, state(point))));
        }
    }

    /// A branch of oscillations, with the bifurcation at either end where it is near one.
    fn cycle(&mut self, branch: &CycleBranch, endings: &[Located]) {
        self.count += 1;
        let size = branch.points.iter().fold(0.0f64, |size, p| size.max(p.oscillation.max_displacement.abs()));
        let width = branch.points.iter().fold(0.0f64, |width, p| width.max(p.value.abs()));
        let near = |value: f64, max: f64| {
            endings
                .iter()
                .filter(|b| (b.value - value).abs() < 0.01 * width && (b.max_displacement - max).abs() < 0.02 * size)
                .min_by(|a, b| (a.value - value).abs().total_cmp(&(b.value - value).abs()))
        };
        let mut rows: Vec<_> = branch.points.iter().map(|p| (p.value, oscillation(&p.oscillation))).collect();
        let end = |row: Option<&(f64, (Size, &'static str))>| {
            let (value, ([max, ..], stability)) = *row?;
            near(value, max).map(|b| (b.value, ([b.max_displacement, NONE, NONE, NONE], stability)))
        };
        let (first, last) = (end(rows.first()), end(rows.last()));
        rows.splice(0..0, first);
        rows.extend(last);
        for (value, (size, stability)) in rows {
            self.row(value, size, "OS", stability);
        }
    }

    fn table(&self, parameter: &Parameter) -> Table {
        let column = |of: fn(&BranchRow) -> f64| self.rows.iter().map(of).collect::<Vec<f64>>();
        let words = |of: fn(&BranchRow) -> &'static str| self.rows.iter().map(|row| of(row).to_owned()).collect();
        let table =
            Table::new("branches", "largest displacement of every state against the parameter, branch by branch");
        with_parameter(table, parameter, column(|row| row.value))
            .numbers("max_displacement", "m", "largest displacement max x", column(|row| row.size[0]))
            .numbers("min_displacement", "m", "smallest displacement min x", column(|row| row.size[1]))
            .numbers("period", "s", "period", column(|row| row.size[2]))
            .numbers("multiplier", "", "multiplier", column(|row| row.size[3]))
            .words("kind", "kind", words(|row| row.kind))
            .words("stability", "stability", words(|row| row.stability))
            .integers("branch", "branch", self.rows.iter().map(|row| row.branch).collect())
    }
}

/// Size and stability of an oscillation.
fn oscillation(cycle: &Oscillation) -> (Size, &'static str) {
    let multiplier = if cycle.multiplier.is_finite() { cycle.multiplier } else { NONE };
    ([cycle.max_displacement, cycle.min_displacement, cycle.period, multiplier], stability(cycle.stable))
}

fn bifurcation_table(located: &[Located], parameter: &Parameter) -> Table {
    let max = located.iter().map(|b| b.max_displacement).collect();
    let table = Table::new("bifurcations", "located bifurcations, by kind");
    with_parameter(table, parameter, located.iter().map(|b| b.value).collect())
        .numbers("max_displacement", "m", "largest displacement max x", max)
        .words("kind", "kind", located.iter().map(|b| b.kind.name().to_owned()).collect())
}

/// Reports the ends of all branches; `first` is the number of the first branch in the table of branches.
fn report_ends(outcome: &mut Outcome, branches: &[CycleBranch], parameter: &Parameter, first: i64) {
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
    let table = Table::new("branch_ends", "where and how the branches of oscillations end");
    outcome.tables.push(
        with_parameter(table, parameter, column(|row| row.1))
            .numbers("max_displacement", "m", "largest displacement max x", column(|row| row.2))
            .words("end", "end", rows.iter().map(|row| row.3.name().to_owned()).collect())
            .integers("branch", "branch", rows.iter().map(|row| row.0).collect()),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::analysis::Silent;
    use stiction::integrate::Solver;
    use stiction::law::{Law, TwoSlope};
    use stiction::system::SpringBlock;

    #[test]
    fn oscillations_of_a_scan_make_branches_of_one_stability() {
        let law = TwoSlope {
            static_coefficient: 1.0,
            low_speed_slope: 3.0,
            high_speed_slope: 0.1,
            crossover_speed: 0.2,
            crossover_width: 0.05,
        };
        let family = |speed: f64| Ok(SpringBlock::new(40.0, 1.0, speed, Law::TwoSlope(law)));
        let points = scan(&family, &[0.152, 0.156, 0.3, 0.9, 0.95], Solver::default(), &Silent).unwrap();
        let mut branches = Branches::default();
        branches.oscillations(&points);
        assert!(branches.rows.iter().all(|row| row.kind == "OS") && branches.count >= 3);
        for row in &branches.rows {
            for other in branches.rows.iter().filter(|other| other.branch == row.branch) {
                // one stability a branch, and none across the gap at 0.3
                assert!(row.stability == other.stability && (row.value < 0.3) == (other.value < 0.3));
            }
        }
    }
}
