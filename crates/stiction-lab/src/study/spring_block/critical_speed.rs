//! The drive speed above which stick-slip motion is impossible.

use super::Family;
use crate::dataset::{Outcome, Table, Value, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::critical_speed::{
    AgingCriticalSpeed, LinearContact, aging_critical_speed, linear_critical_slip, linear_critical_speed_leading_order,
};
use stiction::analysis::spring_block::bifurcation::{Kind, locate_kind};
use stiction::analysis::spring_block::{Orbits, PathEnd};
use stiction::analysis::{Budget, Progress};
use stiction::integrate::Solver;
use stiction::law::{Aging, Law};
use stiction::num::real::ln;
use stiction::system::SpringBlock;
use stiction::system::spring_block::Mode;

/// The drive speed above which stick-slip motion is impossible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CriticalSpeed {
    /// For the linear law: a table of the critical speed against g = γ/√(κM), from `from` to `to` (`parameter` is ignored).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slopes: Option<Slopes>,
    /// For laws without a closed form: the drive speeds among which it is looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Sweep>,
}

/// Values of g = γ/√(κM), evenly spaced in their logarithm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slopes {
    /// Smallest value [-], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub from: f64,
    /// Largest value [-], > `from`.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub to: f64,
    /// Number of values.
    #[schemars(range(min = 2, max = 100_000))]
    pub points: usize,
}

impl Study for CriticalSpeed {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        let mut outcome = Outcome::default();
        match (&block.law, &block.aging) {
            (Law::Coulomb(_), Some(aging)) => ageing(&mut outcome, block, aging),
            (_, Some(_)) => return Err(ageing_needs_coulomb()),
            (Law::Linear(law), None) => linear(&mut outcome, &linear_contact(block, law.slope)),
            (law, None) if law.never_rises() => unending(&mut outcome, block),
            _ => self.searched(&mut outcome, block, context)?,
        }
        if let Some(slopes) = &self.slopes {
            outcome.tables.push(slopes.table()?);
            outcome.push("leading_order_error_exponent", "", slopes.error_exponent());
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system).filter(|_| is_searched(system))
    }
}

pub(super) fn ageing_needs_coulomb() -> StudyError {
    let message = "the critical speed of an ageing contact is known for law.coulomb only";
    StudyError::unsuitable("system.spring_block.law", message)
}

fn linear_contact(block: &SpringBlock, slope: f64) -> LinearContact {
    LinearContact {
        mass: block.mass,
        stiffness: block.stiffness,
        static_force: block.static_force(0.0),
        kinetic_force: block.kinetic_force(0.0),
        slope: block.normal_load * slope,
    }
}

/// The answer for friction that never rises with speed: stick-slip motion at every drive speed, or, under one constant
/// coefficient, at none.
fn unending(outcome: &mut Outcome, block: &SpringBlock) {
    let constant = is_constant(block);
    outcome.push("critical_speed", "m/s", if constant { 0.0.into() } else { Value::Missing });
    outcome.push("slip_time", "s", Value::Missing);
    outcome.push("leading_order_speed", "m/s", Value::Missing);
    if !matches!(block.law, Law::Coulomb(_)) {
        outcome.push("type1_speeds", "m/s", Vec::<f64>::new());
    }
    outcome.warnings.push(if constant { NEVER_STICKS } else { ALWAYS_STICKS }.to_owned());
}

const NEVER_STICKS: &str =
    "static and kinetic coefficient are equal and constant: there is no stick-slip motion at any drive speed";
const ALWAYS_STICKS: &str = "kinetic friction does not rise with speed: stick-slip motion exists at every drive speed, and there is no critical speed";

/// Whether a law that never rises is one constant coefficient: slips under it neither grow nor shrink, and never stick.
fn is_constant(block: &SpringBlock) -> bool {
    let falls = matches!(&block.law, Law::Stribeck(law) if law.kinetic_coefficient < law.static_coefficient);
    block.law.starts_equal() && !falls
}

fn linear(outcome: &mut Outcome, contact: &LinearContact) {
    // a slope of zero has no finite speed, unless the coefficients are equal: then no slip sticks
    let never = contact.slope == 0.0 && contact.kinetic_force >= contact.static_force;
    let critical = contact.critical_slip().filter(|slip| slip.speed.is_finite());
    outcome.push("critical_speed", "m/s", if never { Some(0.0) } else { critical.map(|slip| slip.speed) });
    outcome.push("slip_time", "s", critical.map(|slip| slip.slip_time));
    let leading = contact.critical_speed_leading_order();
    outcome.push("leading_order_speed", "m/s", if leading.is_finite() { leading.into() } else { Value::Missing });
    outcome.push("scaled_slope", "", contact.scaled_slope());
    // with equal coefficients both speeds are zero
    let error = critical.map(|slip| leading / slip.speed - 1.0).filter(|error| error.is_finite());
    outcome.push("leading_order_error", "", error);
    outcome.push("leading_order_error_over_g", "", error.map(|error| error / contact.scaled_slope()));
    if critical.is_none() {
        outcome.warnings.push(if contact.slope > 0.0 {
            format!(
                "g = {} is at least 2: a slip never returns to the velocity of the surface, so there is no stick-slip motion \
                 at any drive speed",
                number(contact.scaled_slope())
            )
        } else {
            if never { NEVER_STICKS } else { ALWAYS_STICKS }.to_owned()
        });
    }
}

/// The critical speed of an ageing contact [m/s] with its stick time \[s\]; none where stick-slip exists at every speed.
fn ageing_speed(block: &SpringBlock, aging: &Aging) -> Option<(f64, f64)> {
    match aging_critical_speed(aging, block.stiffness, block.normal_load) {
        AgingCriticalSpeed::Finite { speed, stick_time } if block.law.starts_equal() => Some((speed, stick_time)),
        _ => None,
    }
}

fn ageing(outcome: &mut Outcome, block: &SpringBlock, aging: &Aging) {
    let equal = block.law.starts_equal();
    let speed = ageing_speed(block, aging);
    outcome.push("critical_speed", "m/s", speed.map(|(speed, _)| speed));
    outcome.push("stick_time", "s", speed.map(|(_, time)| time));
    outcome.push("slip_time", "s", Value::Missing);
    outcome.push("leading_order_speed", "m/s", Value::Missing);
    if speed.is_none() {
        let message = if equal {
            "the static limit starts to grow vertically: stick-slip motion exists at every drive speed"
        } else {
            "the kinetic coefficient is below the static one: stick-slip motion exists at every drive speed"
        };
        outcome.warnings.push(message.to_owned());
    }
}

/// What a block says to the question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum Answer {
    /// The critical speed [m/s].
    Speed(f64),
    /// Stick-slip motion exists at every drive speed.
    Always,
    /// Stick-slip motion exists at no drive speed searched.
    Never,
    /// Stick-slip motion still exists at the highest drive speed searched.
    Beyond,
}

impl Answer {
    /// The critical speed [m/s], if there is one.
    pub(super) fn speed(&self) -> Option<f64> {
        match *self {
            Answer::Speed(speed) => Some(speed),
            _ => None,
        }
    }

    /// At which drive speeds stick-slip motion exists.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Answer::Speed(_) => "below",
            Answer::Always => "always",
            Answer::Never => "never",
            Answer::Beyond => "beyond",
        }
    }
}

/// Whether the critical speed of these blocks is searched by following motions.
pub(super) fn is_searched(system: &AnySystem) -> bool {
    let AnySystem::SpringBlock(block) = system else { return false };
    block.aging.is_none() && !matches!(block.law, Law::Coulomb(_) | Law::Linear(_)) && !block.law.never_rises()
}

/// The critical speed of one block, in closed form where there is one; other laws are searched.
pub(super) fn answer(
    block: &SpringBlock,
    sweep: Option<&Sweep>,
    key: &str,
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Answer, StudyError> {
    Ok(match (&block.law, &block.aging) {
        (Law::Coulomb(_), Some(aging)) => {
            ageing_speed(block, aging).map_or(Answer::Always, |(speed, _)| Answer::Speed(speed))
        }
        (_, Some(_)) => return Err(ageing_needs_coulomb()),
        (Law::Linear(law), None) if law.slope > 0.0 => {
            let slip = linear_contact(block, law.slope).critical_slip();
            slip.map_or(Answer::Never, |slip| Answer::Speed(slip.speed))
        }
        (law, None) if law.never_rises() => {
            if is_constant(block) {
                Answer::Speed(0.0)
            } else {
                Answer::Always
            }
        }
        _ => {
            let searched = search(block, sweep, key, solver, progress)?;
            match searched.critical {
                Some(speed) => Answer::Speed(speed),
                None if searched.still => Answer::Beyond,
                None => Answer::Never,
            }
        }
    })
}

/// Excess over the velocity of the surface, as a fraction of the speeds of the block, below which a slip grazes [-].
const GRAZING: f64 = 1e-10;

/// What a search over drive speeds found.
struct Searched {
    /// The largest drive speed at which stick-slip motion ends [m/s].
    critical: Option<f64>,
    /// All drive speeds at which it begins or ends [m/s].
    ends: Vec<f64>,
    /// Whether it still exists at the last speed.
    still: bool,
    /// First and last speed [m/s].
    range: (f64, f64),
    family: Family,
}

fn search(
    block: &SpringBlock,
    sweep: Option<&Sweep>,
    key: &str,
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Searched, StudyError> {
    // speeds of the size of the static force over the impedance of the oscillator
    let unit = block.static_force(0.0) / (block.stiffness * block.mass).sqrt();
    let parameter = super::drive_speed();
    let default = Sweep { parameter, from: 1e-3 * unit, to: 20.0 * unit, points: 400, logarithmic: true };
    let sweep = sweep.unwrap_or(&default);
    let values = sweep.values(key)?;
    let family = Family::of(block, "drive_speed", &format!("{key}.parameter"))?;
    let make = |value: f64| family.at(value);
    let ends: Vec<f64> =
        locate_kind(&make, &values, Kind::Type1, solver, progress)?.iter().map(|end| end.value).collect();
    let range @ (_, last) = (values.first().copied().unwrap_or(sweep.from), values.last().copied().unwrap_or(sweep.to));
    let budget = Budget::of(1, progress);
    let still = Orbits::new(&family.at(last)?, solver)?.within(&budget).excess()? > GRAZING;
    Ok(Searched { critical: ends.last().copied().filter(|_| !still), ends, still, range, family })
}

impl CriticalSpeed {
    /// The largest drive speed at which stick-slip motion ends.
    fn searched(&self, outcome: &mut Outcome, block: &SpringBlock, context: &Context<'_>) -> Result<(), StudyError> {
        let key = "study.critical_speed.search";
        let Searched { critical, ends, still, range: (first, last), family } =
            search(block, self.search.as_ref(), key, context.solver, context.progress)?;
        let budget = Budget::of(1, context.progress);
        let slip_time = match critical {
            Some(speed) => {
                // just below it the block still touches: the slip of the grazing contact
                let block = family.at(speed * (1.0 - 1e-9))?;
                let orbits = Orbits::new(&block, context.solver)?.within(&budget);
                let path = orbits.path(Mode::SlipBelow, orbits.release_displacement(), block.drive_speed, 2)?;
                matches!(path.end, PathEnd::Contact(_)).then_some(path.duration)
            }
            None => None,
        };
        outcome.push("critical_speed", "m/s", critical);
        outcome.push("slip_time", "s", slip_time);
        outcome.push("leading_order_speed", "m/s", Value::Missing);
        outcome.push("type1_speeds", "m/s", ends);
        if still {
            outcome.warnings.push(format!(
                "stick-slip motion still exists at {} m/s, the highest drive speed searched; to look further, raise \
                 study.critical_speed.search.to",
                number(last)
            ));
        } else if critical.is_none() {
            outcome.warnings.push(format!(
                "there is no stick-slip motion at any drive speed searched, from {} to {} m/s",
                number(first),
                number(last)
            ));
        }
        Ok(())
    }
}

impl Slopes {
    /// The power of g with which the error of Eq. 2 grows at the smallest slope, from a step of 1 %.
    fn error_exponent(&self) -> Option<f64> {
        const STEP: f64 = 1.01;
        let error = |g: f64| Some((linear_critical_speed_leading_order(g) - linear_critical_slip(g)?.speed).abs());
        let exponent = ln(error(self.from * STEP)? / error(self.from)?) / ln(STEP);
        exponent.is_finite().then_some(exponent)
    }

    fn table(&self) -> Result<Table, StudyError> {
        let sweep =
            Sweep { parameter: String::new(), from: self.from, to: self.to, points: self.points, logarithmic: true };
        let g = sweep.values("study.critical_speed.slopes")?;
        let exact: Vec<_> = g.iter().map(|&g| linear_critical_slip(g)).collect();
        let speed: Vec<f64> = exact.iter().map(|slip| slip.map_or(f64::NAN, |slip| slip.speed)).collect();
        let time: Vec<f64> = exact.iter().map(|slip| slip.map_or(f64::NAN, |slip| slip.slip_time)).collect();
        let leading: Vec<f64> = g.iter().map(|&g| linear_critical_speed_leading_order(g)).collect();
        let error = leading.iter().zip(&speed).map(|(leading, speed)| (leading / speed - 1.0).abs()).collect();
        Ok(Table::new("critical_speed", "scaled critical speed of the linear law against its scaled slope")
            .numbers("scaled_slope", "", "g = γ/√(κM)", g)
            .numbers("scaled_speed", "", "v_c √(κM)/(F_S − F_K0)", speed)
            .numbers("leading_order", "", "1/√(2πg)", leading)
            .numbers("relative_error", "", "relative error of Eq. 2", error)
            .numbers("scaled_slip_time", "", "slip time × √(κ/M)", time))
    }
}

#[cfg(test)]
mod tests {
    use super::Slopes;

    #[test]
    fn the_error_of_the_leading_order_grows_with_the_root_of_the_slope() {
        let exponent = Slopes { from: 1e-5, to: 1.0, points: 2 }.error_exponent().unwrap();
        assert!((exponent - 0.5).abs() < 1e-3, "{exponent}");
    }
}
