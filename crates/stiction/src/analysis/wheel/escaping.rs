//! The escaping region next to a two-fold: its extent, and what of it is fed by the two-fold.
//!
//! For a sign s the region lies where L₁(r) > 0, between the two displacements where L₁ vanishes; one of them is that of the
//! two-fold. At each r it is an interval of ω, because L± are quadratic in ω on the switching surface. A point can be
//! *reached* if the sticking motion through it comes from the two-fold; the rest is fed from the line of rest.

use super::itinerary::{DEFAULT_STEP, ExitDistribution, ExitSampled, Go, Itinerary, WheelStart};
use crate::analysis::AnalysisError;
use crate::integrate::{Dop853, Event, Flow, Sink, Solver, Span, Tolerance, integrate_from};
use crate::num::random::Stream;
use crate::num::real::ln;
use crate::num::roots::root;
use crate::system::filippov::{Automaton, Phase, Region, Side, Signs, Visibility, guard};
use crate::system::wheel::line::Place;
use crate::system::wheel::singular::WheelTwoFold;
use crate::system::wheel::{CLOCK, Dynamics, OMEGA, R, State, TIME};
use crate::system::{Reversed, Sections, wheel::singular};

/// The component of the escaping region next to a two-fold.
#[derive(Debug, Clone)]
pub struct EscapingRegion {
    /// The two-fold.
    pub two_fold: WheelTwoFold,
    /// The sign s of the rolling velocity.
    pub sign: f64,
    /// Range of r \[m\], ascending.
    pub positions: (f64, f64),
    /// Range of r \[m\] outside of which nothing is fed by the two-fold.
    pub reach: (f64, f64),
    /// Fibres from the two-fold to the far end, for continuation: (r, ω low, ω high).
    fibres: Vec<(f64, f64, f64)>,
}

/// Where and when the escaping region is left, since the two-fold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Departure {
    /// Displacement \[m\] at which the motion is taken up.
    pub r: f64,
    /// Speed of the disc there [rad/s].
    pub omega: f64,
    /// τ and time \[s\] that pass from the two-fold to this point.
    pub since: (f64, f64),
    /// τ that passes from there to the exit, unless the border is met first.
    pub wait: f64,
    /// The side.
    pub side: Side,
}

/// Fibres on which the component is followed.
const FIBRES: u32 = 400;

/// Longest time over which a sticking motion is followed backward, in units of the clock.
const LONGEST: f64 = 1e4;

impl EscapingRegion {
    /// The component next to the two-fold of case 1, or, without one, next to the first Teixeira singularity that exists.
    ///
    /// # Errors
    /// If the wheel has no such two-fold.
    pub fn next_to_two_fold(dynamics: &Dynamics) -> Result<Self, AnalysisError> {
        let folds: Vec<WheelTwoFold> = dynamics
            .two_folds()
            .into_iter()
            .filter(|fold| fold.sign_consistent && fold.visibility() == Visibility::Teixeira)
            .collect();
        let through = folds.iter().find(|fold| fold.case().is_some_and(|case| case.number() == 1));
        let Some(fold) = through.or(folds.first()) else {
            return Err(AnalysisError::unsuitable(
                "",
                "has no Teixeira singularity, so that there is no escaping region next to one; give a `design`",
            ));
        };
        Self::next_to(dynamics, *fold)
    }

    /// The component next to a two-fold.
    ///
    /// # Errors
    /// If there is none.
    fn next_to(dynamics: &Dynamics, two_fold: WheelTwoFold) -> Result<Self, AnalysisError> {
        let none = || {
            let message = format!("has no escaping region next to the two-fold at r = {}", two_fold.r);
            AnalysisError::unsuitable("", message)
        };
        if !dynamics.has_chart() {
            return Err(none());
        }
        let positions = dynamics.balanced_positions(two_fold.sign);
        let &[low, high] = positions.as_slice() else { return Err(none()) };
        let far = if (two_fold.r - low).abs() < (two_fold.r - high).abs() { high } else { low };
        let near = two_fold.r;
        let mut region =
            Self { two_fold, sign: two_fold.sign, positions: (low, high), reach: (low, high), fibres: Vec::new() };
        let mut last = (near, two_fold.omega, two_fold.omega);
        let at = |fraction: f64| near + fraction * (far - near);
        for k in 1..FIBRES {
            // finer near the two-fold, where the region is a wedge
            let x = f64::from(k) / f64::from(FIBRES);
            let fraction = x * x * (3.0 - 2.0 * x);
            let Some((bottom, top)) = region.fibre_near(dynamics, at(fraction), (last.1, last.2)) else {
                // the component ends between the last fibre and this one
                let (mut inside, mut outside) = (last.0, at(fraction));
                for _ in 0..60 {
                    let middle = 0.5 * (inside + outside);
                    match region.fibre_near(dynamics, middle, (last.1, last.2)) {
                        Some((bottom, top)) => {
                            inside = middle;
                            last = (middle, bottom, top);
                        }
                        None => outside = middle,
                    }
                }
                region.fibres.push(last);
                region.positions = (near.min(inside), near.max(inside));
                break;
            };
            last = (at(fraction), bottom, top);
            region.fibres.push(last);
        }
        if region.fibres.is_empty() {
            return Err(none());
        }
        region.reach = region.fed_range(dynamics);
        Ok(region)
    }

    /// The range of r that the two-fold feeds. The divide is the sticking motion that touches the line of rest: behind it the
    /// motion comes from the line.
    fn fed_range(&self, dynamics: &Dynamics) -> (f64, f64) {
        let (low, high) = self.positions;
        let near = self.two_fold.r;
        let far = if near == low { high } else { low };
        let rate = |r: f64| {
            let ray = dynamics.blow_up(Place::Rest { r }).stick_ray(self.sign);
            if ray.region == Region::Escaping { Some(ray.rate) } else { None }
        };
        let at = |k: u32| near + (far - near) * f64::from(k) / f64::from(FIBRES);
        let touches = (1..FIBRES - 1).find_map(|k| {
            let (before, after) = (rate(at(k))?, rate(at(k + 1))?);
            (before * after <= 0.0).then(|| root(at(k), at(k + 1), |r| rate(r).unwrap_or(after)).ok())?
        });
        let Some(touch) = touches else { return self.positions };
        // just behind the line the motion is as good as the divide: where it leaves the region, the fed part ends
        let side = (self.two_fold.omega - dynamics.omega0).signum();
        let omega = dynamics.omega0 + side * 1e-7;
        let request = Itinerary {
            start: WheelStart::Surface { r: touch, omega, go: Go::Stick },
            max_events: 1,
            solver: Solver { absolute_tolerance: 1e-12, relative_tolerance: 1e-9, ..Itinerary::solver() },
            ..Itinerary::default()
        };
        let Some(event) = request.run(dynamics).ok().and_then(|run| run.events.first().cloned()) else {
            return self.positions;
        };
        // with a margin for the error of the divide
        let end = event.r + 0.05 * (event.r - near);
        if far < near { (end.min(touch).max(low), near) } else { (near, end.max(touch).min(high)) }
    }

    /// The escaping intervals of ω at r, ascending.
    pub(crate) fn intervals(dynamics: &Dynamics, r: f64, sign: f64) -> Vec<(f64, f64)> {
        let [a0, a1, a2] = dynamics.surface_quadratic(r);
        let force = dynamics.mu * dynamics.lie1(r, sign);
        if force <= 0.0 {
            return Vec::new();
        }
        let mut cuts = singular::real_roots([a0 + force, a1, a2]);
        cuts.extend(singular::real_roots([a0 - force, a1, a2]));
        cuts.push(0.0);
        cuts.sort_by(f64::total_cmp);
        let escaping = |slip: f64| {
            let side = !dynamics.signed || slip * r * dynamics.si * sign > 0.0;
            side && (a0 + slip * (a1 + slip * a2)).abs() < force
        };
        let pairs = cuts.windows(2).filter_map(|pair| match pair {
            &[low, high] if high > low && escaping(0.5 * (low + high)) => Some((low, high)),
            _ => None,
        });
        let mut intervals: Vec<(f64, f64)> = Vec::new();
        for (low, high) in pairs {
            match intervals.last_mut() {
                // Ω = 0 is no border for an unsigned moment
                Some(last) if last.1 == low && !dynamics.signed => last.1 = high,
                _ => intervals.push((low, high)),
            }
        }
        intervals.iter().map(|(low, high)| (dynamics.omega0 + low, dynamics.omega0 + high)).collect()
    }

    /// The interval at r that continues the one of a neighbouring fibre: the one that overlaps it, or the nearest.
    fn fibre_near(&self, dynamics: &Dynamics, r: f64, (low, high): (f64, f64)) -> Option<(f64, f64)> {
        let gap = |&(bottom, top): &(f64, f64)| (bottom - high).max(low - top).max(0.0);
        let middle = 0.5 * (low + high);
        let apart = |&(bottom, top): &(f64, f64)| (0.5 * (bottom + top) - middle).abs();
        let order = |a: &(f64, f64), b: &(f64, f64)| gap(a).total_cmp(&gap(b)).then(apart(a).total_cmp(&apart(b)));
        let found = Self::intervals(dynamics, r, self.sign).into_iter().min_by(order)?;
        // next to the two-fold both fibres are short: neighbours need not overlap there
        let reach = (high - low) + (found.1 - found.0) + 0.05 * (self.two_fold.omega - dynamics.omega0).abs();
        (gap(&found) <= reach).then_some(found)
    }

    /// The range of ω at r; none outside the range of r.
    pub(crate) fn speeds(&self, dynamics: &Dynamics, r: f64) -> Option<(f64, f64)> {
        let nearest = self.fibres.iter().min_by(|a, b| (a.0 - r).abs().total_cmp(&(b.0 - r).abs()))?;
        if !(r > self.positions.0 && r < self.positions.1) {
            return None;
        }
        self.fibre_near(dynamics, r, (nearest.1, nearest.2))
    }

    /// The point at these fractions of the range of r, then of the range of ω at that r.
    ///
    /// # Errors
    /// If a fraction is not between 0 and 1.
    pub(crate) fn point(&self, dynamics: &Dynamics, position: f64, height: f64) -> Result<(f64, f64), AnalysisError> {
        let inside = |fraction: f64| fraction > 0.0 && fraction < 1.0;
        if !inside(position) || !inside(height) {
            let message = format!("fractions {position}, {height} must lie between 0 and 1, without the ends");
            return Err(AnalysisError::question("exit", message));
        }
        let r = self.positions.0 + position * (self.positions.1 - self.positions.0);
        let Some((low, high)) = self.speeds(dynamics, r) else {
            let message = format!("the escaping region has no fibre at r = {r}");
            return Err(AnalysisError::question("exit", message));
        };
        Ok((r, low + height * (high - low)))
    }

    /// Whether a point lies in the component.
    pub fn contains(&self, dynamics: &Dynamics, r: f64, omega: f64) -> bool {
        self.speeds(dynamics, r).is_some_and(|(low, high)| omega > low && omega < high)
    }

    /// τ and time \[s\] that a sticking motion takes from the two-fold to a point of the escaping region; none if it does not
    /// come from there.
    ///
    /// # Errors
    /// If the equations cannot be solved.
    pub(crate) fn time_from_two_fold(
        &self,
        dynamics: &Dynamics,
        r: f64,
        omega: f64,
    ) -> Result<Option<(f64, f64)>, AnalysisError> {
        Ok(match self.backward(dynamics, r, omega, LONGEST * dynamics.clock_unit())? {
            Origin::TwoFold { since, .. } => Some(since),
            _ => None,
        })
    }

    /// Follows the sticking motion through a point backward, for at most so long (in τ).
    fn backward(&self, dynamics: &Dynamics, r: f64, omega: f64, longest: f64) -> Result<Origin, AnalysisError> {
        let start = [r, dynamics.surface_v(r, omega), omega, 0.0, 0.0];
        let signs = Signs::default().with(0, self.sign > 0.0);
        if dynamics.lie(start[R], start[1], start[OMEGA], self.sign).region() != Region::Escaping {
            return Ok(Origin::Elsewhere);
        }
        let mode = Automaton::mode(dynamics, Phase::Escaping, signs, &start);
        let automaton = Automaton::new(dynamics, (mode, start));
        let reversed = Reversed(&automaton);
        let tolerance = Tolerance { relative: 1e-11, absolute: 1e-14 };
        let mut method = Dop853::new(&reversed, tolerance).with_longest_step(DEFAULT_STEP * dynamics.clock_unit());
        let mut last = Last { guard: None, longest, reached: None };
        let span = Span { start: 0.0, end: f64::INFINITY, max_steps: 1_000_000, closed_form: false };
        let finish = integrate_from(&reversed, &mut method, span, (mode, start), &mut last)?;
        if let Some(state) = last.reached {
            return Ok(Origin::Underway { state });
        }
        if last.guard != Some(guard::TWO_FOLD) {
            return Ok(Origin::Elsewhere);
        }
        let y: State = finish.state;
        let slowness = |r: f64, v: f64| 1.0 / (dynamics.m * dynamics.q(r) * v);
        let fold = &self.two_fold;
        let v = dynamics.surface_v(y[R], y[OMEGA]);
        let rest = 0.5 * (y[R] - fold.r) * (slowness(fold.r, fold.v) + slowness(y[R], v));
        let mean = 0.5 * dynamics.m * (dynamics.q(y[R]) + dynamics.q(fold.r));
        Ok(Origin::TwoFold { since: (-y[CLOCK] + rest, -y[TIME] + rest * mean) })
    }

    /// Draws where and when the escaping region is left.
    ///
    /// # Errors
    /// If no point of it can be reached, or if the equations cannot be solved.
    pub(crate) fn draw(
        &self,
        dynamics: &Dynamics,
        sampled: ExitSampled,
        stream: &mut Stream,
    ) -> Result<Departure, AnalysisError> {
        const ATTEMPTS: usize = 10_000;
        let (left, right) = self.reach;
        // one fibre more than the range, for what lies between the last two
        let margin = (right - left) / f64::from(FIBRES).sqrt();
        let inside = |fibre: &&(f64, f64, f64)| fibre.0 > left - margin && fibre.0 < right + margin;
        let bottom = self.fibres.iter().filter(inside).fold(f64::INFINITY, |least, fibre| least.min(fibre.1));
        let top = self.fibres.iter().filter(inside).fold(f64::NEG_INFINITY, |most, fibre| most.max(fibre.2));
        for _ in 0..ATTEMPTS {
            let (r, omega) = (left + (right - left) * stream.uniform(), bottom + (top - bottom) * stream.uniform());
            if !self.contains(dynamics, r, omega) {
                continue;
            }
            let Origin::TwoFold { since } = self.backward(dynamics, r, omega, LONGEST * dynamics.clock_unit())? else {
                continue;
            };
            let plus = stream.uniform() < sampled.side_probability;
            let side = if plus { Side::Plus } else { Side::Minus };
            let here = Departure { r, omega, since, wait: 0.0, side };
            if sampled.distribution == ExitDistribution::Area {
                return Ok(here);
            }
            let wait = -ln(stream.uniform()) / sampled.rate;
            if wait >= since.0 {
                return Ok(Departure { wait: wait - since.0, ..here });
            }
            // the exit lies between the two-fold and the point
            let back = since.0 - wait;
            let Origin::Underway { state } = self.backward(dynamics, r, omega, back)? else {
                // closer to the two-fold than its radius
                return Ok(here);
            };
            let since = (since.0 + state[CLOCK], since.1 + state[TIME]);
            return Ok(Departure { r: state[R], omega: state[OMEGA], since, wait: 0.0, side });
        }
        let message = format!("no point of the escaping region was reached from the two-fold in {ATTEMPTS} draws");
        Err(AnalysisError::question("exit.sampled", message))
    }
}

/// Where a sticking motion of the escaping region comes from.
enum Origin {
    TwoFold { since: (f64, f64) },
    Underway { state: State },
    Elsewhere,
}

/// Notes the guard that ended a backward motion, or the state after a given time.
struct Last {
    guard: Option<usize>,
    longest: f64,
    reached: Option<State>,
}

impl<'a> Sink<Reversed<'a, Automaton<'a, Dynamics>>> for Last {
    const SECTIONS: Sections = Sections::NONE;

    fn stretch(&mut self, stretch: &crate::integrate::Stretch<'_, Reversed<'a, Automaton<'a, Dynamics>>>) -> Flow {
        let mut y = [0.0; 5];
        (stretch.at)(stretch.to, &mut y);
        if -y[CLOCK] < self.longest {
            return Flow::Continue;
        }
        let (mut low, mut high) = (stretch.from, stretch.to);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            (stretch.at)(middle, &mut y);
            if -y[CLOCK] < self.longest { low = middle } else { high = middle }
        }
        self.reached = Some(y);
        Flow::Stop
    }

    fn event(&mut self, event: &Event<'_, Reversed<'a, Automaton<'a, Dynamics>>>) -> Flow {
        self.guard = Some(event.guard);
        Flow::Continue
    }
}
