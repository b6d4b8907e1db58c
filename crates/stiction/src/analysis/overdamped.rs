//! The limit of a light block: relaxation oscillations on the slow manifold (elmer1997, overdamped limit).
//!
//! For M → 0 the speed v of the surface over the block follows the spring at once, on the parts of κx = `F_K(v)` that rise.
//! There it moves slowly; where a rising part ends the speed jumps at constant spring force to the next one, or to rest.
//!
//! ```text
//! dt = F_K′(v) dv / (κ (v₀ − v))          while sliding slowly
//! κ v₀ dt = dF                            while sticking
//! ```
//!
//! The cycle is followed jump by jump on the law's rising branches, so that laws with several extrema need no case of
//! their own: two extrema around v₀ give an oscillation without stick, one minimum above v₀ gives stick-slip.

use crate::keys::number_text;
use crate::law::{Aging, AgingLaw, ExtremumKind, FrictionLaw, Law};
use crate::num::quadrature::{QuadratureError, integral};
use crate::num::roots::root;

/// One slow part of a relaxation oscillation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SlowPart {
    /// The contact sticks.
    Stick {
        /// How long \[s\].
        duration: f64,
        /// Friction coefficient at which it starts and at which it releases [-].
        coefficients: (f64, f64),
    },
    /// The block slides slowly along a rising branch of the law.
    Slide {
        /// How long \[s\].
        duration: f64,
        /// Sliding speed at the start and at the end [m/s].
        speeds: (f64, f64),
    },
}

impl SlowPart {
    /// How long the part takes \[s\].
    pub fn duration(&self) -> f64 {
        match self {
            SlowPart::Stick { duration, .. } | SlowPart::Slide { duration, .. } => *duration,
        }
    }
}

/// A relaxation oscillation in the limit of zero mass.
#[derive(Debug, Clone, PartialEq)]
pub struct Relaxation {
    /// Period T₀ \[s\]: jumps take no time.
    pub period: f64,
    /// Its slow parts in order.
    pub parts: Vec<SlowPart>,
}

impl Relaxation {
    /// Whether the oscillation sticks.
    pub fn sticks(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, SlowPart::Stick { .. }))
    }
}

/// Why there is no relaxation oscillation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RelaxationError {
    /// A parameter is outside its range.
    #[error("{name} is {}, but must be finite and > 0", number_text(*value))]
    Parameter {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Friction does not fall at the drive speed.
    #[error(
        "no relaxation oscillation: friction does not fall with speed at the drive speed {} m/s (slope {slope:e} s/m)",
        number_text(*drive_speed)
    )]
    Stable {
        /// Drive speed [m/s].
        drive_speed: f64,
        /// Slope of the kinetic coefficient there [s/m].
        slope: f64,
    },
    /// The motion ends in steady sliding.
    #[error("no relaxation oscillation: the motion settles at the drive speed {} m/s", number_text(*drive_speed))]
    Settles {
        /// Drive speed [m/s].
        drive_speed: f64,
    },
    /// Friction never again reaches the value from which the speed jumps up.
    #[error(
        "after the jump at the coefficient {coefficient} the speed grows without limit: the law does not rise to it again"
    )]
    RunsAway {
        /// Kinetic coefficient at the jump [-].
        coefficient: f64,
    },
    /// The contact never releases.
    #[error("the contact that sticks at the coefficient {coefficient} never releases")]
    NeverReleases {
        /// Friction coefficient at the start of the stick [-].
        coefficient: f64,
    },
    /// The cycle did not close.
    #[error("the motion did not close after {parts} slow parts")]
    NotClosed {
        /// Slow parts followed.
        parts: usize,
    },
    /// A slow part could not be integrated.
    #[error("the duration of a slow part was not found: {0}")]
    Duration(#[from] QuadratureError),
}

/// The light block whose oscillation is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LightBlock<'a> {
    /// Friction law.
    pub law: &'a Law,
    /// How the static coefficient grows with the time at rest, if it does.
    pub aging: Option<&'a Aging>,
    /// Stiffness κ [N/m], > 0.
    pub stiffness: f64,
    /// Normal load \[N\], > 0.
    pub normal_load: f64,
    /// Drive speed v₀ [m/s], > 0.
    pub drive_speed: f64,
}

/// A rising branch of the law: from a minimum (or rest) to a maximum (or without end).
#[derive(Debug, Clone, Copy)]
struct Branch {
    from: f64,
    to: f64,
    bottom: f64,
    top: f64,
}

/// Slow parts after which a cycle that has not closed is given up. Each branch is visited at most once per cycle.
const MAX_PARTS: usize = 64;

impl LightBlock<'_> {
    /// The relaxation oscillation in the limit of zero mass, with its period.
    ///
    /// # Errors
    /// [`RelaxationError`] where the law and the drive speed allow none.
    pub fn relaxation(&self) -> Result<Relaxation, RelaxationError> {
        for (name, value) in
            [("stiffness", self.stiffness), ("normal_load", self.normal_load), ("drive_speed", self.drive_speed)]
        {
            if !(value.is_finite() && value > 0.0) {
                return Err(RelaxationError::Parameter { name, value });
            }
        }
        let (coefficient, slope) = self.law.kinetic_with_slope(self.drive_speed);
        if slope.is_nan() || slope >= 0.0 {
            return Err(RelaxationError::Stable { drive_speed: self.drive_speed, slope });
        }
        let branches = self.rising_branches();

        // from the unstable steady sliding upward, to the branch beyond, and on until a jump down repeats
        let mut parts = Vec::new();
        let mut starts: Vec<(f64, usize)> = Vec::new();
        let mut speed = self.jump_up(&branches, self.drive_speed, coefficient)?;
        loop {
            let arrival = self.slide_down(&branches, speed, &mut parts)?;
            // a cycle has closed when a jump down starts where one has started before
            if let Some(&(_, first)) = starts.iter().find(|(known, _)| *known == arrival) {
                let cycle = parts.split_off(first);
                return Ok(Relaxation { period: cycle.iter().map(SlowPart::duration).sum(), parts: cycle });
            }
            starts.push((arrival, parts.len()));
            speed = self.rise_again(&branches, arrival, &mut parts)?;
            if parts.len() > MAX_PARTS {
                return Err(RelaxationError::NotClosed { parts: parts.len() });
            }
        }
    }

    fn rising_branches(&self) -> Vec<Branch> {
        let fastest = self.law.fastest_feature().max(1e3 * self.drive_speed);
        let mut branches = Vec::new();
        let mut from = Some(0.0).filter(|_| self.law.kinetic_with_slope(0.0).1 > 0.0);
        for extremum in self.law.extrema(fastest) {
            match (extremum.kind, from) {
                (ExtremumKind::Maximum, Some(start)) => {
                    branches.push((start, extremum.speed));
                    from = None;
                }
                (ExtremumKind::Minimum, None) => from = Some(extremum.speed),
                _ => {}
            }
        }
        branches.extend(from.map(|start| (start, f64::INFINITY)));
        let level = |speed: f64| if speed.is_finite() { self.law.kinetic(speed) } else { f64::INFINITY };
        branches.into_iter().map(|(from, to)| Branch { from, to, bottom: level(from), top: level(to) }).collect()
    }

    /// The speed on the first rising branch above `speed` at which friction is `coefficient`.
    fn jump_up(&self, branches: &[Branch], speed: f64, coefficient: f64) -> Result<f64, RelaxationError> {
        let runs_away = RelaxationError::RunsAway { coefficient };
        let above = branches.iter().find(|branch| branch.to > speed && branch.top > coefficient);
        let branch = above.ok_or(runs_away.clone())?;
        if branch.bottom >= coefficient {
            return Ok(branch.from.max(speed));
        }
        let mut to = branch.to;
        if to.is_infinite() {
            // the last branch has no end: go out until friction is large enough
            to = 2.0 * branch.from.max(speed).max(f64::MIN_POSITIVE);
            while to.is_finite() && self.law.kinetic(to) < coefficient {
                to *= 2.0;
            }
        }
        root(branch.from, to, |v| self.law.kinetic(v) - coefficient).map_err(|_| runs_away)
    }

    /// Slides from `speed` > v₀ down to the minimum at the lower end of its branch, and gives its speed.
    fn slide_down(&self, branches: &[Branch], speed: f64, parts: &mut Vec<SlowPart>) -> Result<f64, RelaxationError> {
        let settles = RelaxationError::Settles { drive_speed: self.drive_speed };
        let branch =
            branches.iter().find(|branch| branch.from <= speed && speed <= branch.to).ok_or(settles.clone())?;
        if branch.from <= self.drive_speed {
            return Err(settles);
        }
        parts.push(self.slide(speed, branch.from)?);
        Ok(branch.from)
    }

    /// Jumps down from the minimum at `speed`, and follows slow parts below v₀ until a jump up passes v₀; gives the speed
    /// after it.
    fn rise_again(&self, branches: &[Branch], speed: f64, parts: &mut Vec<SlowPart>) -> Result<f64, RelaxationError> {
        let coefficient = self.law.kinetic(speed);
        // the highest rising branch below that reaches down to the coefficient; else the block comes to rest
        let below = branches.iter().rev().find(|b| b.to < speed && b.bottom < coefficient && coefficient <= b.top);
        let mut speed = match below {
            Some(branch) => {
                let found = root(branch.from, branch.to, |v| self.law.kinetic(v) - coefficient);
                found.map_err(|_| RelaxationError::Settles { drive_speed: self.drive_speed })?
            }
            None => {
                let (part, released) = self.stick(coefficient)?;
                parts.push(part);
                self.jump_up(branches, 0.0, released)?
            }
        };
        while speed < self.drive_speed {
            let settles = RelaxationError::Settles { drive_speed: self.drive_speed };
            let branch = branches.iter().find(|b| b.from <= speed && speed <= b.to).ok_or(settles.clone())?;
            if branch.to >= self.drive_speed {
                return Err(settles);
            }
            parts.push(self.slide(speed, branch.to)?);
            speed = self.jump_up(branches, branch.to, branch.top)?;
            if parts.len() > MAX_PARTS {
                return Err(RelaxationError::NotClosed { parts: parts.len() });
            }
        }
        Ok(speed)
    }

    fn stick(&self, from: f64) -> Result<(SlowPart, f64), RelaxationError> {
        let loading_rate = self.stiffness * self.drive_speed / self.normal_load;
        let margin = self.law.static_coefficient() - from;
        let (duration, released) = match self.aging {
            None => (margin / loading_rate, self.law.static_coefficient()),
            Some(aging) => {
                let held = aging.holding_time(margin.max(0.0), loading_rate);
                let duration = held.ok_or(RelaxationError::NeverReleases { coefficient: from })?;
                (duration, self.law.static_coefficient() + aging.growth(duration))
            }
        };
        Ok((SlowPart::Stick { duration: duration.max(0.0), coefficients: (from, released) }, released))
    }

    fn slide(&self, from: f64, to: f64) -> Result<SlowPart, RelaxationError> {
        let scale = self.normal_load / self.stiffness;
        let rate = |speed: f64| scale * self.law.kinetic_with_slope(speed).1 / (self.drive_speed - speed);
        Ok(SlowPart::Slide { duration: integral(from, to, rate)?.value, speeds: (from, to) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Coulomb, Cubic, Stribeck, TwoSlope};
    use crate::num::real::{exp, ln};

    fn block(law: &Law, drive_speed: f64) -> LightBlock<'_> {
        LightBlock { law, aging: None, stiffness: 1.0, normal_load: 1.0, drive_speed }
    }

    #[test]
    fn a_cubic_law_has_the_period_of_the_van_der_pol_relaxation() {
        // slope (u² − 1)/2 about v₀ = 3: jumps from u = ∓1 to u = ±2; ∫ F′ dv/(v₀ − v) over u from 2 to 1 is
        // ∫₁² (u² − 1)/(2u) du = 3/4 − ln 2/2, and twice that by symmetry
        let law =
            Law::Cubic(Cubic { value: 5.0, f1: -0.5, f2: 0.0, f3: 1.0, speed: 3.0, static_coefficient: Some(9.0) });
        let relaxation = block(&law, 3.0).relaxation().unwrap();
        assert!((relaxation.period - (1.5 - ln(2.0))).abs() < 1e-12, "{}", relaxation.period);
        assert!(!relaxation.sticks() && relaxation.parts.len() == 2);
        // stiffness and load scale it
        let scaled = LightBlock { stiffness: 4.0, normal_load: 2.0, ..block(&law, 3.0) }.relaxation().unwrap();
        assert!((scaled.period - 0.5 * relaxation.period).abs() < 1e-13);
    }

    #[test]
    fn a_law_with_one_minimum_sticks_and_slips() {
        let stribeck = Stribeck {
            static_coefficient: 1.0,
            kinetic_coefficient: 0.4,
            stribeck_speed: 0.2,
            exponent: 1.0,
            viscous: 0.3,
        };
        let law = Law::Stribeck(stribeck);
        let relaxation = block(&law, 0.1).relaxation().unwrap();
        assert!(relaxation.sticks() && relaxation.parts.len() == 2);
        let lowest = law.extrema(10.0)[0];
        let stick = (1.0 - lowest.value) / 0.1;
        // F(v_R) = F_S on the viscous side: 0.6 e^(−5v) + 0.3 v = 0.6
        let top = root(1.0, 3.0, |v| 0.6 * exp(-5.0 * v) + 0.3 * v - 0.6).unwrap();
        // by the trapezoid rule with Richardson's extrapolation, as a second method
        let slide = |n: u32| {
            let rate = |v: f64| law.kinetic_with_slope(v).1 / (v - 0.1);
            let h = (top - lowest.speed) / f64::from(n);
            h * ((1..n).map(|k| rate(lowest.speed + h * f64::from(k))).sum::<f64>()
                + 0.5 * (rate(lowest.speed) + rate(top)))
        };
        let expected = stick + (4.0 * slide(4096) - slide(2048)) / 3.0;
        assert!((relaxation.period / expected - 1.0).abs() < 1e-11, "{} {expected}", relaxation.period);
    }

    #[test]
    fn the_two_slope_law_oscillates_between_its_extrema_only() {
        let law = Law::TwoSlope(TwoSlope {
            static_coefficient: 1.0,
            low_speed_slope: 3.0,
            high_speed_slope: 0.1,
            crossover_speed: 0.2,
            crossover_width: 0.05,
        });
        let extrema = law.extrema(law.fastest_feature());
        let relaxation = block(&law, 0.25).relaxation().unwrap();
        // T₀ by 30-digit arithmetic
        assert!((relaxation.period / 2.345610886738422 - 1.0).abs() < 1e-12, "{}", relaxation.period);
        let [SlowPart::Slide { speeds: low, .. }, SlowPart::Slide { speeds: high, .. }] = relaxation.parts[..] else {
            panic!("two slides")
        };
        assert!(low.0 < low.1 && low.1 == extrema[0].speed && high.0 > high.1 && high.1 == extrema[1].speed);
        for outside in [0.9 * extrema[0].speed, 1.1 * extrema[1].speed] {
            assert!(matches!(block(&law, outside).relaxation(), Err(RelaxationError::Stable { .. })));
        }
    }

    #[test]
    fn laws_without_a_way_back_say_so() {
        let constant = Law::Coulomb(Coulomb { static_coefficient: 1.0, kinetic_coefficient: 0.5 });
        assert!(matches!(block(&constant, 1.0).relaxation(), Err(RelaxationError::Stable { .. })));
        let falling = Law::Stribeck(Stribeck {
            static_coefficient: 1.0,
            kinetic_coefficient: 0.4,
            stribeck_speed: 0.2,
            exponent: 1.0,
            viscous: 0.0,
        });
        assert!(matches!(block(&falling, 0.1).relaxation(), Err(RelaxationError::RunsAway { .. })));
        assert!(matches!(block(&falling, -1.0).relaxation(), Err(RelaxationError::Parameter { .. })));
    }
}
