//! The sliding work W(c) as piecewise Chebyshev polynomials.
//!
//! W has structure: where the run ends just as the slider turns, where a zero of the normal force appears or vanishes, where
//! the slider begins to stick, W(c) has kinks. The itinerary of a run (which guards fired, in which order) changes exactly
//! there, so that kinks are found by bisection of itineraries and pieces end at them. What cannot be resolved within the
//! budget stays without a polynomial, and the equations are integrated there instead: the table never guesses.

use super::run::{Finish, MAX_STEPS_OF_MANY, Status, check, follow};
use crate::analysis::{AnalysisError, Cancelled, Progress, Quiet};
use crate::integrate::{Event, Flow, Sink, Solver};
use crate::num::real::cos;
use crate::system::Sections;
use crate::system::crank_slider::motion::{LIFTED_WORK, WORK};
use crate::system::crank_slider::{CrankMotion, CrankSlider, Ending, Mode};
use rayon::prelude::*;

/// Degree of the polynomials.
const DEGREE: usize = 16;
const NODES: usize = DEGREE + 1;
/// What is tabulated: the work, its part with F_n < 0, the end of the motion.
const QUANTITIES: usize = 3;
/// Largest of the last coefficients, relative to the quantity. Behind a kink coefficients fall like n⁻³ and what is cut off
/// sums to eight times the last: 8 × 3e-10 is below the 1e-8 promised.
const TAIL: f64 = 3e-10;
/// Pieces that the range is cut into at first.
const FIRST_PIECES: usize = 16;
/// Width below which a piece is not divided, and to which a change of the itinerary is located, relative to the range. What
/// is this narrow has no polynomial: one realisation in some ten thousand is integrated instead.
const NARROWEST: f64 = 1e-6;
/// Most runs for a table.
const MAX_RUNS: usize = 30_000;

/// What a run gives at one coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunEnergies {
    /// ∫ |f/c| |ẋ₃| dt \[J\]: both energies divided by their coefficients.
    pub work: f64,
    /// The part of it with F_n < 0 \[J\].
    pub lifted_work: f64,
    /// How the run ends.
    pub status: Status,
}

/// W(c) over a range of the coefficient.
#[derive(Debug, Clone)]
pub struct WorkTable {
    crank: CrankSlider,
    duration: f64,
    solver: Solver,
    pieces: Vec<Piece>,
    runs: usize,
}

/// A piece of the range; without a polynomial it is integrated.
#[derive(Debug, Clone)]
struct Piece {
    low: f64,
    high: f64,
    fit: Option<(EndKind, [[f64; NODES]; QUANTITIES])>,
}

/// How runs end, without the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndKind {
    Completed,
    Stuck,
    LiftOff,
    Indeterminate,
    Failed,
}

/// A run for the table.
#[derive(Debug, Clone, Copy)]
struct Node {
    kind: EndKind,
    itinerary: u64,
    values: [f64; QUANTITIES],
}

/// Folds the order of events and modes into one number.
struct Itinerary(u64);

impl Itinerary {
    fn fold(&mut self, number: u64) {
        // FNV-1a: order matters, and a collision only costs accuracy that the tail of the polynomial would show
        self.0 = (self.0 ^ number).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

impl Sink<CrankMotion> for Itinerary {
    const SECTIONS: Sections = Sections::NONE;
    fn event(&mut self, event: &Event<'_, CrankMotion>) -> Flow {
        self.fold(event.guard as u64 + 1);
        Flow::Continue
    }
}

impl WorkTable {
    /// The table for coefficients from `lowest` to `highest` [-], both >= 0.
    ///
    /// # Errors
    /// Parameters that make no sense; [`Cancelled`] on request.
    pub(crate) fn over(
        crank: &CrankSlider,
        (lowest, highest): (f64, f64),
        duration: f64,
        solver: &Solver,
        progress: &dyn Progress,
    ) -> Result<Self, AnalysisError> {
        check(crank, duration)?;
        if !(lowest >= 0.0 && lowest <= highest && highest.is_finite()) {
            let message = format!("the range from {lowest} to {highest} is none of finite numbers >= 0");
            return Err(AnalysisError::question("coefficient", message));
        }
        let mut table = Self { crank: crank.clone(), duration, solver: *solver, pieces: Vec::new(), runs: 0 };
        let range = highest - lowest;
        let at = |i: usize| if i == FIRST_PIECES { highest } else { lowest + range * i as f64 / FIRST_PIECES as f64 };
        let mut waiting: Vec<(f64, f64)> = if range > 1e-12 * highest {
            (0..FIRST_PIECES).map(|i| (at(i), at(i + 1))).collect()
        } else {
            table.single(lowest, highest, progress);
            Vec::new()
        };
        progress.begin("sliding work", waiting.len() as u64);
        while !waiting.is_empty() {
            let affordable = table.runs + waiting.len() * 2 * NODES <= MAX_RUNS;
            let refine = |&(low, high): &(f64, f64)| {
                let go = affordable && !progress.cancelled();
                if go { table.refine(low, high, range, progress) } else { Refined::unresolved(low, high) }
            };
            let refined: Vec<Refined> = waiting.par_iter().map(refine).collect();
            progress.advance(waiting.len() as u64);
            waiting.clear();
            for part in refined {
                table.runs += part.runs;
                table.pieces.extend(part.pieces);
                waiting.extend(part.waiting);
            }
        }
        if progress.cancelled() {
            return Err(Cancelled.into());
        }
        table.pieces.sort_by(|a, b| a.low.total_cmp(&b.low));
        Ok(table)
    }

    /// The range of the table [-].
    pub fn range(&self) -> (f64, f64) {
        (self.pieces.first().map_or(0.0, |piece| piece.low), self.pieces.last().map_or(0.0, |piece| piece.high))
    }

    /// Runs that the table cost.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Pieces with a polynomial.
    pub fn pieces(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.fit.is_some()).count()
    }

    /// Part of the range without a polynomial [-].
    pub fn unresolved(&self) -> f64 {
        let (low, high) = self.range();
        let width: f64 =
            self.pieces.iter().filter(|piece| piece.fit.is_none()).map(|piece| piece.high - piece.low).sum();
        if high > low { width / (high - low) } else { 0.0 }
    }

    /// The outcome at a coefficient from the polynomials; none where there is none.
    pub(crate) fn interpolated(&self, coefficient: f64) -> Option<RunEnergies> {
        let index = self.pieces.partition_point(|piece| piece.high < coefficient);
        let piece = self.pieces.get(index).filter(|piece| piece.low <= coefficient)?;
        let (kind, fit) = piece.fit.as_ref()?;
        let middle = 0.5 * (piece.low + piece.high);
        let half = 0.5 * (piece.high - piece.low);
        let x = if half > 0.0 { (coefficient - middle) / half } else { 0.0 };
        let [work, lifted_work, time] = fit.each_ref().map(|coefficients| clenshaw(coefficients, x));
        let status = match kind {
            EndKind::Completed => Status::Completed,
            EndKind::Stuck => Status::Stuck { time },
            EndKind::LiftOff => Status::LiftOff { time },
            EndKind::Indeterminate | EndKind::Failed => return None,
        };
        Some(RunEnergies { work, lifted_work: lifted_work.max(0.0), status })
    }

    /// The outcome at a coefficient: from the polynomials, or by integration where there is none.
    ///
    /// # Errors
    /// A coefficient that is negative or not finite; motions that the solver cannot follow.
    pub(crate) fn outcome(&self, coefficient: f64, progress: &dyn Progress) -> Result<RunEnergies, AnalysisError> {
        match self.interpolated(coefficient) {
            Some(outcome) => Ok(outcome),
            None => integrated(&self.crank, coefficient, self.duration, &self.solver, progress),
        }
    }

    /// The mechanism and the duration \[s\] that the table is for.
    pub(super) fn question(&self) -> (&CrankSlider, f64) {
        (&self.crank, self.duration)
    }

    /// A range without width: one run.
    fn single(&mut self, low: f64, high: f64, progress: &dyn Progress) {
        let node = self.node(low, progress);
        let constant = node.values.map(|value| {
            let mut coefficients = [0.0; NODES];
            coefficients[0] = value;
            coefficients
        });
        let fit = (!matches!(node.kind, EndKind::Indeterminate | EndKind::Failed)).then_some((node.kind, constant));
        self.runs += 1;
        self.pieces.push(Piece { low, high, fit });
    }

    fn node(&self, coefficient: f64, progress: &dyn Progress) -> Node {
        let motion = CrankMotion::new(&self.crank, coefficient);
        let mut itinerary = Itinerary(0xcbf2_9ce4_8422_2325);
        let Ok(Finish { mode, state, effort }) =
            follow(&motion, self.duration, &self.solver, MAX_STEPS_OF_MANY, &mut itinerary, &Quiet(progress))
        else {
            return Node { kind: EndKind::Failed, itinerary: 0, values: [0.0; QUANTITIES] };
        };
        progress.worked(effort);
        let (kind, time) = match mode {
            Mode::Turning { .. } => (EndKind::Completed, self.duration),
            Mode::Over { since, ending: Ending::Stuck } => (EndKind::Stuck, since),
            Mode::Over { since, ending: Ending::LiftOff } => (EndKind::LiftOff, since),
            Mode::Over { since, ending: Ending::Indeterminate { .. } } => (EndKind::Indeterminate, since),
        };
        Node { kind, itinerary: itinerary.0, values: [state[WORK], state[LIFTED_WORK], time] }
    }

    /// A polynomial for a piece, or smaller pieces.
    fn refine(&self, low: f64, high: f64, range: f64, progress: &dyn Progress) -> Refined {
        let at = |j: usize| chebyshev_node(low, high, j);
        let nodes: [Node; NODES] = std::array::from_fn(|j| self.node(at(j), progress));
        let mut runs = NODES;
        let same_kind = nodes.iter().all(|node| node.kind == nodes[0].kind);
        let same_path = same_kind && nodes.iter().all(|node| node.itinerary == nodes[0].itinerary);
        if same_kind && matches!(nodes[0].kind, EndKind::Indeterminate | EndKind::Failed) {
            return Refined { runs, ..Refined::unresolved(low, high) };
        }
        if same_kind {
            let fit: [[f64; NODES]; QUANTITIES] =
                std::array::from_fn(|q| chebyshev_coefficients(&std::array::from_fn(|j| nodes[j].values[q])));
            let scale = |q: usize| match q {
                // both parts of the work matter as parts of the whole
                0 | 1 => nodes.iter().map(|node| node.values[0]).fold(f64::INFINITY, f64::min),
                _ => self.duration,
            };
            let resolved = (0..QUANTITIES).all(|q| {
                let tail = fit[q].iter().rev().take(3).fold(0.0f64, |tail, a| tail.max(a.abs()));
                tail <= TAIL * scale(q)
            });
            // a piece with a kink that hardly shows is checked where it was not looked at
            let mut right = || {
                runs += 2;
                [0.3, -0.6].into_iter().all(|x| {
                    let found = self.node(0.5 * (low + high) + 0.5 * (high - low) * x, progress);
                    found.kind == nodes[0].kind
                        && (0..QUANTITIES)
                            .all(|q| (clenshaw(&fit[q], x) - found.values[q]).abs() <= 8.0 * TAIL * scale(q))
                })
            };
            if resolved && (same_path || right()) {
                let fit = Some((nodes[0].kind, fit));
                return Refined { runs, pieces: vec![Piece { low, high, fit }], waiting: Vec::new() };
            }
        }
        if high - low <= NARROWEST * range {
            return Refined { runs, ..Refined::unresolved(low, high) };
        }
        // nodes run from high to low: the first change seen from below
        let change = (1..NODES)
            .rev()
            .find(|&j| nodes[j].itinerary != nodes[j - 1].itinerary || nodes[j].kind != nodes[j - 1].kind);
        let Some(j) = change else {
            let middle = 0.5 * (low + high);
            return Refined { runs, pieces: Vec::new(), waiting: vec![(low, middle), (middle, high)] };
        };
        let (mut below, mut above) = (at(j), at(j - 1));
        while above - below > NARROWEST * range {
            let middle = 0.5 * (below + above);
            if middle <= below || middle >= above {
                break;
            }
            let node = self.node(middle, progress);
            runs += 1;
            if node.itinerary == nodes[j].itinerary && node.kind == nodes[j].kind {
                below = middle;
            } else {
                above = middle;
            }
        }
        let waiting = [(low, below), (above, high)].into_iter().filter(|(low, high)| low < high).collect();
        Refined { runs, pieces: vec![Piece { low: below, high: above, fit: None }], waiting }
    }
}

/// What became of a piece.
struct Refined {
    runs: usize,
    pieces: Vec<Piece>,
    waiting: Vec<(f64, f64)>,
}

impl Refined {
    fn unresolved(low: f64, high: f64) -> Self {
        Self { runs: 0, pieces: vec![Piece { low, high, fit: None }], waiting: Vec::new() }
    }
}

/// The outcome at a coefficient [-] by integration.
pub(super) fn integrated(
    crank: &CrankSlider,
    coefficient: f64,
    duration: f64,
    solver: &Solver,
    progress: &dyn Progress,
) -> Result<RunEnergies, AnalysisError> {
    if !(coefficient.is_finite() && coefficient >= 0.0) {
        let message = format!("is {coefficient}, but must be a finite number >= 0");
        return Err(AnalysisError::question("coefficient", message));
    }
    let motion = CrankMotion::new(crank, coefficient);
    let finish = follow(&motion, duration, solver, MAX_STEPS_OF_MANY, &mut (), &Quiet(progress))?;
    progress.worked(finish.effort);
    Ok(RunEnergies {
        work: finish.state[WORK],
        lifted_work: finish.state[LIFTED_WORK],
        status: Status::of(finish.mode, coefficient),
    })
}

/// Node `j` of the Chebyshev-Lobatto points of an interval, from its high end to its low one.
fn chebyshev_node(low: f64, high: f64, j: usize) -> f64 {
    match j {
        0 => high,
        DEGREE => low,
        _ => 0.5 * (low + high) + 0.5 * (high - low) * cos(std::f64::consts::PI * j as f64 / DEGREE as f64),
    }
}

/// Chebyshev coefficients of the polynomial through values at the nodes.
fn chebyshev_coefficients(values: &[f64; NODES]) -> [f64; NODES] {
    let end = |j: usize| if j == 0 || j == DEGREE { 0.5 } else { 1.0 };
    std::array::from_fn(|k| {
        let term = |(j, value): (usize, &f64)| {
            let angle = std::f64::consts::PI * ((j * k) % (2 * DEGREE)) as f64 / DEGREE as f64;
            end(j) * value * cos(angle)
        };
        let sum: f64 = values.iter().enumerate().map(term).sum();
        end(k) * sum * 2.0 / DEGREE as f64
    })
}

/// Value of a Chebyshev series at `x` in [−1, 1].
fn clenshaw(coefficients: &[f64; NODES], x: f64) -> f64 {
    let (mut last, mut before) = (0.0, 0.0);
    for &coefficient in coefficients.iter().skip(1).rev() {
        (last, before) = (coefficient + 2.0 * x * last - before, last);
    }
    coefficients[0] + x * last - before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::exp;

    #[test]
    fn the_series_meets_its_nodes_and_analytic_functions() {
        let values: [f64; NODES] = std::array::from_fn(|j| exp(chebyshev_node(-1.0, 1.0, j)));
        let series = chebyshev_coefficients(&values);
        for x in [-1.0, -0.73, 0.0, 0.2, 1.0] {
            assert!((clenshaw(&series, x) - exp(x)).abs() < 1e-14, "{x}");
        }
    }
}
