//! The flow next to a two-fold, in the coordinates in which it is linear.

use super::return_map::ReturnMap;
use super::{column, dynamics, of_runs, push_policies, with_state, words};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::wheel::EscapingRegion;
use stiction::analysis::wheel::exits::{ExitOutcome, ensemble};
use stiction::num::real;
use stiction::system::filippov::{Folds, Lie, Region};
use stiction::system::wheel::Dynamics;

/// Sticking flow, eigenvectors and slips around a Teixeira singularity to leading order, in scaled coordinates (ξ, η); and how
/// motions past it spread until they come back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LocalFlow {
    /// Arrows along ξ and along η.
    #[schemars(range(min = 2, max = 200))]
    pub arrows: usize,
    /// Sticking motions in each of the sliding and the escaping region.
    #[schemars(range(min = 1, max = 200))]
    pub paths: usize,
    /// Starts of slips in the escaping region, each to both sides.
    #[schemars(range(min = 1, max = 200))]
    pub slips: usize,
    /// Most slips one after the other.
    #[schemars(range(min = 1, max = 1000))]
    pub most_slips: usize,
    /// Motions past the two-fold until they come back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<ReturnMap>,
    /// Step in τ of the table of how these motions spread [s/(kg m²)], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub interval: f64,
}

impl Default for LocalFlow {
    fn default() -> Self {
        Self { arrows: 16, paths: 7, slips: 5, most_slips: 12, runs: None, interval: 0.25 }
    }
}

/// The linear sticking flow with the matrix [[J₁, 1], [1, J₂]].
struct Linear {
    j: (f64, f64),
    folds: Folds,
    mu: f64,
}

impl Linear {
    fn lie(&self, xi: f64, eta: f64) -> Option<Lie> {
        self.folds.unscaled((xi, eta), self.mu)
    }

    fn region(&self, xi: f64, eta: f64) -> Region {
        self.lie(xi, eta).map_or(Region::Undetermined, Lie::region)
    }

    /// Direction of the sticking motion; none in a crossing region.
    fn direction(&self, xi: f64, eta: f64) -> Option<(f64, f64)> {
        let lie = self.lie(xi, eta)?;
        let stick = matches!(lie.region(), Region::Sliding | Region::Escaping);
        let sign = lie.gap().signum();
        let (x, y) = (sign * (self.j.0 * xi + eta), sign * (xi + self.j.1 * eta));
        let length = (x * x + y * y).sqrt();
        (stick && length > 0.0).then(|| (x / length, y / length))
    }

    /// Eigenvalues, the larger one first.
    fn eigenvalues(&self) -> [f64; 2] {
        let (j1, j2) = self.j;
        let root = ((j1 - j2) * (j1 - j2) + 4.0).sqrt();
        [0.5 * (j1 + j2 + root), 0.5 * (j1 + j2 - root)]
    }

    /// The eigenvector (λ − J₂, 1), of unit length.
    fn eigenvector(&self, eigenvalue: f64) -> (f64, f64) {
        let (x, y) = (eigenvalue - self.j.1, 1.0);
        let length = (x * x + y * y).sqrt();
        (x / length, y / length)
    }

    /// Points of the flow's curve through a point, as long as it stays in the unit square and in its region.
    fn curve(&self, (xi, eta): (f64, f64)) -> Vec<(f64, f64)> {
        let [weak, strong] = self.eigenvalues();
        let (first, second) = (self.eigenvector(weak), self.eigenvector(strong));
        let (a, b) = (xi * first.0 + eta * first.1, xi * second.0 + eta * second.1);
        let region = self.region(xi, eta);
        let at = |z: f64| {
            let (a, b) = (a * real::exp(weak * z), b * real::exp(strong * z));
            (a * first.0 + b * second.0, a * first.1 + b * second.1)
        };
        let mut points = Vec::new();
        for k in 0..400 {
            let (x, y) = at(0.1 * f64::from(k));
            if x.abs() > 1.0 || y.abs() > 1.0 || self.region(x, y) != region {
                break;
            }
            points.push((x, y));
        }
        points
    }
}

/// A point of a slip: number, ξ, η, h, side.
type SlipRow = (i64, f64, f64, f64, &'static str);

impl Study for LocalFlow {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        let region = EscapingRegion::next_to_two_fold(&dynamics)?;
        let fold = region.two_fold;
        let folds = fold.folds;
        let j = folds.j().ok_or_else(|| {
            StudyError::unsuitable(
                "system.wheel",
                "has no Teixeira singularity: the local flow has no scaled coordinates",
            )
        })?;
        let linear = Linear { j, folds, mu: dynamics.mu };
        let [weak, strong] = linear.eigenvalues();
        let (first, second) = (linear.eigenvector(weak), linear.eigenvector(strong));
        let mut outcome = Outcome::default();
        outcome.push("r", "m", fold.r);
        outcome.push("v", "m/s", fold.v);
        outcome.push("omega", "rad/s", fold.omega);
        outcome.push("case", "", fold.case().map(|case| usize::from(case.number())));
        outcome.push("j1", "", j.0);
        outcome.push("j2", "", j.1);
        outcome.push("eigenvalue_weak", "", weak);
        outcome.push("eigenvalue_strong", "", strong);
        outcome.push("eigenvector_weak", "", vec![first.0, first.1]);
        outcome.push("eigenvector_strong", "", vec![second.0, second.1]);
        outcome.tables.push(region_table(&linear));
        outcome.tables.push(hatch_table(&linear));
        outcome.tables.push(self.arrow_table(&linear));
        outcome.tables.push(self.path_table(&linear));
        let line = |name: &str, (x, y): (f64, f64)| {
            let scale = 1.0 / x.abs().max(y.abs());
            [(name.to_owned(), -scale * x, -scale * y), (name.to_owned(), scale * x, scale * y)]
        };
        let lines: Vec<(String, f64, f64)> =
            line("weak eigenvector", first).into_iter().chain(line("strong eigenvector", second)).collect();
        let table = Table::new("eigenvectors", "directions in which the sticking flow is straight")
            .words("name", "eigenvector", words(&lines, |row| row.0.clone()))
            .numbers("xi", "", "ξ", column(&lines, |row| row.1))
            .numbers("eta", "", "η", column(&lines, |row| row.2))
            .numbers("height", "", "h", vec![0.0; lines.len()])
            .words("region", "region", words(&lines, |row| region_word(linear.region(row.1, row.2))));
        outcome.tables.push(table);
        let slips = self.slips(&linear);
        let table = Table::new("slips", "slips around the two-fold to leading order, one row a point")
            .integers("slip", "slip", slips.iter().map(|row| row.0).collect())
            .numbers("xi", "", "ξ", column(&slips, |row| row.1))
            .numbers("eta", "", "η", column(&slips, |row| row.2))
            .numbers("height", "", "h", column(&slips, |row| row.3))
            .words("side", "side", words(&slips, |row| row.4.to_owned()));
        outcome.tables.push(table);
        if let Some(runs) = &self.runs {
            self.push_spread(&mut outcome, runs, &dynamics, context)?;
        }
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        self.runs.as_ref().map(|_| Offer::wheel())
    }
}

fn region_word(region: Region) -> String {
    match region {
        Region::Sliding => "S: stick",
        Region::Escaping => "E: escape",
        _ => "C: crossing",
    }
    .to_owned()
}

fn region_table(linear: &Linear) -> Table {
    const SIDE: usize = 40;
    let at = |k: usize| (k as f64 + 0.5) / SIDE as f64 * 2.0 - 1.0;
    let points: Vec<(f64, f64)> = (0..SIDE * SIDE).map(|k| (at(k % SIDE), at(k / SIDE))).collect();
    Table::new("regions", "regions next to the two-fold, one row a point")
        .numbers("xi", "", "ξ", column(&points, |point| point.0))
        .numbers("eta", "", "η", column(&points, |point| point.1))
        .words("region", "region", words(&points, |point| region_word(linear.region(point.0, point.1))))
}

/// Lines of constant η in the plane of the switching surface, each in one region, for views of space.
fn hatch_table(linear: &Linear) -> Table {
    const LINES: i64 = 25;
    let at = |line: i64| 2.0 * (line as f64 + 0.5) / LINES as f64 - 1.0;
    let ends = |line: i64, sign: f64| {
        let region = region_word(linear.region(sign, at(line)));
        [0.0, sign].map(|xi| (2 * line + i64::from(sign > 0.0), xi, at(line), region.clone()))
    };
    let rows: Vec<(i64, f64, f64, String)> =
        (0..LINES).flat_map(|line| [-1.0, 1.0].into_iter().flat_map(move |sign| ends(line, sign))).collect();
    Table::new("hatches", "lines on the switching surface, each in one region")
        .integers("line", "line", rows.iter().map(|row| row.0).collect())
        .numbers("xi", "", "ξ", column(&rows, |row| row.1))
        .numbers("eta", "", "η", column(&rows, |row| row.2))
        .numbers("height", "", "h", vec![0.0; rows.len()])
        .words("region", "region", words(&rows, |row| row.3.clone()))
}

impl LocalFlow {
    fn arrow_table(&self, linear: &Linear) -> Table {
        let at = |k: usize| (k as f64 + 0.5) / self.arrows as f64 * 2.0 - 1.0;
        let points = (0..self.arrows * self.arrows).map(|k| (at(k % self.arrows), at(k / self.arrows)));
        let rows: Vec<((f64, f64), (f64, f64))> =
            points.filter_map(|(xi, eta)| linear.direction(xi, eta).map(|direction| ((xi, eta), direction))).collect();
        Table::new("flow", "directions of the sticking flow, one row an arrow")
            .numbers("xi", "", "ξ", column(&rows, |row| row.0.0))
            .numbers("eta", "", "η", column(&rows, |row| row.0.1))
            .numbers("dxi", "", "direction along ξ", column(&rows, |row| row.1.0))
            .numbers("deta", "", "direction along η", column(&rows, |row| row.1.1))
    }

    fn path_table(&self, linear: &Linear) -> Table {
        let mut rows: Vec<(i64, f64, f64)> = Vec::new();
        let mut number = 0;
        for k in 0..self.paths {
            let part = (k as f64 + 0.5) / self.paths as f64;
            for (xi, eta) in [(1.0, 2.0 * part), (2.0 * part, 1.0)] {
                for sign in [1.0, -1.0] {
                    if xi > 1.0 || eta > 1.0 {
                        continue;
                    }
                    rows.extend(linear.curve((sign * xi, sign * eta)).into_iter().map(|(x, y)| (number, x, y)));
                    number += 1;
                }
            }
        }
        Table::new("paths", "sticking motions, one row a point")
            .integers("path", "path", rows.iter().map(|row| row.0).collect())
            .numbers("xi", "", "ξ", column(&rows, |row| row.1))
            .numbers("eta", "", "η", column(&rows, |row| row.2))
            .numbers("height", "", "h", vec![0.0; rows.len()])
    }

    /// Slips from the escaping region, one after the other until one lands in stick: parabolas in h to leading order.
    fn slips(&self, linear: &Linear) -> Vec<SlipRow> {
        const PIECES: u32 = 40;
        // slips around the two-fold grow by a factor from one to the next: only those near it belong to the local flow
        const FARTHEST: f64 = 4.0;
        let folds = &linear.folds;
        let (mut rows, mut number): (Vec<SlipRow>, i64) = (Vec::new(), 0);
        for k in 0..self.slips {
            let part = (k as f64 + 0.5) / self.slips as f64;
            for plus in [true, false] {
                let (xi, eta) = (-0.5 * (1.0 - part), -0.5 * part);
                // the sliding quadrant has the signs of ξ and η that the determinant decides; the escaping one is opposite
                let sign = if linear.region(xi, eta) == Region::Escaping { 1.0 } else { -1.0 };
                let Some(mut lie) = linear.lie(sign * xi, sign * eta) else { continue };
                let mut side = plus;
                for _ in 0..self.most_slips {
                    let (speed, curvature, drift) = if side {
                        (lie.plus, folds.plus_plus, folds.minus_plus)
                    } else {
                        (lie.minus, folds.minus_minus, folds.plus_minus)
                    };
                    let end = -2.0 * speed / curvature;
                    if !(end.is_finite() && end > 0.0) {
                        break;
                    }
                    let at = |t: f64| {
                        let (own, other) = (speed + curvature * t, if side { lie.minus } else { lie.plus } + drift * t);
                        if side { Lie { plus: own, minus: other } } else { Lie { plus: other, minus: own } }
                    };
                    let away =
                        folds.scaled(at(end), linear.mu).is_none_or(|(xi, eta)| xi.abs().max(eta.abs()) > FARTHEST);
                    if away {
                        break;
                    }
                    for piece in 0..=PIECES {
                        let t = end * f64::from(piece) / f64::from(PIECES);
                        let height = speed * t + 0.5 * curvature * t * t;
                        if let Some((xi, eta)) = folds.scaled(at(t), linear.mu) {
                            rows.push((
                                number,
                                xi,
                                eta,
                                height,
                                if side { "slip with h > 0" } else { "slip with h < 0" },
                            ));
                        }
                    }
                    number += 1;
                    lie = at(end);
                    match lie.region() {
                        Region::CrossingPlus => side = true,
                        Region::CrossingMinus => side = false,
                        _ => break,
                    }
                }
            }
        }
        let highest = rows.iter().map(|row| row.3.abs()).fold(0.0, f64::max);
        if highest > 0.0 {
            for row in &mut rows {
                row.3 /= highest;
            }
        }
        rows
    }

    /// How motions past the two-fold spread.
    fn push_spread(
        &self,
        outcome: &mut Outcome,
        runs: &ReturnMap,
        dynamics: &Dynamics,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let name = "local_flow.runs";
        let request = runs.request(name, dynamics, context)?;
        let exits = runs.departures(name, dynamics, request.seed, context)?;
        let found = ensemble(dynamics, &request, &exits, self.interval, context.progress)
            .map_err(|error| of_runs(name, error))?;
        let returned = found.outcomes.iter().filter(|ending| **ending == ExitOutcome::Returned).count();
        outcome.push("members", "", found.members.len());
        outcome.push("returned", "", returned);
        push_policies(outcome, &request, dynamics);
        let failures = found.outcomes.iter().filter(|ending| matches!(ending, ExitOutcome::Failed(_))).count();
        if failures > 0 {
            outcome.warnings.push(format!("{failures} of {} motions could not be computed", found.outcomes.len()));
        }
        let tube = &found.tube;
        let table = Table::new("tube", "what the motions cover, one row an instant")
            .numbers("tau", "s/(kg m²)", "rescaled time τ since the exit", column(tube, |at| at.at))
            .integers("members", "motions that have not come back", tube.iter().map(|at| at.members as i64).collect())
            .numbers("r_low", "m", "smallest r", column(tube, |at| at.lowest[0]))
            .numbers("r_high", "m", "largest r", column(tube, |at| at.highest[0]))
            .numbers("v_low", "m/s", "smallest v", column(tube, |at| at.lowest[1]))
            .numbers("v_high", "m/s", "largest v", column(tube, |at| at.highest[1]))
            .numbers("omega_low", "rad/s", "smallest ω", column(tube, |at| at.lowest[2]))
            .numbers("omega_high", "rad/s", "largest ω", column(tube, |at| at.highest[2]));
        outcome.tables.push(table);
        let rows: Vec<(i64, stiction::system::wheel::State)> = found
            .members
            .iter()
            .enumerate()
            .flat_map(|(index, member)| member.iter().map(move |y| (index as i64, *y)))
            .collect();
        let table = Table::new("members", "the motions, one row an instant")
            .integers("member", "motion", rows.iter().map(|row| row.0).collect())
            .numbers("tau", "s/(kg m²)", "rescaled time τ since the exit", column(&rows, |row| row.1[3]));
        outcome.tables.push(with_state(table, &rows, |row| [row.1[0], row.1[1], row.1[2]]));
        Ok(())
    }
}
