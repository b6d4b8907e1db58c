//! All attractors and their unstable counterparts against a parameter, with located bifurcations.

use super::{Family, branch_ends, drive_speed, meeting};
use crate::dataset::{Outcome, Table, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::continuation;
use stiction::analysis::spring_block::bifurcation::{Bifurcation as Located, Kind, Point, locate, scan, signs};
use stiction::analysis::spring_block::{CycleBranch, GrazeCase, Orbits, cycle_branches};
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
        statements(&mut outcome, &all);
        outcome.push("type1_gaps", "m", meeting::annihilations(&located, &all));
        outcome.push("type2_gaps", "m", meeting::replacements(&located, &all));
        let ending = |kind: Kind| located.iter().filter(move |b| b.kind == kind);
        let mut branches = Branches::new(family.first());
        branches.states(&all, &self.first_contact(&all, &family, context)?);
        if cycles.is_none() {
            branches.oscillations(&all);
            let message = "the branches of oscillations take too many steps to be followed through their bends: they are shown at the \
                           values of the scan only";
            outcome.warnings.push(message.to_owned());
        }
        let first = branches.count + 1;
        for branch in cycles.iter().flatten() {
            branches.cycle(branch, &ending(Kind::Hopf).chain(ending(Kind::Type2)).copied().collect::<Vec<_>>());
        }
        outcome.tables.push(branches.table());
        outcome.tables.push(bifurcation_table(&located, family.first()));
        branch_ends::report(&mut outcome, cycles.as_deref().unwrap_or_default(), family.first(), first);
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
            (Kind::Hopf, "hopf"),
            (Kind::Type1, "type1"),
            (Kind::Type2, "type2"),
            (Kind::Fold, "fold"),
            (Kind::Overshoot, "overshoot"),
            (Kind::Through, "through"),
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

/// What the paper says about the diagram as a whole, as numbers.
fn statements(outcome: &mut Outcome, points: &[Point]) {
    let stick_slip: Vec<Option<f64>> =
        points.iter().map(|point| point.attractors.stick_slip.map(|cycle| cycle.max_displacement)).collect();
    let grows = stick_slip.windows(2).all(|pair| match pair {
        [Some(a), Some(b)] => b >= a,
        _ => true,
    });
    let sticks = |point: &Point| point.attractors.release.first_contact.is_some();
    let appearances =
        points.iter().enumerate().filter(|(i, point)| sticks(point) && (*i == 0 || !sticks(&points[i - 1])));
    // in a continuum of undamped oscillations the graze orbit closes: it comes from nowhere else
    let told = points.iter().filter(|point| !point.attractors.continuum);
    let cases: Vec<GrazeCase> = told.map(|point| point.attractors.graze.case).collect();
    let forbidden = cases
        .windows(2)
        .filter(|pair| {
            matches!(pair, [GrazeCase::Inward, GrazeCase::Outward] | [GrazeCase::Outward, GrazeCase::Inward])
        })
        .count();
    let oscillations = |point: &Point| point.attractors.oscillations.iter().filter(|cycle| cycle.stable).count();
    let coexisting = points.iter().map(|point| {
        let attractors = &point.attractors;
        usize::from(attractors.sliding.stable)
            + oscillations(point)
            + usize::from(attractors.stick_slip.is_some())
            + usize::from(attractors.through.is_some())
    });
    outcome.push("stick_slip_max_grows", "", grows);
    outcome.push("stick_slip_first_max", "m", stick_slip.first().copied().flatten());
    outcome.push("contact_intervals", "", appearances.count());
    outcome.push("inward_outward_changes", "", forbidden);
    outcome.push("most_coexisting", "", coexisting.max().unwrap_or(0));
    outcome.push("most_oscillations", "", points.iter().map(oscillations).max().unwrap_or(0));
    let last: Vec<&str> = points.last().map(|point| point.attractors.classes()).unwrap_or_default();
    outcome.push("last_attractors", "", last);
}

/// Rows of the table of branches.
struct Branches {
    parameter: Parameter,
    value: Vec<f64>,
    max: Vec<f64>,
    min: Vec<f64>,
    period: Vec<f64>,
    kind: Vec<String>,
    stability: Vec<String>,
    branch: Vec<i64>,
    count: i64,
}

impl Branches {
    fn new(parameter: &Parameter) -> Self {
        Self {
            parameter: parameter.clone(),
            value: Vec::new(),
            max: Vec::new(),
            min: Vec::new(),
            period: Vec::new(),
            kind: Vec::new(),
            stability: Vec::new(),
            branch: Vec::new(),
            count: 0,
        }
    }

    fn row(&mut self, value: f64, (max, min, period): (f64, f64, f64), kind: &str, stability: &str) {
        self.value.push(value);
        self.max.push(max);
        self.min.push(min);
        self.period.push(period);
        self.kind.push(kind.to_owned());
        self.stability.push(stability.to_owned());
        self.branch.push(self.count);
    }

    /// One kind of state wherever it exists: a new branch begins after every gap and at every change of stability.
    fn states(&mut self, points: &[Point], first_contact: &[f64]) {
        type Of<'a> = &'a dyn Fn(usize, &Point) -> Option<((f64, f64, f64), &'static str)>;
        let stability = |stable: bool| if stable { "stable" } else { "unstable" };
        let kinds: [(&str, Of<'_>); 5] = [
            ("CS", &|_, point| {
                let sliding = &point.attractors.sliding;
                Some(((sliding.displacement, sliding.displacement, f64::NAN), stability(sliding.stable)))
            }),
            ("SS", &|_, point| {
                let cycle = point.attractors.stick_slip?;
                Some(((cycle.max_displacement, cycle.min_displacement, cycle.period()), "stable"))
            }),
            ("through", &|_, point| {
                let cycle = point.attractors.through?;
                let stable = stability(cycle.multiplier.abs() < 1.0);
                Some(((cycle.max_displacement, cycle.min_displacement, cycle.period), stable))
            }),
            ("SS, first contact", &|i, _| {
                let max = *first_contact.get(i)?;
                max.is_finite().then_some(((max, f64::NAN, f64::NAN), "stable"))
            }),
            ("special boundary", &|_, point| {
                let max = point.attractors.special_boundary_max()?;
                Some(((max, f64::NAN, f64::NAN), "boundary"))
            }),
        ];
        for (kind, of) in kinds {
            let mut last = None;
            for (i, point) in points.iter().enumerate() {
                let state = of(i, point);
                let stability = state.map(|(_, stability)| stability);
                if stability.is_some() && stability != last {
                    self.count += 1;
                }
                last = stability;
                if let Some((extremes, stability)) = state {
                    self.row(point.value, extremes, kind, stability);
                }
            }
        }
    }

    /// Oscillations as they were found, from the smallest to the largest: a new branch begins as for other states.
    fn oscillations(&mut self, points: &[Point]) {
        let most = points.iter().map(|point| point.attractors.oscillations.len()).max().unwrap_or(0);
        for number in 0..most {
            let mut last = None;
            for point in points {
                let cycle = point.attractors.oscillations.get(number);
                let stable = cycle.map(|cycle| cycle.stable);
                if stable.is_some() && stable != last {
                    self.count += 1;
                }
                last = stable;
                if let Some(cycle) = cycle {
                    let extremes = (cycle.max_displacement, cycle.min_displacement, cycle.period);
                    self.row(point.value, extremes, "OS", if cycle.stable { "stable" } else { "unstable" });
                }
            }
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
        let rows: Vec<(f64, (f64, f64, f64), bool)> = branch
            .points
            .iter()
            .map(|p| {
                let cycle = &p.oscillation;
                (p.value, (cycle.max_displacement, cycle.min_displacement, cycle.period), cycle.stable)
            })
            .collect();
        let end = |row: Option<&(f64, (f64, f64, f64), bool)>| {
            let (value, (max, ..), stable) = *row?;
            near(value, max).map(|b| (b.value, (b.max_displacement, f64::NAN, f64::NAN), stable))
        };
        let (first, last) = (end(rows.first()), end(rows.last()));
        for (value, extremes, stable) in first.into_iter().chain(rows).chain(last) {
            self.row(value, extremes, "OS", if stable { "stable" } else { "unstable" });
        }
    }

    fn table(self) -> Table {
        let parameter = &self.parameter;
        Table::new("branches", "largest displacement of every state against the parameter, branch by branch")
            .numbers(parameter.path().last(), parameter.unit(), parameter.label(), self.value)
            .numbers("max_displacement", "m", "largest displacement max x", self.max)
            .numbers("min_displacement", "m", "smallest displacement min x", self.min)
            .numbers("period", "s", "period", self.period)
            .words("kind", "kind", self.kind)
            .words("stability", "stability", self.stability)
            .integers("branch", "branch", self.branch)
    }
}

fn bifurcation_table(located: &[Located], parameter: &Parameter) -> Table {
    let values = located.iter().map(|b| b.value).collect();
    Table::new("bifurcations", "located bifurcations, by kind")
        .numbers(parameter.path().last(), parameter.unit(), parameter.label(), values)
        .numbers(
            "max_displacement",
            "m",
            "largest displacement max x",
            located.iter().map(|b| b.max_displacement).collect(),
        )
        .words("kind", "kind", located.iter().map(|b| b.kind.name().to_owned()).collect())
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
        let block = family(0.3).unwrap();
        let speed = crate::study::family::parameter(&block, "drive_speed", "").unwrap();
        let mut branches = Branches::new(&speed);
        branches.oscillations(&points);
        assert!(branches.kind.iter().all(|kind| kind == "OS") && branches.count >= 3);
        let rows: Vec<_> = branches.branch.iter().zip(&branches.stability).zip(&branches.value).collect();
        for ((branch, stability), value) in &rows {
            for ((other, another), there) in &rows {
                // one stability a branch, and none across the gap at 0.3
                assert!(branch != other || (stability == another && (**value < 0.3) == (**there < 0.3)));
            }
        }
    }
}
