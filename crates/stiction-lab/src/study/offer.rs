//! What a study lets `[solver]` choose: the methods that suit it, its defaults, and the keys that have an effect.

use stiction::integrate::{MethodName, Solver};
use stiction::system::TwoDisc;

/// The choices of `[solver]` for a study that follows motions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Offer {
    /// The methods; the first is the default.
    pub methods: &'static [MethodName],
    /// Everything that a scenario leaves open.
    pub defaults: Solver,
    /// The keys that have an effect where motions are integrated.
    pub keys: &'static [&'static str],
    /// What is known in closed form.
    pub closed_form: ClosedForm,
}

/// Which phases of the motions of a study are known in closed form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedForm {
    /// None: `closed_form` has no effect.
    Nothing,
    /// Some of them.
    Phases,
    /// All of them: nothing is integrated, and tolerances have no effect.
    Everything,
}

/// Relative tolerance of maps and of many runs of stiff contacts: it tells one kind of motion from another.
pub(super) const COARSE: f64 = 1e-4;

/// Relative tolerance where motions of stiff contacts are compared.
pub(super) const FINE: f64 = 1e-8;

const EXPLICIT: &[&str] = &["method", "relative_tolerance", "absolute_tolerance", "max_step"];

impl Offer {
    /// Smooth motions between events.
    pub(super) fn explicit(closed_form: ClosedForm) -> Self {
        let methods = &[MethodName::Dop853, MethodName::Rk4];
        Self { methods, defaults: Solver::default(), keys: EXPLICIT, closed_form }
    }

    /// A disc on a belt whose field is a spline.
    pub(super) fn belt(closed_form: ClosedForm) -> Self {
        let defaults = Solver { method: MethodName::Dopri5, ..Solver::default() };
        let keys = &["method", "relative_tolerance", "absolute_tolerance"];
        Self { methods: &[MethodName::Dopri5], defaults, keys, closed_form }
    }

    /// Two discs to this relative tolerance.
    pub(super) fn stiff(discs: &TwoDisc, relative_tolerance: f64) -> Self {
        let methods = &[MethodName::Rodas4p, MethodName::Rodas5p];
        let keys = &["method", "relative_tolerance", "absolute_tolerance", "max_step", "max_steps"];
        let defaults = Solver::stiff().with_default_step(discs.longest_step()).with_tolerance(relative_tolerance);
        Self { methods, defaults, keys, closed_form: ClosedForm::Nothing }
    }

    /// A wheel whose friction jumps.
    pub(super) fn wheel() -> Self {
        let defaults = super::Itinerary::solver();
        Self { methods: &[MethodName::Dop853], defaults, keys: EXPLICIT, closed_form: ClosedForm::Nothing }
    }

    /// A wheel with smooth friction.
    pub(super) fn smooth_wheel() -> Self {
        let (relative_tolerance, absolute_tolerance) = (1e-9, 1e-9);
        let defaults = Solver {
            method: MethodName::Rodas5p,
            relative_tolerance,
            absolute_tolerance,
            ..super::Itinerary::solver()
        };
        let keys = &["method", "relative_tolerance", "absolute_tolerance"];
        Self { methods: &[MethodName::Rodas5p], defaults, keys, closed_form: ClosedForm::Nothing }
    }

    /// The offers of all mechanisms and of studies that differ, for a person.
    pub fn all() -> [(&'static str, Self); 8] {
        let discs = TwoDisc::new(1.0, 1.0);
        [
            ("spring_block", Self::explicit(ClosedForm::Phases)),
            ("crank_slider", Self::explicit(ClosedForm::Nothing)),
            ("belt_disc", Self::belt(ClosedForm::Everything)),
            ("wheel", Self::wheel()),
            ("wheel, study.smooth", Self::smooth_wheel()),
            ("two_disc, one motion", Self::stiff(&discs, 1e-6)),
            ("two_disc, many motions", Self::stiff(&discs, COARSE)),
            ("two_disc, study.mesh_convergence", Self::stiff(&discs, FINE)),
        ]
    }

    /// The keys that have an effect beside these values.
    pub fn used(&self, solver: &Solver) -> Vec<&'static str> {
        let integrates = self.closed_form != ClosedForm::Everything || !solver.closed_form;
        let controlled = solver.method != MethodName::Rk4;
        let used = self.keys.iter().filter(|key| integrates && (controlled || !key.ends_with("tolerance")));
        let closed_form = (self.closed_form != ClosedForm::Nothing).then_some("closed_form");
        used.copied().chain(closed_form).collect()
    }
}
