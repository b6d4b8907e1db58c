//! Where in a step the guards are zero: every root, or the proof that there is none, and the state there.

use super::events::{CHECKS, GuardStart, NODES, Roots, SAMPLES};
use super::run::Loop;
use super::{IntegrationError, Method};
use crate::system::{Coords, Guard, Sections, System};

/// Most events that are handled inside one step; a step with more is halved.
pub(super) const MAX_EVENTS_IN_STEP: usize = 24;

/// Part of a step along which the motion is a straight line: what it bends is the square of it, less than rounding.
const NEAR: f64 = 1e-8;

/// An event inside the current step.
#[derive(Clone, Copy)]
pub(super) struct Root {
    pub(super) theta: f64,
    pub(super) slope: f64,
    pub(super) guard: usize,
    pub(super) kind: Guard,
}

impl<S: System> Loop<'_, S> {
    /// Puts the events inside the attempted step up to the first boundary into `found`, in order of time, and tells how many
    /// there are; none if there are too many, or if a guard is `to_be_resolved` and varies faster than its samples tell.
    pub(super) fn roots<M: Method<S>>(
        &mut self,
        method: &M,
        h: f64,
        sections: Sections,
        to_be_resolved: bool,
    ) -> Result<Option<usize>, IntegrationError> {
        let (system, mode) = (self.system, self.mode);
        let watched = (0..self.guards.as_slice().len()).any(|guard| match system.guard(mode, guard) {
            Guard::Boundary(_) => true,
            Guard::Section(_) => sections.has(guard),
            Guard::Unused => false,
        });
        // with many states the samples cost as much as the step
        if !watched {
            return Ok(Some(0));
        }
        let mut count = 0;
        // both ends exactly, so that neighbouring steps agree about signs
        let [first, inner @ .., last] = &mut self.samples;
        system.guards_with(mode, self.t, method.start(), sections, first);
        for (node, guards) in NODES[1..].iter().zip(inner) {
            method.at(*node, &mut self.scratch);
            system.guards_with(mode, self.t + node * h, &self.scratch, sections, guards);
        }
        system.guards_with(mode, self.t + h, method.end(), sections, last);
        let mut checked = false;
        for guard in 0..self.guards.as_slice().len() {
            let kind = system.guard(mode, guard);
            if kind == Guard::Unused || !kind.is_boundary() && !sections.has(guard) {
                continue;
            }
            let samples: [f64; SAMPLES] = std::array::from_fn(|k| self.samples[k].as_slice()[guard]);
            // a number that is not finite stays so, and any other becomes zero
            if samples.iter().map(|g| 0.0 * g).sum::<f64>() != 0.0 {
                return Err(self.not_finite());
            }
            // a guard that starts at zero and does not fall, in a step so short that it stays below its rounding: its slope is
            // not known yet, and it has no root
            if samples[0] == 0.0 && samples.iter().all(|g| *g >= 0.0) {
                let largest = samples.iter().fold(0.0, |largest: f64, g| largest.max(*g));
                if largest < self.noise(method, guard) {
                    continue;
                }
            }
            if to_be_resolved && !Roots::are_smooth(&samples) {
                if !checked {
                    self.check(method, h, sections);
                    checked = true;
                }
                let checks = std::array::from_fn(|k| self.checks[k].as_slice()[guard]);
                if Roots::miss(&samples, &checks).is_some_and(|miss| miss > self.noise(method, guard)) {
                    return Ok(None);
                }
            }
            let roots = Roots::of(&samples, || self.rise_at_start(method, guard, h));
            let mut push = |theta: f64, slope: f64| {
                if let Some(place) = self.found.get_mut(count) {
                    *place = Root { theta, slope, guard, kind };
                }
                count += 1;
            };
            match kind {
                Guard::Boundary(_) if roots.start == GuardStart::Falling => push(0.0, -1.0),
                // only the first: the mode ends there
                Guard::Boundary(_) => roots.iter().take(1).for_each(|(theta, slope)| push(theta, slope)),
                _ => roots.iter().for_each(|(theta, slope)| push(theta, slope)),
            }
        }
        if count > MAX_EVENTS_IN_STEP {
            return Ok(None);
        }
        // by time, then by index: the documented order of simultaneous guards
        let found = &mut self.found[..count];
        found.sort_unstable_by(|a, b| a.theta.total_cmp(&b.theta).then(a.guard.cmp(&b.guard)));
        Ok(Some(found.iter().position(|root| root.kind.is_boundary()).map_or(count, |i| i + 1)))
    }

    /// Guards between their samples.
    fn check<M: Method<S>>(&mut self, method: &M, h: f64, sections: Sections) {
        for (node, guards) in CHECKS.iter().zip(&mut self.checks) {
            method.at(*node, &mut self.scratch);
            self.system.guards_with(self.mode, self.t + node * h, &self.scratch, sections, guards);
        }
    }

    /// Change of a guard along a step of length `h` if it went on as at the start: central differences along the motion,
    /// extrapolated to zero. Exact for a guard that is linear in the state, and for any polynomial up to degree six, so
    /// that a slope of zero is told from a small one.
    fn rise_at_start<M: Method<S>>(&mut self, method: &M, guard: usize, h: f64) -> f64 {
        let mut ahead = |fraction: f64| {
            for (i, y) in self.scratch.as_mut_slice().iter_mut().enumerate() {
                *y = method.start().as_slice()[i] + fraction * h * method.slope().as_slice()[i];
            }
            self.system.guards(self.mode, self.t + fraction * h, &self.scratch, &mut self.guards);
            self.guards.as_slice()[guard]
        };
        let mut difference = |fraction: f64| (ahead(fraction) - ahead(-fraction)) / (2.0 * fraction);
        let [coarse, middle, fine] = [0.125, 0.0625, 0.03125].map(&mut difference);
        let (low, high) = (middle + (middle - coarse) / 3.0, fine + (fine - middle) / 3.0);
        let rise = high + (high - low) / 15.0;
        if rise.is_finite() { rise } else { 0.0 }
    }

    /// How much a guard varies where time and every coordinate are known to a relative 1e-12 only: finer features are
    /// rounding, for example the acceleration of a motion that has come to rest.
    fn noise<M: Method<S>>(&mut self, method: &M, guard: usize) -> f64 {
        const PRECISION: f64 = 1e-12;
        let (system, mode, t) = (self.system, self.mode, self.t);
        let guards = &mut self.guards;
        let mut value = |t: f64, y: &S::State| {
            system.guards(mode, t, y, guards);
            guards.as_slice()[guard]
        };
        self.scratch.clone_from(method.end());
        let here = value(t, &self.scratch);
        let mut noise = (value(t * (1.0 + PRECISION), &self.scratch) - here).abs();
        for i in 0..self.scratch.as_slice().len() {
            let kept = self.scratch.as_slice()[i];
            self.scratch.as_mut_slice()[i] = kept * (1.0 + PRECISION);
            noise += (value(t, &self.scratch) - here).abs();
            self.scratch.as_mut_slice()[i] = kept;
        }
        noise
    }

    /// Refines a root of the dense output of a step of length `h` with steps of the method itself, and leaves the state there in
    /// `self.state`. Returns the fraction of the step.
    pub(super) fn refine<M: Method<S>>(&mut self, method: &mut M, h: f64, root: &Root) -> f64 {
        let (system, mode, t) = (self.system, self.mode, self.t);
        if root.theta == 0.0 {
            self.state.clone_from(method.start());
            return 0.0;
        }
        // smallest change of the fraction that time can resolve
        let resolution = f64::EPSILON * (t.abs() / h + root.theta);
        let on_dense = method.locates_events();
        let (mut theta, mut slope) = (root.theta, root.slope);
        let mut best: Option<(f64, f64)> = None;
        let mut near = false;
        for _ in 0..8 {
            if near {
                // so close to the last trial that the motion goes on along its slope there
                let step = best.map_or(0.0, |(last, _)| theta - last);
                method.rate_at(theta, &mut self.scratch);
                for (y, last) in self.scratch.as_mut_slice().iter_mut().zip(self.state.as_slice()) {
                    *y = last + step * *y;
                }
            } else if on_dense {
                method.at(theta, &mut self.scratch);
            } else {
                // a trial costs as much as a step
                self.steps += 1;
                if method.trial(system, mode, t, theta * h, &mut self.scratch).is_err() {
                    break;
                }
            }
            system.guards(mode, t + theta * h, &self.scratch, &mut self.guards);
            let value = self.guards.as_slice()[root.guard];
            if !value.is_finite() || best.is_some_and(|(_, last)| value.abs() >= last.abs()) {
                break;
            }
            if let Some((last_theta, last)) = best {
                let secant = (value - last) / (theta - last_theta);
                if secant.is_finite() && secant * slope > 0.0 {
                    slope = secant;
                }
            }
            best = Some((theta, value));
            self.state.clone_from(&self.scratch);
            let next = (theta - value / slope).clamp(0.0, 1.0);
            if value == 0.0 || near || next.is_nan() || (next - theta).abs() <= resolution {
                break;
            }
            near = (next - theta).abs() < NEAR;
            theta = next;
        }
        match best {
            Some((theta, _)) => theta,
            None => {
                method.at(root.theta, &mut self.state);
                root.theta
            }
        }
    }
}
