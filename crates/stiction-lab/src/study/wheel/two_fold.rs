//! Two-folds: points where force and moment balance, so that friction is not determined.

use super::{column, dynamics, list, with_state, word, words};
use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::system::wheel::{Dynamics, Friction, WheelTwoFold};

/// The two-fold of the wheel's `design`; without one that of case 1, else the first Teixeira singularity, else the first
/// that exists.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TwoFold {}

/// All two-folds, also those whose sign of the rolling velocity is not the one that they were solved for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TwoFolds {}

impl Study for TwoFold {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let (wheel, dynamics) = (context.wheel()?, dynamics(context)?);
        let designed = wheel.moment_arm.is_none();
        let fold = if designed {
            let design = wheel.design.unwrap_or_default();
            let point = wheel.designed(design);
            Some(WheelTwoFold::at(&dynamics, (design.position, point.velocity, design.speed), point.sign))
        } else {
            chosen(&dynamics)
        };
        let fold = fold.ok_or_else(|| StudyError::unsuitable("system.wheel", "has no two-fold: choose a `design`"))?;
        let mut outcome = Outcome::default();
        outcome.push("moment_arm", "m", dynamics.kappa);
        outcome.push("spring_stiffness", "N/m", dynamics.k2);
        outcome.push("r", "m", fold.r);
        outcome.push("velocity", "m/s", fold.v);
        outcome.push("omega", "rad/s", fold.omega);
        outcome.push("sign", "", fold.sign);
        outcome.push("consistent", "", rolls_as_assumed(&dynamics, &fold));
        outcome.push("exists", "", fold.sign_consistent);
        push_class(&mut outcome, &dynamics, &fold);
        outcome.push("damping_reference", "", word(&wheel.damping_reference).as_str());
        outcome.push("stick_moment", "", word(&wheel.stick_moment).as_str());
        outcome.push("slip_law", "", word(&wheel.slip_law).as_str());
        outcome.tables.push(table(&dynamics, &dynamics.two_folds()));
        Ok(outcome)
    }
}

fn chosen(dynamics: &Dynamics) -> Option<WheelTwoFold> {
    let exist = || dynamics.two_folds().into_iter().filter(|fold| fold.sign_consistent);
    let case_1 = exist().find(|fold| fold.case().is_some_and(|case| case.number() == 1));
    case_1.or_else(|| exist().find(|fold| fold.case().is_some())).or_else(|| exist().next())
}

/// Whether the rolling velocity has the sign that the two-fold was solved for. With a moment that does not follow that sign
/// the two-fold exists all the same.
fn rolls_as_assumed(dynamics: &Dynamics, fold: &WheelTwoFold) -> bool {
    dynamics.g(fold.r, fold.v, fold.omega) * fold.sign > 0.0
}

/// Largest difference of a component of f₊ and f₋, in SI units per τ: zero where friction does not matter.
fn field_jump(dynamics: &Dynamics, fold: &WheelTwoFold) -> f64 {
    let sign = if dynamics.signed { fold.sign } else { 1.0 };
    let field = |force: f64| {
        let friction = Friction { force, moment: sign * dynamics.kappa * force };
        dynamics.slope(fold.r, fold.v, fold.omega, friction)
    };
    let (plus, minus) = (field(dynamics.mu), field(-dynamics.mu));
    plus.iter().zip(minus).map(|(plus, minus)| (plus - minus).abs()).fold(0.0, f64::max)
}

/// Second derivatives, kind, case and eigenvalues.
fn push_class(outcome: &mut Outcome, dynamics: &Dynamics, fold: &WheelTwoFold) {
    let folds = &fold.folds;
    let scaled = fold.scaled_eigenvalues();
    let (along, across) = (scaled.map(|pair| pair.0), scaled.map(|pair| pair.1));
    outcome.push("k_plus_plus", "m/s per τ²", folds.plus_plus);
    outcome.push("k_plus_minus", "m/s per τ²", folds.plus_minus);
    outcome.push("k_minus_plus", "m/s per τ²", folds.minus_plus);
    outcome.push("k_minus_minus", "m/s per τ²", folds.minus_minus);
    outcome.push("determinant", "m²/s² per τ⁴", folds.determinant());
    outcome.push("j1", "", folds.j().map(|j| j.0));
    outcome.push("j2", "", folds.j().map(|j| j.1));
    outcome.push("j_product", "", folds.j_product());
    let along_is_weak = scaled.is_none_or(|(along, across)| along.abs() <= across.abs());
    let (weak, strong) = if along_is_weak { (along, across) } else { (across, along) };
    outcome.push("eigenvalue_weak", "", weak);
    outcome.push("eigenvalue_strong", "", strong);
    outcome.push("eigenvalue_along", "", along);
    outcome.push("eigenvalue_across", "", across);
    outcome.push("eigenvalues_scaled", "", folds.norm().is_some());
    outcome.push("kind", "", fold.visibility().name());
    outcome.push("case", "", fold.case().map(|case| usize::from(case.number())));
    outcome.push("local", "", word(&fold.local()).as_str());
    outcome.push("weak_direction", "", folds.plus_plus / folds.minus_minus);
    outcome.push("limit_force", "N", fold.limit_force(dynamics.mu));
    outcome.push("limit_velocity", "m, m/s, rad/s per τ", fold.limit_velocity(dynamics).to_vec());
}

impl Study for TwoFolds {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        let folds = dynamics.two_folds();
        let case = |fold: &WheelTwoFold| fold.case().map(|case| usize::from(case.number()));
        let lowest = folds.iter().filter(|fold| fold.sign_consistent).filter_map(case).min();
        let existing = folds.iter().filter(|fold| fold.sign_consistent).count();
        let mut outcome = Outcome::default();
        outcome.push("moment_arm", "m", dynamics.kappa);
        outcome.push("spring_stiffness", "N/m", dynamics.k2);
        outcome.push("class", "", class(lowest, existing).as_str());
        outcome.push("count", "", folds.len());
        outcome.push("existing_count", "", existing);
        let table = table(&dynamics, &folds);
        outcome.push_columns(&table, &["consistent", "exists", "case"]);
        outcome.push("consistent", "", list(&folds, |fold| rolls_as_assumed(&dynamics, fold)));
        outcome.push("exists", "", list(&folds, |fold| fold.sign_consistent));
        outcome.push("case", "", list(&folds, case));
        outcome.tables.push(table);
        Ok(outcome)
    }
}

/// A wheel by its two-folds: the lowest case of the Teixeira singularities that exist. In case 1 determinism is lost.
fn class(lowest: Option<usize>, existing: usize) -> String {
    match lowest {
        Some(case) => format!("case {case}"),
        None if existing == 0 => "no two-fold".to_owned(),
        None => "other two-folds".to_owned(),
    }
}

fn table(dynamics: &Dynamics, folds: &[WheelTwoFold]) -> Table {
    let case = |fold: &WheelTwoFold| fold.case().map_or("-".to_owned(), |case| case.number().to_string());
    let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
    with_state(Table::new("two_folds", "all two-folds, one row each"), folds, |fold| [fold.r, fold.v, fold.omega])
        .numbers("sign", "", "sign s of the rolling velocity", column(folds, |fold| fold.sign))
        .words("consistent", "rolls as assumed", words(folds, |fold| yes(rolls_as_assumed(dynamics, fold))))
        .words("exists", "exists", words(folds, |fold| yes(fold.sign_consistent)))
        .words("kind", "kind", words(folds, |fold| fold.visibility().name().to_owned()))
        .words("case", "case", words(folds, case))
        .words("local", "sticking flow", words(folds, |fold| word(&fold.local())))
        .numbers("k_plus_plus", "m/s per τ²", "K⁺⁺", column(folds, |fold| fold.folds.plus_plus))
        .numbers("k_plus_minus", "m/s per τ²", "K⁺⁻", column(folds, |fold| fold.folds.plus_minus))
        .numbers("k_minus_plus", "m/s per τ²", "K⁻⁺", column(folds, |fold| fold.folds.minus_plus))
        .numbers("k_minus_minus", "m/s per τ²", "K⁻⁻", column(folds, |fold| fold.folds.minus_minus))
        .numbers("limit_force", "N", "limit of the friction force", column(folds, |fold| fold.limit_force(dynamics.mu)))
        .numbers(
            "field_jump",
            "SI per τ",
            "largest component of f₊ − f₋",
            column(folds, |fold| field_jump(dynamics, fold)),
        )
}
