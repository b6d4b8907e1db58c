//! A system seen backward in time.

use super::{Fault, Guard, Jump, Sections, System};

/// The motion of another system, run backward: time counts from the present into the past. Jumps end the motion, because
/// a jump forgets where it came from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reversed<'a, S>(pub &'a S);

impl<S: System> System for Reversed<'_, S> {
    type State = S::State;
    type Guards = S::Guards;
    type Mode = S::Mode;

    fn start(&self) -> (S::Mode, S::State) {
        self.0.start()
    }
    #[inline]
    fn rhs(&self, mode: S::Mode, t: f64, y: &S::State, dy: &mut S::State) -> Result<(), Fault> {
        use super::Coords;
        self.0.rhs(mode, -t, y, dy)?;
        for slope in dy.as_mut_slice() {
            *slope = -*slope;
        }
        Ok(())
    }
    fn controlled(&self) -> usize {
        self.0.controlled()
    }
    fn typical(&self, sizes: &mut S::State) -> f64 {
        self.0.typical(sizes)
    }
    fn guard(&self, mode: S::Mode, guard: usize) -> Guard {
        self.0.guard(mode, guard)
    }
    #[inline]
    fn guards(&self, mode: S::Mode, t: f64, y: &S::State, guards: &mut S::Guards) {
        self.0.guards(mode, -t, y, guards);
    }
    #[inline]
    fn guards_with(&self, mode: S::Mode, t: f64, y: &S::State, sections: Sections, guards: &mut S::Guards) {
        self.0.guards_with(mode, -t, y, sections, guards);
    }
    fn jump(&self, _mode: S::Mode, _guard: usize, _t: f64, _y: &mut S::State) -> Result<Jump<S::Mode>, Fault> {
        Ok(Jump::End)
    }
}
