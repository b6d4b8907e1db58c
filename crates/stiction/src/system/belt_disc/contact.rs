//! Friction of the disc at a place of the belt.

use super::{BeltDisc, Precision, Quadrature};
use crate::field::track::{ExactField, Track, TrackPlan, TrackSetting};
use crate::field::{FieldDescription, FieldError, Germ, GridPurpose, InterpolationChoice, Surface};
use crate::keys::{Key, Problem};
use crate::memory::{Excess, Memory, Need, shown};
use crate::patch::{
    Annulus, CellLattice, Cells, Disc, Dissipation, FrozenPatch, Outline, PatchMoments, PolarPatch, PolarRule, Shape,
    Twist, UniformAnnulus, Wrench,
};

/// What the contacts of all realisations share.
#[derive(Debug, Clone)]
pub(crate) struct ContactPlan {
    radius: f64,
    kind: PatchKind,
    warning: Option<String>,
}

#[derive(Debug, Clone)]
enum PatchKind {
    Uniform(UniformAnnulus),
    Lattice { lattice: CellLattice, plan: TrackPlan },
    Polar { rule: PolarRule, plan: TrackPlan, map: Option<Box<Surface>> },
}

/// Steps per radius of smooth given fields.
const GIVEN_CELLS: f64 = 20.0;
/// Fewest steps per radius.
const FEWEST_CELLS: f64 = 15.0;
/// Cells per radius over which a field that varies faster is averaged: the rim is as sharp as the cells, which takes less than
/// 1 % of the spread of the friction.
const AVERAGED_CELLS: f64 = 60.0;
/// Most steps of a field along the side of such a cell: one that needs more is refused for its number of nodes.
const MOST_PARTS: f64 = 60.0;
/// How far from the centre of the disc polar nodes lie at most, in radii.
const POLAR_REACH: f64 = 1.35;

impl ContactPlan {
    /// The same unless `stop` says so.
    ///
    /// # Errors
    /// As [`ContactPlan::new`], and if it was stopped.
    pub(crate) fn unless(
        stop: &dyn Fn() -> bool,
        disc: &BeltDisc,
        map: Option<&Surface>,
        duration: f64,
    ) -> Result<Self, FieldError> {
        let field = disc.description()?;
        let radius = disc.radius;
        if let FieldDescription::Constant(coefficient) = field {
            let uniform = UniformAnnulus { coefficient, hole: disc.inner_radius / radius };
            return Ok(Self { radius, kind: PatchKind::Uniform(uniform), warning: None });
        }
        let model = disc.field_model();
        let asked = disc.cells_per_radius.map(|cells| radius / cells).or(model.grid_step);
        let bound = radius / FEWEST_CELLS;
        let mut warning = None;
        let (step, smooth) = match (&field, map) {
            (FieldDescription::Random(random), _) => {
                let correlation = &random.prescribed;
                let accepted =
                    correlation.accepted_step(asked, GridPurpose::Statistics, Some(bound), model.allow_coarse)?;
                warning = accepted.warning;
                (accepted.step, correlation.default_interpolation())
            }
            (FieldDescription::File(_), Some(map)) => {
                warning = map.unit_warning(2.0 * radius);
                let [dx, dy] = map.grid().step();
                (asked.unwrap_or(dx.min(dy).min(bound)), InterpolationChoice::Cubic)
            }
            _ => (asked.unwrap_or(radius / GIVEN_CELLS), InterpolationChoice::Cubic),
        };
        let single = disc.precision == Some(Precision::Single);
        let (start, _) = disc.start_state();
        let way = disc.belt_speed.abs() * duration;
        let coarse = radius / AVERAGED_CELLS;
        // the spline and the weights at the rim reach four nodes beyond the disc, also those of averages
        let reach = radius + disc.margin() + 4.0 * step.max(coarse);
        let mut setting = TrackSetting {
            step,
            parts: 1,
            interpolation: model.interpolation.unwrap_or(smooth),
            single,
            mirrored: disc.belt_speed < 0.0,
            extent: [start[0] - way - reach, start[0] + reach],
            rims: [start[1] - reach, start[1] + reach],
        };
        let parts = (coarse / step).ceil();
        if let (FieldDescription::Random(random), Quadrature::Lattice, None) = (&field, disc.quadrature, asked)
            && (2.0..=MOST_PARTS).contains(&parts)
            && setting.is_streamed(random, model.generator)?
        {
            setting = TrackSetting { step: coarse, parts: parts as usize, ..setting };
        }
        let streamed = match (&field, map) {
            (FieldDescription::Random(random), _) => setting.is_streamed(random, model.generator)?,
            (_, Some(map)) => map.period().is_some(),
            _ => true,
        };
        if !streamed {
            admit_strip(disc, &setting, map)?;
        }
        let plan = TrackPlan::unless(stop, &field, map, model.generator, setting)?;
        let kind = match disc.quadrature {
            Quadrature::Lattice => {
                let invalid = |problem| FieldError::Invalid { problems: vec![problem] };
                let shape = if disc.inner_radius > 0.0 {
                    Shape::Annulus(Annulus { inner_radius: disc.inner_radius, outer_radius: radius })
                } else {
                    Shape::Disc(Disc { radius })
                };
                let outline = Outline::of(&shape).map_err(|problems| FieldError::Invalid { problems })?;
                let lattice =
                    CellLattice::new(&outline, radius, setting.step, disc.quadrature_weights).map_err(invalid)?;
                PatchKind::Lattice { lattice, plan }
            }
            Quadrature::Polar => {
                let detail = match &field {
                    FieldDescription::Random(random) => radius / random.prescribed.shortest_length(),
                    FieldDescription::File(_) => radius / (3.0 * step),
                    _ => 1.0,
                };
                let rule = PolarRule::new((20.0 + 8.0 * detail) as usize, (64.0 + 32.0 * detail) as usize);
                let rule = rule.with_hole(disc.inner_radius / radius);
                PatchKind::Polar { rule, plan, map: map.cloned().map(Box::new) }
            }
        };
        Ok(Self { radius, kind, warning })
    }

    /// Step of the lattice \[m\]; none for a uniform field or polar nodes.
    pub(crate) fn step(&self) -> Option<f64> {
        match &self.kind {
            PatchKind::Lattice { lattice, .. } => Some(lattice.step()),
            _ => None,
        }
    }

    /// Points at which friction is summed; 0 for a uniform field.
    pub(crate) fn points(&self) -> usize {
        match &self.kind {
            PatchKind::Uniform(_) => 0,
            PatchKind::Lattice { lattice, .. } => lattice.count(),
            PatchKind::Polar { rule, .. } => rule.count(),
        }
    }

    /// The coefficient of a uniform field.
    pub(crate) fn uniform(&self) -> Option<f64> {
        match self.kind {
            PatchKind::Uniform(uniform) => Some(uniform.coefficient),
            _ => None,
        }
    }

    /// What there is to say about a lattice that is coarser than it should be.
    pub(crate) fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// The contact of one realisation.
    pub(crate) fn contact(&self, germ: Germ) -> Contact<'_> {
        let track = match &self.kind {
            PatchKind::Lattice { plan, .. } | PatchKind::Polar { plan, .. } => Some(plan.track(germ)),
            PatchKind::Uniform(_) => None,
        };
        Contact { plan: self, germ, track, exact: None, evaluations: 0 }
    }
}

/// Refuses a strip of the belt that is made as a whole and does not fit into the memory of the run.
fn admit_strip(disc: &BeltDisc, setting: &TrackSetting, map: Option<&Surface>) -> Result<(), FieldError> {
    let TrackSetting { step, extent, rims, .. } = *setting;
    let sides = [extent, rims].map(|[low, high]| high - low);
    let sides = map.map_or(sides, |map| [0, 1].map(|axis| map.grid().size()[axis].min(sides[axis])));
    let points = (sides[0] / step + 1.0) * (sides[1] / step + 1.0);
    let (margin, memory) = (disc.margin(), Memory::of(disc.field.memory));
    let need = |key: &str, value: f64| Need::new(Key::system(key), value, points, "points of the strip", 40.0);
    let (key, need) = match disc.field.grid_step {
        _ if margin > disc.radius => ("strip_margin", need("strip_margin", margin)),
        Some(step) => ("grid_step", need("field.grid_step", step).by_step()),
        None => ("correlation_length", need("field.correlation_length", step).by_step()),
    };
    let refuse = |excess: Excess| match key {
        "correlation_length" => {
            let limit = shown(memory.limit() as f64);
            let message = format!(
                "a strip of {:.3e} m by {:.3e} m with a step of {step:e} m has {points:.2e} points, which do not fit into \
                 `memory`, {limit}; choose a shorter duration, a longer correlation length or a coarser `grid_step`",
                sides[0], sides[1]
            );
            FieldError::Generator { message }
        }
        key => FieldError::Invalid { problems: vec![Problem::new(key, excess.message)] },
    };
    memory.admit(&need).map_err(refuse)
}

/// The contact of one realisation: the part of the field where the disc is.
#[derive(Debug, Clone)]
pub struct Contact<'a> {
    plan: &'a ContactPlan,
    germ: Germ,
    track: Option<Track<'a>>,
    exact: Option<ExactField>,
    evaluations: u64,
}

/// A disc at rest on the belt.
#[derive(Debug)]
pub enum Frozen<'a> {
    /// On a uniform field.
    Uniform(UniformAnnulus),
    /// On a lattice.
    Cells(Cells),
    /// On polar nodes.
    Polar(PolarPatch<'a>),
}

impl FrozenPatch for Frozen<'_> {
    fn dissipation(&self, twist: Twist) -> Dissipation {
        match self {
            Frozen::Uniform(disc) => disc.dissipation(twist),
            Frozen::Cells(cells) => cells.dissipation(twist),
            Frozen::Polar(patch) => patch.dissipation(twist),
        }
    }

    fn moments(&self) -> PatchMoments {
        match self {
            Frozen::Uniform(disc) => disc.moments(),
            Frozen::Cells(cells) => cells.moments(),
            Frozen::Polar(patch) => patch.moments(),
        }
    }
}

impl Contact<'_> {
    /// ∇d of a twist where the centre of the disc is at belt coordinates `place` \[m\].
    ///
    /// # Errors
    /// If the field is not known there, or not positive.
    pub(crate) fn gradient(&mut self, place: [f64; 2], twist: Twist) -> Result<Wrench, FieldError> {
        self.evaluations += 1;
        match (&self.plan.kind, &mut self.track) {
            (PatchKind::Lattice { lattice, .. }, Some(track)) => {
                let (node, part) = located(place, lattice.step())?;
                let block = covering(track, lattice, node)?;
                Ok(lattice.gradient(block, node, part, twist)?)
            }
            (PatchKind::Polar { .. }, _) => {
                let gradient = match self.frozen(place)? {
                    Frozen::Polar(patch) => patch.gradient(twist),
                    other => other.dissipation(twist).gradient,
                };
                if gradient.iter().all(|g| g.is_finite()) { Ok(gradient) } else { Err(self.first_error(place)) }
            }
            (PatchKind::Uniform(uniform), _) => Ok(uniform.dissipation(twist).gradient),
            (PatchKind::Lattice { .. }, None) => Ok([0.0; 3]),
        }
    }

    /// The patch where the centre of the disc is at belt coordinates `place` \[m\].
    ///
    /// # Errors
    /// As [`Contact::gradient`].
    pub(crate) fn frozen(&mut self, place: [f64; 2]) -> Result<Frozen<'_>, FieldError> {
        let radius = self.plan.radius;
        match (&self.plan.kind, &mut self.track) {
            (PatchKind::Uniform(uniform), _) => Ok(Frozen::Uniform(*uniform)),
            (PatchKind::Lattice { lattice, .. }, Some(track)) => {
                let (node, part) = located(place, lattice.step())?;
                let block = covering(track, lattice, node)?;
                Ok(Frozen::Cells(lattice.frozen(block, node, part)?))
            }
            (PatchKind::Polar { rule, plan, map }, _) => {
                located(place, radius)?;
                let reach = POLAR_REACH * radius;
                let [low, high] = [place.map(|x| x - reach), place.map(|x| x + reach)];
                if !self.exact.as_ref().is_some_and(|exact| exact.covers(low, high)) {
                    // a little ahead, where the disc is going
                    let from = [low[0] - 8.0 * radius, low[1] - radius];
                    let to = [high[0] + radius, high[1] + radius];
                    self.exact = Some(plan.exact(map.as_deref(), &self.germ, from, to)?);
                }
                let Some(exact) = &self.exact else { return Ok(Frozen::Cells(Cells::default())) };
                let field = move |[xi, eta]: [f64; 2]| {
                    exact.at([place[0] + radius * xi, place[1] + radius * eta]).unwrap_or(f64::NAN)
                };
                Ok(Frozen::Polar(PolarPatch::new(rule, field)))
            }
            (PatchKind::Lattice { .. }, None) => Ok(Frozen::Cells(Cells::default())),
        }
    }

    /// The coefficient at a point of the belt \[m\].
    ///
    /// # Errors
    /// As [`Contact::gradient`].
    pub(crate) fn coefficient(&mut self, point: [f64; 2]) -> Result<f64, FieldError> {
        match (&self.plan.kind, &mut self.track) {
            (PatchKind::Uniform(uniform), _) => Ok(uniform.coefficient),
            (PatchKind::Polar { plan, map, .. }, _) => {
                plan.exact(map.as_deref(), &self.germ, point.map(|x| x - 1e-3), point.map(|x| x + 1e-3))?.at(point)
            }
            (PatchKind::Lattice { plan, .. }, _) if plan.setting().parts > 1 => {
                // the disc feels averages, but this is the field
                if !self.exact.as_ref().is_some_and(|exact| exact.covers(point, point)) {
                    let [from, to] = [-1.0, 1.0].map(|side| point.map(|x| x + side * self.plan.radius));
                    self.exact = Some(plan.exact(None, &self.germ, from, to)?);
                }
                self.exact.as_ref().map_or(Ok(0.0), |exact| exact.at(point))
            }
            (PatchKind::Lattice { .. }, Some(track)) => track.at(point),
            (PatchKind::Lattice { .. }, None) => Ok(0.0),
        }
    }

    /// The error of the first point around a place that has one.
    fn first_error(&self, place: [f64; 2]) -> FieldError {
        let reach = POLAR_REACH * self.plan.radius;
        let steps = || (-20..=20).map(|k| reach * f64::from(k) / 20.0);
        if let Some(exact) = &self.exact {
            for x in steps() {
                for y in steps() {
                    if let Err(error) = exact.at([place[0] + x, place[1] + y]) {
                        return error;
                    }
                }
            }
        }
        let [x, y] = place;
        FieldError::NotPositive { key: "field".to_owned(), x, y, value: f64::NAN }
    }
}

/// Node below and left of a place, and the part of its cell.
fn located(place: [f64; 2], step: f64) -> Result<([i64; 2], [f64; 2]), FieldError> {
    let scaled = place.map(|x| x / step);
    if !scaled.iter().all(|x| x.abs() < 1e12) {
        let [x, y] = place;
        let message = format!("the disc is at x = {x} m, y = {y} m of the belt, where the field has no digits left");
        return Err(FieldError::Generator { message });
    }
    let floors = scaled.map(f64::floor);
    Ok((floors.map(|x| x as i64), [scaled[0] - floors[0], scaled[1] - floors[1]]))
}

fn covering<'t>(
    track: &'t mut Track<'_>,
    lattice: &CellLattice,
    node: [i64; 2],
) -> Result<&'t crate::field::track::Block, FieldError> {
    let [columns, rows] = lattice.reach();
    track.covering(columns.map(|k| node[0] + k), rows.map(|k| node[1] + k))
}

#[cfg(test)]
impl ContactPlan {
    /// Prepares the contact of a disc for a motion of this `duration` \[s\]; `map` is the measured map, where the field is a
    /// file.
    ///
    /// # Errors
    /// The field cannot be made or evaluated, or the lattice is too coarse for it or too fine for any computer.
    pub(crate) fn new(disc: &BeltDisc, map: Option<&Surface>, duration: f64) -> Result<Self, FieldError> {
        Self::unless(&|| false, disc, map, duration)
    }
}
