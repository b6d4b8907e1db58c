//! The uniform belt in closed form: the classical block on a belt with a static and a kinetic coefficient.
//!
//! ```text
//! x_s = μ_s m g/k     x_k = κ x_s     δ = x_s − x_k     ω = √(k/m)     A = √(δ² + (v_b/ω)²)
//! slip    x(t) = x_k + δ cos ωt + (v_b/ω) sin ωt         from the breakaway at x_s to the landing at 2 x_k − x_s
//! stick   x(t) = x_land + v_b t                          2δ/v_b long
//! ```
//! The spring at the landing point never pulls more than static friction holds. With κ < 1/3 it pulls more than kinetic friction: a disc
//! that sticks within the kinetic limit only overtakes the belt there, and this cycle does not exist.

use crate::Problem;
use crate::analysis::AnalysisError;
use crate::num::real::{asin, atan, atan2, cos, hypot, sin};
use crate::system::ContactPolicy;
use std::f64::consts::PI;

/// Smallest ratio of kinetic and static friction [-] for which the cycle has its closed form under the kinetic limit.
pub(crate) const SMALLEST_KINETIC_RATIO: f64 = 1.0 / 3.0;

/// A disc on a belt whose coefficient is the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformBelt {
    mass: f64,
    stiffness: f64,
    belt_speed: f64,
    gravity: f64,
    static_coefficient: f64,
    kinetic_ratio: f64,
    contact_policy: ContactPolicy,
}

/// How a run of the uniform belt starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UniformStart {
    /// At x = 0 without velocity: slip.
    #[default]
    Rest,
    /// At x = 0 with the velocity of the belt: stick.
    Stuck,
}

/// The stick-slip cycle that every motion with a landing settles on at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformCycle {
    /// Duration of a stick \[s\].
    pub stick_time: f64,
    /// Duration of a slip \[s\].
    pub slip_time: f64,
    /// Breakaway to breakaway \[s\].
    pub period: f64,
    /// Largest displacement \[m\].
    pub max_displacement: f64,
    /// Smallest displacement \[m\].
    pub min_displacement: f64,
    /// Displacement at breakaway \[m\].
    pub breakaway_displacement: f64,
    /// Displacement at landing \[m\].
    pub landing_displacement: f64,
    /// Largest minus smallest displacement \[m\].
    pub peak_to_valley_displacement: f64,
    /// Largest minus smallest friction force \[N\].
    pub peak_to_valley_force: f64,
    /// Stick time over period [-].
    pub stick_fraction: f64,
    /// From breakaway to the turning point that follows \[s\].
    pub first_turning_time: f64,
    /// From breakaway to the second turning point \[s\].
    pub second_turning_time: f64,
    /// Energy that friction takes in a period \[J\].
    pub dissipation: f64,
}

/// The first landing and the first breakaway of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformTransient {
    /// When the disc first sticks \[s\].
    pub landing_time: f64,
    /// Where \[m\].
    pub landing_displacement: f64,
    /// When it first breaks away \[s\].
    pub breakaway_time: f64,
}

/// The motion at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformSample {
    /// Whether the disc sticks.
    pub sticks: bool,
    /// Displacement \[m\].
    pub displacement: f64,
    /// Velocity [m/s].
    pub velocity: f64,
    /// Friction force on the disc \[N\].
    pub force: f64,
}

impl UniformBelt {
    /// A uniform belt; the arguments are mass \[kg\], stiffness [N/m], belt speed [m/s] (of either sign), gravity [m/s²], static
    /// coefficient [-] and kinetic ratio [-].
    ///
    /// # Errors
    /// [`Problem`] names the first parameter that is out of its range.
    pub fn new(
        mass: f64,
        stiffness: f64,
        belt_speed: f64,
        gravity: f64,
        static_coefficient: f64,
        kinetic_ratio: f64,
    ) -> Result<Self, Problem> {
        for (key, value) in [
            ("mass", mass),
            ("stiffness", stiffness),
            ("gravity", gravity),
            ("static_coefficient", static_coefficient),
            ("kinetic_ratio", kinetic_ratio),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(Problem::new(key, format!("is {value}, but must be a finite number > 0")));
            }
        }
        if kinetic_ratio > 1.0 {
            return Err(Problem::new("kinetic_ratio", format!("is {kinetic_ratio}, but must be at most 1")));
        }
        if !belt_speed.is_finite() || belt_speed == 0.0 {
            let message =
                format!("is {belt_speed}, but must be a finite number other than 0: a belt at rest has no cycle");
            return Err(Problem::new("belt_speed", message));
        }
        let contact_policy = ContactPolicy::default();
        let belt = Self { mass, stiffness, belt_speed, gravity, static_coefficient, kinetic_ratio, contact_policy };
        let scales = [belt.static_displacement(), belt.static_displacement() * stiffness, belt.angular_frequency()];
        if scales.iter().any(|scale| !(scale.is_finite() && *scale > 0.0)) {
            let message = "mass, stiffness, gravity and coefficient together leave the range of numbers";
            return Err(Problem::new("stiffness", message.to_owned()));
        }
        Ok(belt)
    }

    /// The same belt with another static coefficient [-]; out of its range it stays as it is.
    #[must_use]
    pub fn with_coefficient(self, static_coefficient: f64) -> Self {
        let fits = static_coefficient.is_finite() && static_coefficient > 0.0;
        Self { static_coefficient: if fits { static_coefficient } else { self.static_coefficient }, ..self }
    }

    /// The same belt with another rule of sticking.
    #[must_use]
    pub fn with_policy(self, contact_policy: ContactPolicy) -> Self {
        Self { contact_policy, ..self }
    }

    /// Static coefficient [-].
    pub fn static_coefficient(&self) -> f64 {
        self.static_coefficient
    }

    /// Speed of the belt without its sign [m/s].
    pub(crate) fn speed(&self) -> f64 {
        self.belt_speed.abs()
    }

    /// ω = √(k/m) [rad/s].
    pub(crate) fn angular_frequency(&self) -> f64 {
        (self.stiffness / self.mass).sqrt()
    }

    /// x_s = μ_s m g/k \[m\].
    pub(crate) fn static_displacement(&self) -> f64 {
        self.static_coefficient * self.mass * self.gravity / self.stiffness
    }

    /// x_k = κ x_s \[m\].
    pub(crate) fn kinetic_displacement(&self) -> f64 {
        self.kinetic_ratio * self.static_displacement()
    }

    /// δ = x_s − x_k \[m\].
    pub(crate) fn drop(&self) -> f64 {
        (1.0 - self.kinetic_ratio) * self.static_displacement()
    }

    /// The coefficient [-] below which a start at rest never lands: x_k ω = v_b.
    pub(crate) fn landing_coefficient(&self) -> f64 {
        let per_coefficient = self.kinetic_displacement() / self.static_coefficient;
        self.speed() / (per_coefficient * self.angular_frequency())
    }

    /// The stick-slip cycle.
    ///
    /// # Errors
    /// If κ < 1/3 and the contact sticks within the kinetic limit only: then the motion has no closed form.
    pub fn cycle(&self) -> Result<UniformCycle, AnalysisError> {
        if self.contact_policy == ContactPolicy::Kinetic && self.kinetic_ratio < SMALLEST_KINETIC_RATIO {
            let message = format!(
                "is {}, below 1/3: within the kinetic limit alone the disc does not stick after a slip but overtakes the belt, and \
                 the cycle has no closed form; simulate it",
                self.kinetic_ratio
            );
            return Err(AnalysisError::unsuitable("kinetic_ratio", message));
        }
        Ok(self.formal_cycle())
    }

    /// The formulas of the cycle, whatever κ and rule.
    pub(super) fn formal_cycle(&self) -> UniformCycle {
        let (omega, speed) = (self.angular_frequency(), self.speed());
        let (x_s, x_k, drop) = (self.static_displacement(), self.kinetic_displacement(), self.drop());
        let amplitude = hypot(drop, speed / omega);
        let stick_time = 2.0 * drop / speed;
        let slip_time = 2.0 / omega * (PI - atan(omega * drop / speed));
        let period = stick_time + slip_time;
        let first_turning_time = atan2(speed / omega, drop) / omega;
        // a belt that runs the other way has the mirrored motion
        let (max, min, sign) = if self.belt_speed > 0.0 {
            (x_k + amplitude, x_k - amplitude, 1.0)
        } else {
            (amplitude - x_k, -x_k - amplitude, -1.0)
        };
        UniformCycle {
            stick_time,
            slip_time,
            period,
            max_displacement: max,
            min_displacement: min,
            breakaway_displacement: sign * x_s,
            landing_displacement: sign * (x_k - drop),
            peak_to_valley_displacement: 2.0 * amplitude,
            peak_to_valley_force: 2.0 * self.stiffness * drop,
            stick_fraction: stick_time / period,
            first_turning_time,
            second_turning_time: first_turning_time + PI / omega,
            dissipation: self.stiffness * x_k * speed * period,
        }
    }

    /// The first landing and breakaway; none if the disc never lands (a start at rest on a fast belt).
    pub fn transient(&self, start: UniformStart) -> Option<UniformTransient> {
        let (omega, speed) = (self.angular_frequency(), self.speed());
        let (x_s, x_k) = (self.static_displacement(), self.kinetic_displacement());
        let sign = self.belt_speed.signum();
        match start {
            UniformStart::Stuck => {
                Some(UniformTransient { landing_time: 0.0, landing_displacement: 0.0, breakaway_time: x_s / speed })
            }
            UniformStart::Rest => {
                let sine = speed / (x_k * omega);
                if sine > 1.0 {
                    return None;
                }
                let landing_time = asin(sine) / omega;
                // 1 − cos = sin²/(1 + cos) keeps its digits
                let landed = x_k * sine * sine / (1.0 + ((1.0 - sine) * (1.0 + sine)).sqrt());
                let breakaway_time = landing_time + (x_s - landed) / speed;
                Some(UniformTransient { landing_time, landing_displacement: sign * landed, breakaway_time })
            }
        }
    }

    /// Stick time within [0, `duration`] over the duration [-], the first stick included.
    ///
    /// # Errors
    /// As [`UniformBelt::cycle`].
    pub fn raw_stick_fraction(&self, start: UniformStart, duration: f64) -> Result<f64, AnalysisError> {
        self.cycle()?;
        Ok(self.formal_raw_fraction(start, duration))
    }

    pub(super) fn formal_raw_fraction(&self, start: UniformStart, duration: f64) -> f64 {
        let Some(first) = self.transient(start) else { return 0.0 };
        let cycle = self.formal_cycle();
        let stuck = if duration <= first.breakaway_time {
            (duration - first.landing_time).max(0.0)
        } else {
            let since = duration - first.breakaway_time;
            let cycles = (since / cycle.period).floor();
            let rest = since - cycles * cycle.period;
            first.breakaway_time - first.landing_time
                + cycles * cycle.stick_time
                + (rest - cycle.slip_time).clamp(0.0, cycle.stick_time)
        };
        stuck / duration
    }

    /// The motion at a time ≥ 0 \[s\] after the start.
    ///
    /// # Errors
    /// As [`UniformBelt::cycle`].
    pub fn at(&self, start: UniformStart, time: f64) -> Result<UniformSample, AnalysisError> {
        let cycle = self.cycle()?;
        let (omega, speed) = (self.angular_frequency(), self.speed());
        let (x_k, drop) = (self.kinetic_displacement(), self.drop());
        let sample = match self.transient(start) {
            Some(first) if time >= first.breakaway_time => {
                let since = time - first.breakaway_time;
                let phase = since - (since / cycle.period).floor() * cycle.period;
                if phase < cycle.slip_time {
                    let (c, s) = (cos(omega * phase), sin(omega * phase));
                    self.slipping(x_k + drop * c + speed / omega * s, speed * c - drop * omega * s)
                } else {
                    self.sticking(x_k - drop + speed * (phase - cycle.slip_time))
                }
            }
            Some(first) if time >= first.landing_time => {
                self.sticking(first.landing_displacement.abs() + speed * (time - first.landing_time))
            }
            _ => {
                let half = sin(0.5 * omega * time);
                self.slipping(2.0 * x_k * half * half, x_k * omega * sin(omega * time))
            }
        };
        let sign = self.belt_speed.signum();
        Ok(UniformSample {
            displacement: sign * sample.displacement,
            velocity: sign * sample.velocity,
            force: sign * sample.force,
            ..sample
        })
    }

    fn sticking(&self, displacement: f64) -> UniformSample {
        UniformSample { sticks: true, displacement, velocity: self.speed(), force: self.stiffness * displacement }
    }

    fn slipping(&self, displacement: f64, velocity: f64) -> UniformSample {
        UniformSample { sticks: false, displacement, velocity, force: self.stiffness * self.kinetic_displacement() }
    }

    /// Mean of the displacement over the cycle \[m\], and the amplitudes \[m\] of its first `count` harmonics: x = mean + Σ aₙ
    /// cos(2πn t/period + phase).
    ///
    /// # Errors
    /// As [`UniformBelt::cycle`].
    pub fn harmonics(&self, count: usize) -> Result<(f64, Vec<f64>), AnalysisError> {
        let cycle = self.cycle()?;
        let (omega, speed) = (self.angular_frequency(), self.speed());
        let (x_k, drop) = (self.kinetic_displacement(), self.drop());
        let slip = cycle.slip_time;
        let along_slip =
            x_k * slip + drop / omega * sin(omega * slip) + speed / (omega * omega) * (1.0 - cos(omega * slip));
        let mean = (along_slip + cycle.stick_time * x_k) / cycle.period;
        // x and x' are continuous, so that −n²Ω² cₙ is the coefficient of x'', which is ω²(x_k − x) in slip and 0 in stick
        let amplitude = |n: usize| {
            let nu = 2.0 * PI * n as f64 / cycle.period;
            // ∫ exp(iat) from 0 to the end of the slip
            let wave = |a: f64| {
                let half = 0.5 * a * slip;
                let size = if half.abs() < 1e-4 { 1.0 - half * half / 6.0 } else { sin(half) / half };
                [slip * size * cos(half), slip * size * sin(half)]
            };
            let ([up_re, up_im], [down_re, down_im]) = (wave(omega - nu), wave(-omega - nu));
            let (c, s) = (0.5 * drop, 0.5 * speed / omega);
            let re = c * (up_re + down_re) + s * (up_im - down_im);
            let im = c * (up_im + down_im) - s * (up_re - down_re);
            2.0 * omega * omega / (nu * nu) * hypot(re, im) / cycle.period
        };
        Ok((self.belt_speed.signum() * mean, (1..=count).map(amplitude).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_1() -> UniformBelt {
        UniformBelt::new(10.0, 30.0, 0.2, 9.81, 0.5, 0.9).unwrap()
    }

    #[test]
    fn the_motion_is_continuous_and_repeats() {
        let belt = table_1();
        let cycle = belt.cycle().unwrap();
        for start in [UniformStart::Rest, UniformStart::Stuck] {
            let first = belt.transient(start).unwrap();
            for time in [first.landing_time, first.breakaway_time, first.breakaway_time + cycle.slip_time] {
                let (before, after) = (belt.at(start, time - 1e-9), belt.at(start, time + 1e-9));
                let (before, after) = (before.unwrap(), after.unwrap());
                assert!(
                    (before.displacement - after.displacement).abs() < 1e-8 && before.sticks != after.sticks
                        || time == 0.0
                );
            }
            let (one, later) = (belt.at(start, 20.0).unwrap(), belt.at(start, 20.0 + 3.0 * cycle.period).unwrap());
            assert!((one.displacement - later.displacement).abs() < 1e-12);
        }
    }

    #[test]
    fn a_belt_that_runs_backwards_has_the_mirrored_motion() {
        let (one, other) = (table_1(), UniformBelt::new(10.0, 30.0, -0.2, 9.81, 0.5, 0.9).unwrap());
        let (forward, backward) = (one.cycle().unwrap(), other.cycle().unwrap());
        assert_eq!(forward.max_displacement, -backward.min_displacement);
        assert_eq!(forward.period, backward.period);
        let samples = (one.at(UniformStart::Rest, 7.7).unwrap(), other.at(UniformStart::Rest, 7.7).unwrap());
        assert_eq!(samples.0.displacement, -samples.1.displacement);
        assert_eq!(samples.0.force, -samples.1.force);
    }

    #[test]
    fn below_a_third_the_kinetic_limit_has_no_closed_cycle() {
        let belt = UniformBelt::new(10.0, 30.0, 0.2, 9.81, 0.5, 0.33).unwrap();
        assert!(belt.cycle().is_ok() && belt.harmonics(3).is_ok());
        let belt = belt.with_policy(ContactPolicy::Kinetic);
        assert!(belt.cycle().is_err() && belt.harmonics(3).is_err());
        assert!(UniformBelt::new(10.0, 30.0, 0.0, 9.81, 0.5, 0.9).is_err());
        assert!(UniformBelt::new(10.0, 30.0, 0.2, 9.81, 0.5, 1.1).is_err());
    }

    #[test]
    fn a_fast_belt_never_catches_a_disc_at_rest() {
        let belt = UniformBelt::new(10.0, 30.0, 3.0, 9.81, 0.5, 0.9).unwrap();
        assert_eq!(belt.transient(UniformStart::Rest), None);
        assert_eq!(belt.raw_stick_fraction(UniformStart::Rest, 100.0).unwrap(), 0.0);
        assert!(belt.transient(UniformStart::Stuck).is_some());
    }
}
