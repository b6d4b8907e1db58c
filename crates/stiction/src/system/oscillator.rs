//! The damped harmonic oscillator in closed form: a slip under constant or linear kinetic friction.
//!
//! ```text
//! ü + 2β u̇ + ω₀² u = 0,   u = x − centre
//! ```

use crate::num::{real, roots};

/// An oscillator and its state at time zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Oscillator {
    centre: f64,
    /// β [1/s], >= 0.
    decay: f64,
    /// ω₀² [1/s²], > 0.
    stiffness: f64,
    /// Elongation from the centre at time zero \[m\].
    u: f64,
    /// Velocity at time zero [m/s].
    v: f64,
}

/// Which function of the motion is asked for zeros.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rate {
    /// The velocity: turning points.
    Velocity,
    /// The acceleration: extrema of the velocity.
    Acceleration,
}

impl Oscillator {
    pub(crate) fn new(centre: f64, decay: f64, stiffness: f64, x: f64, v: f64) -> Self {
        Self { centre, decay, stiffness, u: x - centre, v }
    }

    /// The same motion seen in a mirror.
    pub(crate) fn mirrored(&self) -> Self {
        Self { centre: -self.centre, u: -self.u, v: -self.v, ..*self }
    }

    /// cos and sin(ωt)/ω, or their hyperbolic or limiting counterparts, without the factor exp(−βt).
    fn waves(&self, t: f64) -> (f64, f64) {
        let discriminant = self.stiffness - self.decay * self.decay;
        if discriminant > 0.0 {
            let omega = discriminant.sqrt();
            (real::cos(omega * t), real::sin(omega * t) / omega)
        } else if discriminant < 0.0 {
            let rate = (-discriminant).sqrt();
            (real::cosh(rate * t), real::sinh(rate * t) / rate)
        } else {
            (1.0, t)
        }
    }

    /// Displacement and velocity at time `t`.
    pub(crate) fn at(&self, t: f64) -> (f64, f64) {
        let discriminant = self.stiffness - self.decay * self.decay;
        if discriminant < 0.0 {
            // two real exponentials, each bounded: cosh and sinh alone would overflow for long times
            let rate = (-discriminant).sqrt();
            let (slow, fast) = (self.stiffness / (self.decay + rate), self.decay + rate);
            // u = a e^{-slow t} + b e^{-fast t}
            let a = (self.v + fast * self.u) / (2.0 * rate);
            let b = self.u - a;
            let (slow_part, fast_part) = (a * real::exp(-slow * t), b * real::exp(-fast * t));
            return (self.centre + slow_part + fast_part, -slow * slow_part - fast * fast_part);
        }
        let shrink = if self.decay == 0.0 { 1.0 } else { real::exp(-self.decay * t) };
        let (c, s) = self.waves(t);
        let u = shrink * (self.u * c + (self.v + self.decay * self.u) * s);
        let v = shrink * (self.v * c - (self.decay * self.v + self.stiffness * self.u) * s);
        (self.centre + u, v)
    }

    /// Coefficients (A, B) of `rate = exp(−βt) (A cos ωt + B sin(ωt)/ω)`.
    fn coefficients(&self, rate: Rate) -> (f64, f64) {
        let acceleration = -2.0 * self.decay * self.v - self.stiffness * self.u;
        match rate {
            Rate::Velocity => (self.v, -self.decay * self.v - self.stiffness * self.u),
            Rate::Acceleration => (acceleration, -self.decay * acceleration - self.stiffness * self.v),
        }
    }

    /// First zero of `rate` strictly after time `after`, and whether the rate rises there.
    pub(crate) fn next_zero(&self, rate: Rate, after: f64) -> Option<(f64, bool)> {
        let (a, b) = self.coefficients(rate);
        let discriminant = self.stiffness - self.decay * self.decay;
        if a == 0.0 && b == 0.0 {
            return None;
        }
        if discriminant > 0.0 {
            // A cos φ + B/ω sin φ = R cos(φ − δ): zeros at δ + π/2 + k π
            let omega = discriminant.sqrt();
            // seen with A >= 0, so that a motion and its mirror image have the same zeros to the last bit
            let mirrored = a < 0.0 || a == 0.0 && b < 0.0;
            let (a, b) = if mirrored { (-a, -b) } else { (a, b) };
            let first = real::atan2(b / omega, a) + std::f64::consts::FRAC_PI_2;
            let mut k = ((omega * after - first) / std::f64::consts::PI).floor();
            // the next root is one of the first two candidates, or the third if rounding hides one
            for _ in 0..3 {
                let t = (first + k * std::f64::consts::PI) / omega;
                // a root at `after` itself, up to rounding, is not a new one
                if t > after && omega * (t - after) > 1e-12 * (1.0 + omega * after.abs()) {
                    // at δ + π/2 the cosine falls; every half turn it changes
                    let falls = k.rem_euclid(2.0) == 0.0;
                    return Some((t, falls == mirrored));
                }
                k += 1.0;
            }
            // only where a number is not finite or time has no digits left
            return None;
        }
        // A c(t) + B s(t) = 0 has at most one solution
        let t = if discriminant < 0.0 {
            let rate = (-discriminant).sqrt();
            let tangent = -a * rate / b;
            if tangent.abs() < 1.0 { real::atanh(tangent) / rate } else { return None }
        } else {
            -a / b
        };
        (t.is_finite() && t > after && t - after > 1e-13 * t).then_some((t, b > 0.0))
    }

    /// First time `t > 0` at which the velocity rises through `level`; the motion starts with the velocity at or below it.
    pub(crate) fn first_rise(&self, level: f64) -> Option<f64> {
        if self.decay == 0.0 {
            return self.first_undamped_rise(level);
        }
        let velocity = |t: f64| self.at(t).1 - level;
        // between two extrema of the velocity it is monotonic; after the first maximum it stays below that maximum
        let mut low = 0.0;
        for _ in 0..3 {
            match self.next_zero(Rate::Acceleration, low) {
                Some((high, rising)) => {
                    if !rising && velocity(high) >= 0.0 {
                        return roots::root(low, high, velocity).ok();
                    }
                    if !rising && level > 0.0 {
                        return None;
                    }
                    low = high;
                }
                None => break,
            }
        }
        // no further extremum: the velocity goes monotonically to zero
        if level < 0.0 && velocity(low) < 0.0 {
            let mut high = low + 1.0 / self.decay;
            for _ in 0..1100 {
                if velocity(high) >= 0.0 {
                    return roots::root(low, high, velocity).ok();
                }
                high = low + 2.0 * (high - low);
            }
        }
        None
    }

    fn first_undamped_rise(&self, level: f64) -> Option<f64> {
        let omega = self.stiffness.sqrt();
        let (a, b) = (self.v, -omega * self.u);
        // v = R cos(ωt − δ); R² − level² without cancellation where the motion starts on the level
        let excess = (a - level) * (a + level) + b * b;
        if excess < 0.0 || (a == 0.0 && b == 0.0) {
            return None;
        }
        let opening = real::atan2(excess.sqrt(), level);
        let mut phase = real::atan2(b, a) - opening;
        let turn = std::f64::consts::TAU;
        phase = phase.rem_euclid(turn);
        // the start itself, up to rounding, is not a new contact
        if phase <= 1e-13 || phase >= turn - 1e-13 {
            phase = turn;
        }
        Some(phase / omega)
    }
}
