//! Critical drive speeds of a block on a moving surface: above them stick-slip does not exist (elmer1997).
//!
//! Two cases have an answer without simulation: friction that grows linearly with speed, where the slip is a damped
//! oscillation ([`LinearContact`]), and constant kinetic friction with an ageing contact, where
//! the slip only reflects the block ([`aging_critical_speed`]).

use crate::law::{Aging, AgingLaw};
use crate::num::real::{cos, exp, exp_m1, pow, sin};
use crate::num::roots::{minimum, root};

/// The slip that just fails to stick again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CriticalSlip {
    /// Drive speed; in units of `(F_S − F_K0)/√(κM)` where scaled, [m/s] otherwise.
    pub speed: f64,
    /// Duration of the slip at that speed; in units of √(M/κ) where scaled, \[s\] otherwise.
    pub slip_time: f64,
}

/// The critical slip of the linear law in scaled units, for g = γ/√(κM) [-]. None for g >= 2, where no slip at any
/// speed comes back to the surface, and where g is negative or not a number. At g = 0 the speed is infinite.
///
/// The slip starts at the static limit and grazes the surface where the spring balances the friction at rest. With
/// a = g/2, w = √(1 − a²), r = a/w and the phase φ that is missing to a full turn, both conditions reduce to
///
/// ```text
/// cos φ + r sin φ = e^(−r(2π − φ)),   0 < φ < π,        [elmer1997, Eq. 2 is the limit of small g]
/// v = C/(g C + 1 − e^(−2r(2π − φ))),  C = e^(−r(2π − φ)) sin φ / w,   t = (2π − φ)/w
/// ```
///
/// Written with half angles and `expm1` every term keeps its digits for g → 0.
fn linear_critical_slip(g: f64) -> Option<CriticalSlip> {
    const PI: f64 = std::f64::consts::PI;
    if !(0.0..2.0).contains(&g) {
        return None;
    }
    if g == 0.0 {
        return Some(CriticalSlip { speed: f64::INFINITY, slip_time: 2.0 * PI });
    }
    let a = 0.5 * g;
    let w = ((1.0 - a) * (1.0 + a)).sqrt();
    let r = a / w;
    // small g: φ is small; large g: π − φ is
    let quarter = (r - exp(-1.5 * PI * r)) > 0.0;
    let (sine, turn) = if quarter {
        let balance = |psi: f64| -cos(psi) + r * sin(psi) - exp(-r * (PI + psi));
        let psi = root(0.0, 0.5 * PI, balance).ok()?;
        (sin(psi), PI + psi)
    } else {
        let balance = |phi: f64| {
            let half = sin(0.5 * phi);
            -2.0 * half * half + r * sin(phi) - exp_m1(-r * (2.0 * PI - phi))
        };
        let phi = root(0.0, 0.5 * PI, balance).ok()?;
        (sin(phi), 2.0 * PI - phi)
    };
    let c = exp(-r * turn) * sine / w;
    Some(CriticalSlip { speed: c / (g * c - exp_m1(-2.0 * r * turn)), slip_time: turn / w })
}

/// The critical speed of the linear law for small g, in scaled units: 1/√(2πg) [elmer1997, Eq. 2].
fn linear_critical_speed_leading_order(g: f64) -> f64 {
    1.0 / (2.0 * std::f64::consts::PI * g).sqrt()
}

/// A block whose kinetic friction grows linearly with speed, in forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearContact {
    /// Mass M \[kg\], > 0.
    pub mass: f64,
    /// Stiffness κ [N/m], > 0.
    pub stiffness: f64,
    /// Static friction force `F_S` \[N\].
    pub static_force: f64,
    /// Kinetic friction force `F_K0` at the onset of sliding \[N\], <= `F_S`.
    pub kinetic_force: f64,
    /// Growth γ of the kinetic force with speed [N s/m], >= 0.
    pub slope: f64,
}

impl LinearContact {
    /// g = γ/√(κM) [-]: twice the damping ratio of a slip.
    pub fn scaled_slope(&self) -> f64 {
        self.slope / (self.stiffness * self.mass).sqrt()
    }

    /// The slip at the critical speed, exactly; None where no drive speed lets the block stick again.
    pub fn critical_slip(&self) -> Option<CriticalSlip> {
        let scaled = linear_critical_slip(self.scaled_slope())?;
        Some(CriticalSlip {
            speed: scaled.speed * self.speed_unit(),
            slip_time: scaled.slip_time * (self.mass / self.stiffness).sqrt(),
        })
    }

    /// The critical speed to leading order in γ [m/s] (elmer1997, Eq. 2).
    pub fn critical_speed_leading_order(&self) -> f64 {
        linear_critical_speed_leading_order(self.scaled_slope()) * self.speed_unit()
    }

    fn speed_unit(&self) -> f64 {
        (self.static_force - self.kinetic_force) / (self.stiffness * self.mass).sqrt()
    }
}

/// The drive speed above which an ageing contact with constant kinetic friction equal to `F_S(0)` does not stick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AgingCriticalSpeed {
    /// Stick-slip ends at a finite speed.
    Finite {
        /// The critical speed [m/s].
        speed: f64,
        /// Time at rest per cycle when it is reached \[s\]: zero where stick-slip shrinks away (concave laws), finite
        /// where it ends at a finite size.
        stick_time: f64,
    },
    /// The static limit starts to grow vertically: stick-slip exists at every speed.
    Infinite,
}

/// Critical speed of an ageing contact: the supremum over t > 0 of 2 [`F_S(t)` − `F_S(0)`]/(κ t).
///
/// `stiffness` κ [N/m], `normal_load` \[N\]. For the concave laws it is reached for t → 0; for a hill law with exponent
/// p > 1 at (t/τ)ᵖ = p − 1; for a formula it is searched over times from 1e-9 s to 1e9 s.
pub fn aging_critical_speed(aging: &Aging, stiffness: f64, normal_load: f64) -> AgingCriticalSpeed {
    let per_growth = 2.0 * normal_load / stiffness;
    let at_onset = |rate: f64| {
        if rate.is_finite() {
            AgingCriticalSpeed::Finite { speed: per_growth * rate, stick_time: 0.0 }
        } else {
            AgingCriticalSpeed::Infinite
        }
    };
    match aging {
        Aging::Exponential(_) | Aging::Logarithmic(_) => at_onset(aging.growth_rate(0.0)),
        Aging::Hill(law) if law.exponent > 1.0 => {
            let p = law.exponent;
            AgingCriticalSpeed::Finite {
                speed: per_growth * law.increment / law.time_constant * pow(p - 1.0, (p - 1.0) / p) / p,
                stick_time: law.time_constant * pow(p - 1.0, 1.0 / p),
            }
        }
        Aging::Hill(_) => at_onset(aging.growth_rate(0.0)),
        Aging::Expression(_) => {
            let onset = aging.growth_rate(0.0);
            if onset.is_nan() || onset.is_infinite() {
                return AgingCriticalSpeed::Infinite;
            }
            // eight points per octave, then the best one refined between its neighbours
            let time = |k: f64| pow(2.0, k / 8.0);
            let slope = |k: f64| aging.growth(time(k)) / time(k);
            let best = (-240..=240).map(f64::from).max_by(|&i, &j| slope(i).total_cmp(&slope(j))).unwrap_or(0.0);
            let refined = minimum(best - 1.0, best + 1.0, |k| -slope(k));
            if -refined.value > onset * (1.0 + 1e-12) {
                AgingCriticalSpeed::Finite { speed: per_growth * -refined.value, stick_time: time(refined.at) }
            } else {
                at_onset(onset)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{AgingExpression, ExponentialAging, HillAging};

    #[test]
    fn the_exact_critical_slip_agrees_with_fifty_digit_arithmetic() {
        // A (1 − g v) + B v + g v = 0 and v = C/(1 + g C − D), solved with 50 digits
        for (g, speed, slip_time) in REFERENCE {
            let slip = linear_critical_slip(g).unwrap();
            assert!((slip.speed / speed - 1.0).abs() < 2e-14, "g = {g}: {} {speed}", slip.speed);
            assert!((slip.slip_time / slip_time - 1.0).abs() < 2e-15, "g = {g}: {} {slip_time}", slip.slip_time);
        }
    }

    #[test]
    fn no_slip_comes_back_beyond_critical_damping() {
        assert_eq!(linear_critical_slip(2.0), None);
        assert_eq!(linear_critical_slip(5.0), None);
        assert_eq!(linear_critical_slip(f64::NAN), None);
        assert!(linear_critical_slip(1.999_999).is_some());
    }

    #[test]
    fn the_difference_to_the_leading_order_shrinks_like_the_root_of_g() {
        let difference = |g: f64| linear_critical_slip(g).unwrap().speed - linear_critical_speed_leading_order(g);
        let ratio = difference(1e-4) / difference(1e-6);
        assert!((ratio - 10.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn ageing_laws_have_their_known_suprema() {
        let concave = Aging::Exponential(ExponentialAging { increment: 0.8, time_constant: 2.0 });
        assert_eq!(
            aging_critical_speed(&concave, 4.0, 10.0),
            AgingCriticalSpeed::Finite { speed: 2.0, stick_time: 0.0 }
        );
        let vertical = Aging::Hill(HillAging { increment: 1.0, time_constant: 1.0, exponent: 0.5 });
        assert_eq!(aging_critical_speed(&vertical, 1.0, 1.0), AgingCriticalSpeed::Infinite);
        // x/(1 + x²) has its maximum 1/2 at x = 1
        let hill = Aging::Hill(HillAging { increment: 3.0, time_constant: 0.5, exponent: 2.0 });
        assert_eq!(aging_critical_speed(&hill, 1.0, 1.0), AgingCriticalSpeed::Finite { speed: 6.0, stick_time: 0.5 });
        let written = AgingExpression::new("3*(2*t)^2/(1 + (2*t)^2)", [].into()).unwrap();
        let AgingCriticalSpeed::Finite { speed, stick_time } =
            aging_critical_speed(&Aging::Expression(written), 1.0, 1.0)
        else {
            panic!("finite")
        };
        assert!((speed - 6.0).abs() < 1e-13 && (stick_time - 0.5).abs() < 1e-7);
    }

    const REFERENCE: [(f64, f64, f64); 10] = [
        (1e-8, 3989.4227413519534, 6.2829346443534355),
        (1e-6, 398.94165407783606, 6.280678680217161),
        (0.0001, 39.88799493776833, 6.258120334247149),
        (0.01, 3.930191743027649, 6.033805756911102),
        (0.1, 1.0980926241158726, 5.528804899215224),
        (0.5, 0.28435514565374514, 4.90356453305678),
        (1.0, 0.0820631045901037, 4.922216507403011),
        (1.5, 0.012274383775813772, 5.854701275061453),
        (1.9, 2.687539953710643e-05, 11.078182813904933),
        (1.99, 9.43211975713841e-15, 32.456940236038776),
    ];
}
