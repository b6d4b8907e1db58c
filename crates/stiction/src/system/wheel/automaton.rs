//! The wheel as a Filippov model: the rolling velocity is its sign function, the line of rest its corner.

use super::{CLOCK, Dynamics, OMEGA, R, SlipLaw, State, TIME, V};
use crate::system::filippov::{Filippov, Lie, Side, Signs};

/// Smallest sine of the wheel's angle for which the surface is a graph over (r, ω).
const SMALLEST_SINE: f64 = 1e-6;

impl Dynamics {
    /// Whether the switching surface has the chart v = Ω(d − r cot γ).
    pub fn has_chart(&self) -> bool {
        self.si.abs() > SMALLEST_SINE
    }

    #[inline]
    fn fill(&self, y: &State, friction: super::Friction, slope: &mut State) {
        let [r, v, omega, time] = self.slope(y[R], y[V], y[OMEGA], friction);
        *slope = [r, v, omega, 0.0, 0.0];
        slope[CLOCK] = 1.0;
        slope[TIME] = time;
    }
}

impl Filippov for Dynamics {
    type State = State;
    const DIMENSION: usize = 3;
    const SIGNS: usize = 1;

    fn zero(&self) -> State {
        [0.0; 5]
    }

    #[inline]
    fn switching(&self, y: &State) -> f64 {
        self.h(y[R], y[V], y[OMEGA])
    }

    #[inline]
    fn gradient(&self, y: &State, gradient: &mut State) {
        let [r, v, omega] = self.h_gradient(y[R], y[OMEGA]);
        *gradient = [r, v, omega, 0.0, 0.0];
    }

    #[inline]
    fn field(&self, side: Side, signs: Signs, y: &State, slope: &mut State) {
        let (h, g) = (self.h(y[R], y[V], y[OMEGA]), self.g(y[R], y[V], y[OMEGA]));
        let friction = self.slip_friction(side.sign(), signs.sign(0), h, g);
        self.fill(y, friction, slope);
    }

    #[inline]
    fn limit_field(&self, side: Side, signs: Signs, y: &State, slope: &mut State) {
        self.fill(y, self.limit_friction(side, signs.sign(0)), slope);
    }

    #[inline]
    fn lie(&self, signs: Signs, y: &State) -> Lie {
        Dynamics::lie(self, y[R], y[V], y[OMEGA], signs.sign(0))
    }

    #[inline]
    fn sign_function(&self, _index: usize, y: &State) -> f64 {
        self.g(y[R], y[V], y[OMEGA])
    }

    fn sign_matters_in_stick(&self, _index: usize) -> bool {
        self.signed
    }

    fn passes_in_stick(&self, _index: usize, y: &State) -> bool {
        // g = rΩ/sin γ on the surface: at r = 0 the sign flips, at Ω = 0 the wheel is at rest
        (y[OMEGA] - self.omega0).abs() >= y[R].abs()
    }

    fn project(&self, y: &mut State) {
        if self.has_chart() {
            y[V] = self.surface_v(y[R], y[OMEGA]);
            return;
        }
        for _ in 0..4 {
            let h = self.h(y[R], y[V], y[OMEGA]);
            let [r, v, omega] = self.h_gradient(y[R], y[OMEGA]);
            let size = r * r + v * v + omega * omega;
            if h == 0.0 || size == 0.0 {
                return;
            }
            y[R] -= h / size * r;
            y[V] -= h / size * v;
            y[OMEGA] -= h / size * omega;
        }
    }

    fn scale(&self) -> f64 {
        // |L₋ − L₊| = 2μ|L₁|, and L₁ is −(β sin γ)² at r = 0. A small part of it slows stick down only close to a two-fold,
        // where the weak direction would otherwise take thousands of steps
        0.04 * self.mu * self.beta * self.beta
    }

    fn typical(&self, sizes: &mut State) -> f64 {
        // lengths and times in SI units, as the radii of the line and of a two-fold are
        sizes.fill(1.0);
        sizes[CLOCK] = self.clock_unit();
        self.clock_unit()
    }

    fn two_folds(&self, signs: Signs) -> Option<&[State]> {
        Some(if signs.sign(0) > 0.0 || !self.signed { &self.folds[0] } else { &self.folds[1] })
    }

    #[inline]
    fn corner_distance_squared(&self, y: &State) -> f64 {
        let (h, g) = (self.h(y[R], y[V], y[OMEGA]), self.g(y[R], y[V], y[OMEGA]));
        h * h + g * g
    }

    fn corner_radius(&self) -> f64 {
        // a law that does not depend on the angle has limits everywhere
        if self.slip_law == SlipLaw::Constant { 0.0 } else { self.line_radius }
    }
}
