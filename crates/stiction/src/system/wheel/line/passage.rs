//! What becomes of a motion that comes to the line: it passes, or it arrives and the equations do not say how to go on.

use super::{BlowUp, Motion, MotionKind, Ray, StickRay};
use crate::system::filippov::{Region, Side};
use std::f64::consts::PI;

/// What becomes of a slip that reaches the line with an angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Passage {
    /// It is turned to an outgoing ray: the motion goes on there.
    Determined(Motion),
    /// It reaches the line: on an incoming ray, in infinitely many crossings, or next to the escaping region.
    Arrival,
    /// It winds outward: the line is never reached.
    SpiralOut,
}

impl BlowUp<'_> {
    /// Follows the angle of a slip that comes to the line with θ = `angle` \[rad\] until it meets a ray. An angle of exactly 0
    /// or π is a motion on the switching surface.
    pub(crate) fn passage(&self, angle: f64) -> Passage {
        let on_surface = angle == 0.0 || angle.abs() == PI;
        let (mut side, upward, mut from) = if on_surface {
            let sign = if angle == 0.0 { 1.0 } else { -1.0 };
            match self.stick_ray(sign) {
                ray if ray.region == Region::Sliding => return Self::along(ray),
                ray if ray.region == Region::CrossingPlus => (Side::Plus, sign > 0.0, ray.angle()),
                ray if ray.region == Region::CrossingMinus => (Side::Minus, sign < 0.0, -ray.angle()),
                _ => return Passage::Arrival,
            }
        } else {
            let side = if angle > 0.0 { Side::Plus } else { Side::Minus };
            (side, self.polar_rates(angle).1 > 0.0, angle)
        };
        // a turn visits both halves, and at the end the part of the first one that lies before the start
        for _ in 0..3 {
            if let Some(ray) = self.next_ray(side, from, upward) {
                if ray.rate <= 0.0 {
                    return Passage::Arrival;
                }
                let kind = if side == Side::Plus { MotionKind::SlipPlus } else { MotionKind::SlipMinus };
                return Passage::Determined(Motion { kind, angle: ray.angle, rate: ray.rate, family: !ray.attracting });
            }
            // the end of the half circle: θ = 0 or π
            let sign = if upward == (side == Side::Minus) { 1.0 } else { -1.0 };
            let ray = self.stick_ray(sign);
            match ray.region {
                Region::Sliding => return Self::along(ray),
                Region::CrossingPlus | Region::CrossingMinus => {}
                Region::Escaping | Region::Undetermined => return Passage::Arrival,
            }
            side = side.other();
            // upward through π comes in again at −π
            from = if sign > 0.0 { 0.0 } else { side.sign() * PI };
        }
        if self.growth_of_a_turn() > 0.0 { Passage::SpiralOut } else { Passage::Arrival }
    }

    fn along(ray: StickRay) -> Passage {
        if ray.rate > 0.0 {
            let motion = Motion { kind: MotionKind::Stick, angle: ray.angle(), rate: ray.rate, family: false };
            Passage::Determined(motion)
        } else {
            Passage::Arrival
        }
    }

    /// The first ray beyond `from` in the direction of motion.
    fn next_ray(&self, side: Side, from: f64, upward: bool) -> Option<Ray> {
        let rays = self.rays(side);
        if upward {
            rays.into_iter().find(|ray| ray.angle >= from)
        } else {
            rays.into_iter().rev().find(|ray| ray.angle <= from)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::*;
    use crate::system::Wheel;

    #[test]
    fn every_passage_ends_on_an_outgoing_motion_or_is_an_arrival() {
        let dynamics = Wheel::default().dynamics().unwrap();
        for r in [-0.3, -0.05, 0.02, 0.1, 0.1859, 0.25, 0.6] {
            let blow_up = dynamics.blow_up(Place::Rest { r });
            let outgoing = blow_up.outgoing();
            for k in 0..200 {
                let angle = -3.1 + 6.2 * f64::from(k) / 199.0;
                if let Passage::Determined(motion) = blow_up.passage(angle) {
                    assert!(motion.rate > 0.0);
                    let listed =
                        |other: &Motion| other.kind == motion.kind && (other.angle - motion.angle).abs() < 1e-9;
                    assert!(outgoing.iter().any(listed), "{r} {angle} {motion:?} {outgoing:?}");
                }
            }
        }
    }
}
