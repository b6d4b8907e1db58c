//! Every attractor at one set of parameters, and the unstable states between their basins.

use super::{Graze, GrazeCase, Orbits, PathEnd, ReturnMap, Turn};
use crate::analysis::{AnalysisError, Budget};
use crate::integrate::Solver;
use crate::keys::number_text;
use crate::system::SpringBlock;
use crate::system::spring_block::Mode;

/// Everything that the block can do in the long run, without ageing.
#[derive(Debug, Clone)]
pub struct Attractors {
    /// Continuous sliding.
    pub sliding: Sliding,
    /// Oscillations that never stick, stable and unstable, by ascending amplitude.
    pub oscillations: Vec<Oscillation>,
    /// Whether an oscillation that must exist between two others, or between one and continuous sliding or stick-slip motion,
    /// could not be computed.
    pub lacks_oscillation: bool,
    /// Stick-slip motion; none if the slip from the static limit never sticks again.
    pub stick_slip: Option<StickSlip>,
    /// A periodic motion that passes the velocity of the surface both ways without sticking.
    pub through: Option<Through>,
    /// The orbit that grazes the velocity of the surface.
    pub graze: Graze,
    /// Whether there is a continuum of undamped oscillations without sticking, as under constant kinetic friction.
    pub continuum: bool,
    /// What becomes of a block that is released at the static limit.
    pub release: Release,
}

/// Continuous sliding: the block rests in the laboratory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sliding {
    /// Displacement F_K(v₀)/κ \[m\].
    pub displacement: f64,
    /// Real parts of the two eigenvalues [1/s], falling.
    pub eigenvalues_real: [f64; 2],
    /// Imaginary parts of the two eigenvalues [1/s].
    pub eigenvalues_imag: [f64; 2],
    /// Whether it attracts: F_K′(v₀) > 0.
    pub stable: bool,
}

/// An oscillation that never touches the velocity of the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillation {
    /// Largest displacement \[m\].
    pub max_displacement: f64,
    /// Smallest displacement \[m\].
    pub min_displacement: f64,
    /// Period \[s\].
    pub period: f64,
    /// Factor by which a small deviation grows in a period [-].
    pub multiplier: f64,
    /// Largest velocity [m/s], below that of the surface.
    pub fastest: f64,
    /// Whether it attracts.
    pub stable: bool,
}

/// Stick-slip motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StickSlip {
    /// Largest displacement \[m\].
    pub max_displacement: f64,
    /// Smallest displacement \[m\].
    pub min_displacement: f64,
    /// Duration of the slip \[s\], passes through the velocity of the surface included.
    pub slip_time: f64,
    /// Duration of the stick \[s\].
    pub stick_time: f64,
    /// Displacement at the first contact after the release \[m\].
    pub first_contact: f64,
    /// Displacement at which the block sticks \[m\].
    pub stick_displacement: f64,
    /// Whether the first contact is beyond the limit of sticking, κ x < −F_S(0).
    pub overshoot: bool,
    /// How often the slip passed the velocity of the surface without sticking.
    pub passes: usize,
}

impl StickSlip {
    /// Period \[s\].
    pub fn period(&self) -> f64 {
        self.slip_time + self.stick_time
    }
}

/// A periodic motion that passes the velocity of the surface both ways without sticking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Through {
    /// Largest displacement \[m\].
    pub max_displacement: f64,
    /// Smallest displacement \[m\].
    pub min_displacement: f64,
    /// Period \[s\].
    pub period: f64,
    /// Factor by which a small deviation grows in a period [-].
    pub multiplier: f64,
}

/// Largest number of passes through the velocity of the surface that a slip is followed.
const MAX_PASSES: usize = 10_000;

/// Finds every attractor of a block on a surface that moves forward, and the unstable states between them.
///
/// # Errors
/// If the drive speed is not positive, the contact ages, or the equations of motion cannot be solved.
pub fn attractors(block: &SpringBlock, solver: Solver) -> Result<Attractors, AnalysisError> {
    let budget = Budget::single();
    Orbits::without_aging(block, solver)?.within(&budget).attractors()
}

/// As [`attractors`], with the graze orbit and the return map already known.
pub(crate) fn with_map(orbits: &Orbits<'_>, graze: Graze, map: &ReturnMap) -> Result<Attractors, AnalysisError> {
    let mut oscillations = Vec::new();
    for amplitude in map.cycles(orbits)? {
        oscillations.extend(orbits.oscillation(map.centre + amplitude)?);
    }
    let mut release = orbits.release()?;
    if map.is_neutral() && orbits.block.law.starts_equal() {
        // the slip from the static limit is the largest of the undamped oscillations: it touches, and rests for no time
        (release.stick_slip, release.first_contact) = (None, None);
    }
    let lacks_oscillation = lacks_one(orbits, &graze, map, &oscillations);
    Ok(Attractors {
        sliding: orbits.sliding(),
        oscillations,
        lacks_oscillation,
        stick_slip: release.stick_slip,
        through: release.through,
        graze,
        continuum: map.is_neutral(),
        release,
    })
}

/// Whether the oscillations that were found cannot be all. Inside the graze orbit motions grow or shrink next to continuous
/// sliding, and next to the graze orbit; if they do different things there, the number of oscillations in between is odd.
fn lacks_one(orbits: &Orbits<'_>, graze: &Graze, map: &ReturnMap, found: &[Oscillation]) -> bool {
    let slope = orbits.block.kinetic_force_derivatives(orbits.drive())[1];
    let outer = graze.maximum_after - graze.maximum_before;
    // too close to neutral for a sign: nothing can be said
    if map.is_neutral() || slope == 0.0 || outer.abs() < 1e-9 * orbits.length_scale() {
        return false;
    }
    let grows = graze.case == GrazeCase::Inward || outer > 0.0;
    let changes = (slope < 0.0) != grows;
    changes != (found.len() % 2 == 1)
}

impl Attractors {
    /// The classes of the attractors: `CS`, `OS`, `SS`, `through`, each at most once, in this order.
    pub fn classes(&self) -> Vec<&'static str> {
        let mut classes = Vec::new();
        if self.sliding.stable {
            classes.push("CS");
        }
        if self.oscillations.iter().any(|cycle| cycle.stable) {
            classes.push("OS");
        }
        if self.stick_slip.is_some() {
            classes.push("SS");
        }
        if self.through.is_some() {
            classes.push("through");
        }
        classes
    }

    /// Number of attractors; several oscillations count each.
    pub fn coexisting(&self) -> usize {
        let oscillations = self.oscillations.iter().filter(|cycle| cycle.stable).count();
        usize::from(self.sliding.stable)
            + oscillations
            + usize::from(self.stick_slip.is_some())
            + usize::from(self.through.is_some())
    }

    /// Largest displacement on the special stick-slip boundary \[m\]; none if there is no such boundary.
    pub fn special_boundary_max(&self) -> Option<f64> {
        (self.graze.case == GrazeCase::Bounded).then_some(self.graze.maximum_before)
    }
}

/// What becomes of a block that is released at the static limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Release {
    /// It sticks again.
    pub stick_slip: Option<StickSlip>,
    /// It passes through for ever.
    pub through: Option<Through>,
    /// It does not touch: by how much it misses the velocity of the surface, v₀ − max ẋ [m/s].
    pub graze_margin: Option<f64>,
    /// Displacement at the first contact from above after an overshoot \[m\].
    pub contact_from_above: Option<f64>,
    /// Displacement at the first contact \[m\].
    pub first_contact: Option<f64>,
}

impl<'a> Orbits<'a> {
    /// Orbits of a block on a surface that moves forward.
    ///
    /// # Errors
    /// If a parameter lies outside its range, or the drive speed is not positive.
    pub fn new(block: &'a SpringBlock, solver: Solver) -> Result<Self, AnalysisError> {
        if let Some(problem) = block.problems().into_iter().next() {
            return Err(problem.into());
        }
        if block.drive_speed <= 0.0 {
            let message = format!(
                "{} m/s: this question needs a surface that moves (drive speed > 0)",
                number_text(block.drive_speed)
            );
            return Err(AnalysisError::unsuitable("drive_speed", message));
        }
        let orbits = Self { block, solver, budget: None };
        orbits.check_scales()?;
        Ok(orbits)
    }

    /// Refuses parameters whose time or length is no number.
    fn check_scales(&self) -> Result<(), AnalysisError> {
        let SpringBlock { mass, stiffness, normal_load, drive_speed, .. } = self.block;
        let usable = |scale: f64| scale.is_finite() && scale > 0.0;
        if !usable(self.natural_period()) {
            let message = format!(
                "{} kg: with a stiffness of {} N/m the block would swing with a period of {} s, which is no usable number; bring \
                 mass and stiffness closer to each other",
                number_text(*mass),
                number_text(*stiffness),
                number_text(self.natural_period())
            );
            return Err(AnalysisError::unsuitable("mass", message));
        }
        if !usable(self.length_scale()) {
            let message = format!(
                "{} N/m: under a normal load of {} N at {} m/s the spring would stretch by {} m, which is no usable number; bring \
                 stiffness and normal load closer to each other",
                number_text(*stiffness),
                number_text(*normal_load),
                number_text(*drive_speed),
                number_text(self.length_scale())
            );
            return Err(AnalysisError::unsuitable("stiffness", message));
        }
        Ok(())
    }

    /// Every attractor, and the unstable states between them.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn attractors(&self) -> Result<Attractors, AnalysisError> {
        let graze = self.graze()?;
        let map = ReturnMap::of(self, &graze)?;
        with_map(self, graze, &map)
    }

    /// Orbits of a block whose static friction does not depend on the time at rest.
    ///
    /// # Errors
    /// If the drive speed is not positive or the contact ages.
    pub fn without_aging(block: &'a SpringBlock, solver: Solver) -> Result<Self, AnalysisError> {
        if block.aging.is_some() {
            let message =
                "the attractors of an ageing contact are those of its stick-slip map: use study.stick_slip_map";
            return Err(AnalysisError::unsuitable("aging", message));
        }
        Self::new(block, solver)
    }

    /// Continuous sliding and its eigenvalues.
    pub(crate) fn sliding(&self) -> Sliding {
        let block = self.block;
        let slope = block.kinetic_force_derivatives(block.drive_speed)[1];
        let discriminant = slope * slope - 4.0 * block.stiffness * block.mass;
        let (real_parts, imaginary) = if discriminant < 0.0 {
            ([-slope; 2], [(-discriminant).sqrt(), -(-discriminant).sqrt()])
        } else {
            // the smaller root from the product of both: no cancellation
            let large = -slope - discriminant.sqrt().copysign(slope);
            let small = if large == 0.0 { 0.0 } else { 4.0 * block.stiffness * block.mass / large };
            ([large.max(small), large.min(small)], [0.0; 2])
        };
        Sliding {
            displacement: self.sliding_displacement(),
            eigenvalues_real: real_parts.map(|part| part / (2.0 * block.mass)),
            eigenvalues_imag: imaginary.map(|part| part / (2.0 * block.mass)),
            stable: slope > 0.0,
        }
    }

    /// The oscillation whose largest displacement is `x`; none if a turn from there does not come back. One that repels too
    /// strongly to be followed is computed backward in time, where it attracts.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn oscillation(&self, x: f64) -> Result<Option<Oscillation>, AnalysisError> {
        let near = |turn: &Turn| (turn.maximum - x).abs() < 1e-6 * self.length_scale();
        let (turn, max_displacement, multiplier, fastest) = match self.turn(x)?.filter(near) {
            Some(turn) => {
                let fastest = self.path_with_extremes(Mode::SlipBelow, x, 0.0, 1)?.fastest;
                (turn, x, turn.slope, fastest.unwrap_or(0.0))
            }
            None => {
                let Some((turn, fastest)) = self.turn_before(x)? else { return Ok(None) };
                (turn, turn.maximum, 1.0 / turn.slope, fastest)
            }
        };
        Ok(Some(Oscillation {
            max_displacement,
            min_displacement: turn.minimum,
            period: turn.duration,
            multiplier,
            fastest,
            stable: multiplier.abs() < 1.0,
        }))
    }

    /// Releases the block at the static limit and follows it until it sticks, settles without touching, or repeats itself.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn release(&self) -> Result<Release, AnalysisError> {
        let block = self.block;
        let limit = self.release_displacement();
        let mut release = Release {
            stick_slip: None,
            through: None,
            graze_margin: None,
            contact_from_above: None,
            first_contact: None,
        };
        let (mut mode, mut x) = (Mode::SlipBelow, limit);
        let mut whole = Range::at(limit);
        let mut this_round = Range::at(limit);
        let (mut slip_time, mut passes) = (0.0, 0);
        // the last start of a slip below: where, when, and the slope of the map since the beginning
        let mut round: Option<Round> = None;
        let mut slope = 1.0;
        loop {
            let path = self.path(mode, x, self.drive(), 2)?;
            for range in [&mut whole, &mut this_round] {
                range.include(path.min_displacement);
                range.include(path.max_displacement);
            }
            slip_time += path.duration;
            let PathEnd::Contact(contact) = path.end else {
                if passes == 0 {
                    release.graze_margin = self.margin(x)?;
                }
                return Ok(release);
            };
            slope *= contact.slope;
            release.first_contact.get_or_insert(contact.displacement);
            if mode == Mode::SlipAbove {
                release.contact_from_above.get_or_insert(contact.displacement);
            }
            mode = block.contact(mode, contact.displacement, 0.0);
            x = contact.displacement;
            match mode {
                Mode::Stick { .. } => {
                    let first_contact = release.first_contact.unwrap_or(x);
                    release.stick_slip = Some(StickSlip {
                        max_displacement: whole.high,
                        min_displacement: whole.low,
                        slip_time,
                        stick_time: (limit - x) / self.drive(),
                        first_contact,
                        stick_displacement: x,
                        overshoot: block.stiffness * first_contact < -block.contact_limit(),
                        passes,
                    });
                    return Ok(release);
                }
                Mode::SlipBelow => {
                    if let Some(last) = &round {
                        let (change, factor) = (x - last.x, slope / last.slope);
                        if change.abs() <= 1e-12 * self.length_scale() {
                            release.through = Some(Through {
                                max_displacement: this_round.high,
                                min_displacement: this_round.low,
                                period: slip_time - last.time,
                                multiplier: factor,
                            });
                            return Ok(release);
                        }
                        // nearly periodic: Newton's method on the map of a round, whose slope is known
                        if change.abs() < 1e-2 * self.length_scale() && factor.abs() < 0.95 {
                            x += change * factor / (1.0 - factor);
                        }
                    }
                    round = Some(Round { x, time: slip_time, slope });
                    this_round = Range::at(x);
                }
                Mode::SlipAbove => {}
            }
            passes += 1;
            if passes > MAX_PASSES {
                return Ok(release);
            }
        }
    }
}

/// Smallest and largest displacement of a part of a motion \[m\].
#[derive(Clone, Copy)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn at(x: f64) -> Self {
        Self { low: x, high: x }
    }

    fn include(&mut self, x: f64) {
        self.low = self.low.min(x);
        self.high = self.high.max(x);
    }
}

struct Round {
    x: f64,
    time: f64,
    slope: f64,
}
