//! The drive speed above which stick-slip motion is impossible.

use super::Family;
use crate::dataset::{Outcome, Value, number};
use crate::study::{AnySystem, Context, Offer, Spacing, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Budget;
use stiction::analysis::critical_speed::{AgingCriticalSpeed, LinearContact, aging_critical_speed};
use stiction::analysis::spring_block::bifurcation::{BifurcationKind, locate_kind};
use stiction::analysis::spring_block::{Orbits, PathEnd};
use stiction::law::{Aging, Law};
use stiction::system::SpringBlock;
use stiction::system::spring_block::Mode;

/// The drive speed above which stick-slip motion is impossible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CriticalSpeed {
    /// For laws without a closed form: the drive speeds among which it is looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Sweep>,
}

impl Study for CriticalSpeed {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        let mut outcome = Outcome::default();
        let end = match (&block.law, &block.aging) {
            (Law::Coulomb(_), Some(aging)) => ageing(&mut outcome, block, aging),
            (_, Some(_)) => {
                let message = "the critical speed of an ageing contact is known for law.coulomb only";
                return Err(StudyError::unsuitable("system.spring_block.law", message));
            }
            (Law::Linear(law), None) if law.slope > 0.0 => linear(&mut outcome, &linear_contact(block, law.slope)),
            (law, None) if law.never_rises() => unending(&mut outcome, block),
            _ => self.searched(&mut outcome, block, context)?,
        };
        // what is asked for stands first
        let details = std::mem::take(&mut outcome.quantities);
        outcome.push("critical_speed", "m/s", end.speed);
        outcome.push("slip_time", "s", end.slip_time);
        outcome.push("stick_slip", "", end.stick_slip);
        if !details.iter().any(|detail| detail.name == "leading_order_speed") {
            outcome.push("leading_order_speed", "m/s", Value::Missing);
        }
        outcome.quantities.extend(details);
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        let AnySystem::SpringBlock(block) = system else { return None };
        let known = block.aging.is_some() || matches!(block.law, Law::Coulomb(_) | Law::Linear(_));
        super::orbits(system).filter(|_| !known && !block.law.never_rises())
    }
}

/// Where stick-slip motion ends.
struct End {
    /// The critical speed [m/s].
    speed: Option<f64>,
    /// Duration of the slip at that speed \[s\].
    slip_time: Option<f64>,
    /// At which drive speeds stick-slip motion exists: `below` the critical one, `always`, `never`, or still `beyond` the highest
    /// one searched.
    stick_slip: &'static str,
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
fn unending(outcome: &mut Outcome, block: &SpringBlock) -> End {
    // slips under one constant coefficient neither grow nor shrink, and never stick
    let falls = matches!(&block.law, Law::Stribeck(law) if law.kinetic_coefficient < law.static_coefficient);
    let constant = block.law.starts_equal() && !falls;
    if !matches!(block.law, Law::Coulomb(_) | Law::Linear(_)) {
        outcome.push("type1_speeds", "m/s", Vec::<f64>::new());
    }
    outcome.warnings.push(if constant { NEVER_STICKS } else { ALWAYS_STICKS }.to_owned());
    let stick_slip = if constant { "never" } else { "always" };
    End { speed: constant.then_some(0.0), slip_time: None, stick_slip }
}

const NEVER_STICKS: &str =
    "static and kinetic coefficient are equal and constant: there is no stick-slip motion at any drive speed";
const ALWAYS_STICKS: &str = "kinetic friction does not rise with speed: stick-slip motion exists at every drive speed, and there is no critical speed";

fn linear(outcome: &mut Outcome, contact: &LinearContact) -> End {
    let critical = contact.critical_slip();
    let leading = contact.critical_speed_leading_order();
    outcome.push("leading_order_speed", "m/s", leading);
    outcome.push("scaled_slope", "", contact.scaled_slope());
    // with equal coefficients both speeds are zero
    let error = critical.map(|slip| leading / slip.speed - 1.0).filter(|error| error.is_finite());
    outcome.push("leading_order_error", "", error);
    if critical.is_none() {
        outcome.warnings.push(format!(
            "g = {} is at least 2: a slip never returns to the velocity of the surface, so there is no stick-slip motion at any drive \
             speed",
            number(contact.scaled_slope())
        ));
    }
    let stick_slip = if critical.is_some() { "below" } else { "never" };
    End { speed: critical.map(|slip| slip.speed), slip_time: critical.map(|slip| slip.slip_time), stick_slip }
}

fn ageing(outcome: &mut Outcome, block: &SpringBlock, aging: &Aging) -> End {
    let equal = block.law.starts_equal();
    let found = match aging_critical_speed(aging, block.stiffness, block.normal_load) {
        AgingCriticalSpeed::Finite { speed, stick_time } if equal => Some((speed, stick_time)),
        _ => None,
    };
    outcome.push("stick_time", "s", found.map(|(_, time)| time));
    if found.is_none() {
        let message = if equal {
            "the static limit starts to grow vertically: stick-slip motion exists at every drive speed"
        } else {
            "the kinetic coefficient is below the static one: stick-slip motion exists at every drive speed"
        };
        outcome.warnings.push(message.to_owned());
    }
    let stick_slip = if found.is_some() { "below" } else { "always" };
    End { speed: found.map(|(speed, _)| speed), slip_time: None, stick_slip }
}

/// Excess over the velocity of the surface, as a fraction of the speeds of the block, below which a slip grazes [-].
const GRAZING: f64 = 1e-10;

impl CriticalSpeed {
    /// The largest drive speed at which stick-slip motion ends.
    fn searched(&self, outcome: &mut Outcome, block: &SpringBlock, context: &Context<'_>) -> Result<End, StudyError> {
        let (solver, progress) = (context.solver, context.progress);
        let key = "study.critical_speed.search";
        // speeds of the size of the static force over the impedance of the oscillator
        let unit = block.static_force(0.0) / (block.stiffness * block.mass).sqrt();
        let parameter = super::drive_speed();
        let default = Sweep { parameter, from: 1e-3 * unit, to: 20.0 * unit, points: 400, scale: Spacing::Log };
        let sweep = self.search.as_ref().unwrap_or(&default);
        let family = Family::of(block, "drive_speed", &format!("{key}.parameter"))?;
        let make = |value: f64| family.at(value);
        let located = locate_kind(&make, &sweep.values(key)?, BifurcationKind::Type1, solver, progress)?;
        let ends: Vec<f64> = located.iter().map(|end| end.value).collect();
        let budget = Budget::of(1, progress);
        let still = Orbits::new(&family.at(sweep.to)?, solver)?.within(&budget).excess()? > GRAZING;
        let critical = ends.last().copied().filter(|_| !still);
        let slip_time = match critical {
            Some(speed) => {
                // just below it the block still touches: the slip of the grazing contact
                let block = family.at(speed * (1.0 - 1e-9))?;
                let orbits = Orbits::new(&block, solver)?.within(&budget);
                let path = orbits.path(Mode::SlipBelow, orbits.release_displacement(), block.drive_speed, 2)?;
                matches!(path.end, PathEnd::Contact(_)).then_some(path.duration)
            }
            None => None,
        };
        outcome.push("type1_speeds", "m/s", ends);
        if still {
            outcome.warnings.push(format!(
                "stick-slip motion still exists at {} m/s, the highest drive speed searched; to look further, raise \
                 study.critical_speed.search.to",
                number(sweep.to)
            ));
        } else if critical.is_none() {
            outcome.warnings.push(format!(
                "there is no stick-slip motion at any drive speed searched, from {} to {} m/s",
                number(sweep.from),
                number(sweep.to)
            ));
        }
        let stick_slip = match critical {
            Some(_) => "below",
            None if still => "beyond",
            None => "never",
        };
        Ok(End { speed: critical, slip_time, stick_slip })
    }
}
