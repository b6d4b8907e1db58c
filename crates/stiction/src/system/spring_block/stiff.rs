//! The derivative of the equations of motion, for slips on which friction acts much faster than the spring.

use super::motion::{CONTRACTION, DISPLACEMENT, Mode, State, VELOCITY};
use crate::system::{DenseLinear, Fault, Reversed, SpringBlock, Stiff, System};

const SIZE: usize = 3;

impl SpringBlock {
    /// ∂f/∂y, row by row.
    pub(crate) fn derivative(&self, mode: Mode, y: &State) -> [f64; SIZE * SIZE] {
        let sign = match mode {
            Mode::Stick { .. } => return [0.0; SIZE * SIZE],
            Mode::SlipBelow => 1.0,
            Mode::SlipAbove => -1.0,
        };
        let [_, slope, curvature, _] = self.kinetic_force_derivatives(sign * (self.drive_speed - y[VELOCITY]));
        let mut derivative = [0.0; SIZE * SIZE];
        derivative[SIZE * DISPLACEMENT + VELOCITY] = 1.0;
        derivative[SIZE * VELOCITY + DISPLACEMENT] = -self.stiffness / self.mass;
        derivative[SIZE * VELOCITY + VELOCITY] = -slope / self.mass;
        // nothing depends on the contraction, which may have a singularity where the motion has none
        if curvature.is_finite() {
            derivative[SIZE * CONTRACTION + VELOCITY] = -sign * curvature / self.mass;
        }
        derivative
    }
}

macro_rules! stiff {
    ($system:ty, $block:ident => $of:expr, $direction:literal) => {
        impl Stiff for $system {
            type Linear = DenseLinear;

            fn new_linear(&self) -> DenseLinear {
                let mut sizes = [1.0; SIZE];
                self.typical(&mut sizes);
                DenseLinear::new(&sizes)
            }

            fn linearise(
                &self,
                mode: Mode,
                t: f64,
                y: &State,
                linear: &mut DenseLinear,
                slope: &mut State,
                _time_slope: &mut State,
            ) -> Result<(), Fault> {
                let $block = self;
                let (derivative, direction) = ($of.derivative(mode, y), $direction);
                for (entry, value) in linear.derivative.iter_mut().zip(derivative) {
                    *entry = direction * value;
                }
                self.rhs(mode, t, y, slope)
            }

            fn factorise(&self, rate: f64, linear: &mut DenseLinear) -> bool {
                linear.factorise(rate)
            }

            fn solve(&self, linear: &DenseLinear, right: &mut State) {
                linear.solve(right);
            }

            fn is_autonomous(&self) -> bool {
                true
            }
        }
    };
}

stiff!(SpringBlock, block => block, 1.0);
stiff!(Reversed<'_, SpringBlock>, block => block.0, -1.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Law, Stribeck};

    #[test]
    fn the_derivative_is_that_of_the_right_hand_side() {
        let law = Law::Stribeck(Stribeck {
            static_coefficient: 0.8,
            kinetic_coefficient: 0.3,
            stribeck_speed: 0.4,
            exponent: 2.0,
            viscous: 0.2,
        });
        let block = SpringBlock { normal_load: 1.5, ..SpringBlock::new(0.7, 3.0, 0.9, law) };
        for (mode, velocity) in [(Mode::SlipBelow, 0.2), (Mode::SlipAbove, 1.3)] {
            let y = [0.31, velocity, 0.4];
            let derivative = block.derivative(mode, &y);
            for column in 0..SIZE {
                let slope = |step: f64| {
                    let (mut beside, mut slope) = (y, [0.0; SIZE]);
                    beside[column] += step;
                    block.rhs(mode, 0.0, &beside, &mut slope).unwrap();
                    slope
                };
                let (above, below) = (slope(1e-5), slope(-1e-5));
                for row in 0..SIZE {
                    let wanted = (above[row] - below[row]) / 2e-5;
                    assert!((derivative[SIZE * row + column] - wanted).abs() < 1e-8, "{mode:?} {row} {column}");
                }
            }
        }
    }
}
