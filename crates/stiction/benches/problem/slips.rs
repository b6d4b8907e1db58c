//! A block whose slips are integrated although they are known, while sticks are answered in closed form: what a law without a
//! closed form costs, and what a loop written for one problem does too.

use stiction::system::spring_block::{Mode, State};
use stiction::system::{ClosedForm, Fault, Guard, Jump, Sections, SpringBlock, System, Upcoming};

pub(crate) struct Slips(pub(crate) SpringBlock);

impl System for Slips {
    type State = State;
    type Guards = [f64; 5];
    type Mode = Mode;

    fn start(&self) -> (Mode, State) {
        self.0.start()
    }
    #[inline(always)]
    fn rhs(&self, mode: Mode, t: f64, y: &State, dy: &mut State) -> Result<(), Fault> {
        self.0.rhs(mode, t, y, dy)
    }
    fn guard(&self, mode: Mode, guard: usize) -> Guard {
        self.0.guard(mode, guard)
    }
    fn guards(&self, mode: Mode, t: f64, y: &State, guards: &mut [f64; 5]) {
        self.0.guards(mode, t, y, guards);
    }
    #[inline(always)]
    fn guards_with(&self, mode: Mode, t: f64, y: &State, sections: Sections, guards: &mut [f64; 5]) {
        self.0.guards_with(mode, t, y, sections, guards);
    }
    fn jump(&self, mode: Mode, guard: usize, t: f64, y: &mut State) -> Result<Jump<Mode>, Fault> {
        self.0.jump(mode, guard, t, y)
    }
    fn controlled(&self) -> usize {
        self.0.controlled()
    }
    fn typical(&self, sizes: &mut State) -> f64 {
        self.0.typical(sizes)
    }
    fn closed_form(&self, mode: Mode) -> ClosedForm {
        if matches!(mode, Mode::Stick { .. }) { ClosedForm::Always } else { ClosedForm::Never }
    }
    fn flow(&self, mode: Mode, since: f64, from: &State, t: f64, y: &mut State) {
        self.0.flow(mode, since, from, t, y);
    }
    fn next_event(
        &self,
        mode: Mode,
        since: f64,
        from: &State,
        after: f64,
        sections: bool,
    ) -> Result<Option<Upcoming>, Fault> {
        self.0.next_event(mode, since, from, after, sections)
    }
}
