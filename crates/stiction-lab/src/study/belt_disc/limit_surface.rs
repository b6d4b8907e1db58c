//! The limit surface of a patch: which forces and torques static friction can hold, and where it gives way.

use super::{Context, model};
use crate::dataset::{Outcome, Table, Value, number};
use crate::study::{Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use stiction::field::Germ;
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::num::real::{cos, sin};
use stiction::patch::limit_body::{breakaway, onset_acceleration, section, shadow};
use stiction::patch::{FrozenPatch, Wrench};
use stiction::system::BeltDisc;

const KEY: &str = "study.limit_surface";

/// Forces and torques, divided by m g and m g R, at the limit of static friction, for the disc at one place of the belt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LimitSurface {
    /// Place (X, Y) of the centre of the disc on the belt \[m\].
    pub position: [f64; 2],
    /// Directions (θ, ψ) \[rad\] of the twist w = (cos θ cos ψ, cos θ sin ψ, sin θ) for which force, torque and dissipation are told.
    pub directions: Vec<[f64; 2]>,
    /// Transverse forces F_y/(m g) [-] for which the breakaway is told.
    pub transverse_forces: Vec<f64>,
    /// Index of the realisation, as in a campaign.
    pub index: u64,
    /// Steps of the angle θ from pole to pole in the picture of the surface; 0 for no picture.
    #[schemars(range(min = 0, max = 1000))]
    pub parallels: usize,
    /// Steps of the angle ψ around in the picture of the surface.
    #[schemars(range(min = 8, max = 10_000))]
    pub meridians: usize,
}

impl Default for LimitSurface {
    fn default() -> Self {
        Self {
            position: [0.0, 0.0],
            directions: Vec::new(),
            transverse_forces: vec![0.0],
            index: 0,
            parallels: 0,
            meridians: 72,
        }
    }
}

impl Study for LimitSurface {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        for (key, values) in [("position", &self.position[..]), ("transverse_forces", &self.transverse_forces[..])] {
            if values.iter().any(|value| !value.is_finite()) {
                return Err(StudyError::unsuitable(format!("{KEY}.{key}"), "has a number that is not finite"));
            }
        }
        if self.directions.iter().flatten().any(|angle| !angle.is_finite()) {
            return Err(StudyError::unsuitable(format!("{KEY}.directions"), "has a number that is not finite"));
        }
        let [x, y] = self.position;
        let mut wide = disc.clone();
        wide.strip_margin = Some(disc.margin().max(y.abs() + 0.1 * disc.radius));
        let duration = (x.abs() + disc.radius) / disc.belt_speed.abs().max(1e-3 * disc.speed_unit());
        let model = model(&wide, duration, context.progress)?;
        let mut outcome = Outcome::default();
        model
            .patch(&Germ::new(context.seed, self.index), self.position, |patch| self.ask(&mut outcome, disc, patch))?;
        Ok(outcome)
    }

    fn needs(&self) -> Vec<Need> {
        let [parallels, meridians] = [self.parallels, self.meridians].map(|count| count as f64);
        // beside the parallels 24 meridians, which are eight times as fine
        let points = parallels * (meridians + 193.0);
        vec![
            Need::new(Key::study("meridians"), meridians, points, "points of the surface", 200.0)
                .or("parallels", parallels),
        ]
    }
}

impl LimitSurface {
    fn ask(&self, outcome: &mut Outcome, disc: &BeltDisc, patch: &dyn FrozenPatch) {
        let moments = patch.moments();
        outcome.push("mean_coefficient", "", moments.mean);
        outcome.push("first_moment", "", moments.first.to_vec());
        let found: Vec<(Wrench, f64)> = self
            .directions
            .iter()
            .map(|[theta, psi]| {
                let d = patch.dissipation(twist(*theta, *psi));
                (d.gradient, d.value)
            })
            .collect();
        outcome.push("force_x", "", found.iter().map(|(wrench, _)| wrench[0]).collect::<Vec<f64>>());
        outcome.push("force_y", "", found.iter().map(|(wrench, _)| wrench[1]).collect::<Vec<f64>>());
        outcome.push("torque", "", found.iter().map(|(wrench, _)| wrench[2]).collect::<Vec<f64>>());
        outcome.push("dissipation", "", found.iter().map(|(_, value)| *value).collect::<Vec<f64>>());
        let limits: Vec<_> = self.transverse_forces.iter().map(|force| (*force, breakaway(patch, *force))).collect();
        let list = |of: fn(&stiction::patch::Breakaway) -> f64| -> Vec<Option<f64>> {
            limits.iter().map(|(_, limit)| limit.as_ref().map(of)).collect()
        };
        outcome.push("breakaway_force", "", list(|limit| limit.force));
        outcome.push("breakaway_b", "", list(|limit| limit.normal[1]));
        outcome.push("breakaway_c", "", list(|limit| limit.normal[2]));
        let inertia = disc.inertia() / (disc.mass * disc.radius * disc.radius);
        let onset = limits.iter().map(|(force_y, limit)| match limit {
            Some(limit) => {
                // the springs pull against the forces that friction holds
                let drive = [-limit.force, -force_y, 0.0];
                let toward = limit.normal.map(|n| -n);
                Value::from(onset_acceleration(patch, inertia, disc.kinetic_ratio, drive, toward).to_vec())
            }
            None => Value::Missing,
        });
        outcome.push("onset_acceleration", "", Value::List(onset.collect()));
        // the circle of the paper beside the section, along the belt
        let circle: Vec<Option<f64>> = self
            .transverse_forces
            .iter()
            .map(|force| {
                let rest = moments.mean * moments.mean - force * force;
                (rest >= 0.0).then(|| rest.sqrt())
            })
            .collect();
        let gap: Vec<Option<f64>> = circle
            .iter()
            .zip(&limits)
            .map(|(circle, (_, limit))| circle.zip(limit.as_ref()).map(|(circle, limit)| circle - limit.force))
            .collect();
        outcome.push("circle_force", "", circle);
        outcome.push("section_gap", "", gap);
        for (force, limit) in &limits {
            if limit.is_none() {
                let message =
                    format!("beside the transverse force {} m g the patch holds no force at all", number(*force));
                outcome.warnings.push(message);
            }
        }
        outcome.push("largest_torque", "", patch.dissipation([0.0, 0.0, 1.0]).value);
        outcome.tables.push(outline_table(patch, self.meridians));
        outcome.tables.push(self.path_table(&limits));
        if self.parallels > 0 {
            outcome.tables.push(self.surface_table(patch));
        }
    }

    /// Lines of equal θ and of equal ψ on the surface.
    fn surface_table(&self, patch: &dyn FrozenPatch) -> Table {
        let (mut line, mut band) = (Vec::new(), Vec::new());
        let mut columns: [Vec<f64>; 5] = Default::default();
        let mut add = |name: String, theta: f64, psi: f64| {
            let wrench = patch.dissipation(twist(theta, psi)).gradient;
            let degrees = (theta * 180.0 / PI).abs();
            let word = match degrees {
                d if d < 18.0 => "|θ| < 18°",
                d if d < 36.0 => "18° to 36°",
                d if d < 54.0 => "36° to 54°",
                d if d < 72.0 => "54° to 72°",
                _ => "|θ| > 72°",
            };
            line.push(name);
            band.push(word.to_owned());
            for (column, value) in columns.iter_mut().zip([theta, psi, wrench[0], wrench[1], wrench[2]]) {
                column.push(value);
            }
        };
        let angle = |part: f64| PI * part - FRAC_PI_2;
        for i in 1..self.parallels {
            let theta = angle(i as f64 / self.parallels as f64);
            for j in 0..=self.meridians {
                add(format!("parallel {i}"), theta, TAU * j as f64 / self.meridians as f64);
            }
        }
        let fine = 8 * self.parallels;
        for j in 0..24 {
            let psi = TAU * f64::from(j) / 24.0;
            for i in 0..=fine {
                // the poles are single points: just beside them
                let theta = angle((i as f64 / fine as f64).clamp(1e-6, 1.0 - 1e-6));
                add(format!("meridian {j}"), theta, psi);
            }
        }
        let [theta, psi, x, y, torque] = columns;
        Table::new("surface", "lines on the limit surface, one row a point")
            .words("line", "line", line)
            .words("latitude", "latitude of the twist", band)
            .numbers("theta", "rad", "θ", theta)
            .numbers("psi", "rad", "ψ", psi)
            .numbers("force_x", "", "F_x/(m g)", x)
            .numbers("force_y", "", "F_y/(m g)", y)
            .numbers("torque", "", "T/(m g R)", torque)
    }

    /// Forces of a disc that sticks while its spring is stretched, from none to breakaway.
    fn path_table(&self, limits: &[(f64, Option<stiction::patch::Breakaway>)]) -> Table {
        let (mut name, mut x, mut y) = (Vec::new(), Vec::new(), Vec::new());
        for (force, limit) in limits {
            let Some(limit) = limit else { continue };
            for i in 0..=20 {
                name.push(format!("F_y = {} m g", number(*force)));
                x.push(limit.force * f64::from(i) / 20.0);
                y.push(*force);
            }
        }
        Table::new("path", "forces of a disc that sticks, up to breakaway")
            .words("path", "path", name)
            .numbers("force_x", "", "F_x/(m g)", x)
            .numbers("force_y", "", "F_y/(m g)", y)
    }
}

fn twist(theta: f64, psi: f64) -> [f64; 3] {
    [cos(theta) * cos(psi), cos(theta) * sin(psi), sin(theta)]
}

/// Shadow and section of the limit body, one row an angle.
fn outline_table(patch: &dyn FrozenPatch, count: usize) -> Table {
    let (mut kind, mut angles, mut x, mut y, mut torque) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for curve in ["shadow", "section"] {
        for i in 0..=count {
            let angle = TAU * i as f64 / count as f64;
            let point = match curve {
                "shadow" => Some(shadow(patch, angle)),
                _ => section(patch, angle).map(|(wrench, _)| wrench),
            };
            if let Some([fx, fy, t]) = point {
                kind.push(curve.to_owned());
                angles.push(angle);
                x.push(fx);
                y.push(fy);
                torque.push(t);
            }
        }
    }
    Table::new("outline", "shadow of the limit body and its section without torque, one row a point")
        .words("curve", "curve", kind)
        .numbers("angle", "rad", "angle of the normal ψ", angles)
        .numbers("force_x", "", "F_x/(m g)", x)
        .numbers("force_y", "", "F_y/(m g)", y)
        .numbers("torque", "", "T/(m g R)", torque)
}
