//! What a person says about two discs: the keys of the mechanism, with the values of the paper as defaults.

use super::face::Face;
use super::law::BristleLaw;
use super::pressure::Pressure;
use super::surface::IntervalField;
use crate::Problem;
use crate::keys::{Check, keyed, outside};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two elastically held discs with a bar between them that rubs through bristles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwoDisc {
    /// The upper disc, which carries the bar.
    #[serde(default)]
    pub upper: UpperDisc,
    /// The lower disc, which the drive turns.
    #[serde(default)]
    pub lower: LowerDisc,
    /// One number for all four dampings [N s/m, N m s/rad]; if given, it replaces them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub damping_level: Option<f64>,
    /// The contact face of the bar.
    #[serde(default)]
    pub contact: Contact,
    /// Normal load F_N \[N\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub normal_load: f64,
    /// Speed Ω of the drive [rad/s]; equilibria need a value other than 0.
    pub drive_speed: f64,
    /// Friction law of the bristles.
    #[serde(default)]
    pub law: BristleLaw,
    /// Static coefficient that varies over the lower disc between bounds; without it the coefficient is that of the law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<IntervalField>,
    /// Where the motion starts.
    #[serde(default)]
    pub start: DiscStart,
    /// What is added to the equilibrium, with `start = "equilibrium"`.
    #[serde(default, skip_serializing_if = "Perturbation::is_zero")]
    pub perturbation: Perturbation,
}

keyed!(TwoDisc);

macro_rules! disc {
    ($(#[$what:meta])* $name:ident, $rotation:literal, $mass:literal, $inertia:literal, $stiffness:literal, $torsion:literal, $radius:literal) => {
        $(#[$what])*
        #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            /// Mass \[kg\], > 0.
            #[schemars(extend("exclusiveMinimum" = 0.0))]
            pub mass: f64,
            /// Moment of inertia about its centre [kg m²], > 0.
            #[schemars(extend("exclusiveMinimum" = 0.0))]
            pub inertia: f64,
            /// Stiffness of the springs along x and y [N/m], > 0.
            #[schemars(extend("exclusiveMinimum" = 0.0))]
            pub stiffness: f64,
            #[doc = concat!("Stiffness of the torsion spring ", $rotation, " [N m/rad], > 0.")]
            #[schemars(extend("exclusiveMinimum" = 0.0))]
            pub torsional_stiffness: f64,
            /// Damping along x and y [N s/m].
            #[schemars(range(min = 0.0))]
            pub damping: f64,
            #[doc = concat!("Damping of the rotation ", $rotation, " [N m s/rad].")]
            #[schemars(range(min = 0.0))]
            pub torsional_damping: f64,
            /// Radius \[m\], > 0.
            #[schemars(extend("exclusiveMinimum" = 0.0))]
            pub radius: f64,
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    mass: $mass,
                    inertia: $inertia,
                    stiffness: $stiffness,
                    torsional_stiffness: $torsion,
                    damping: 0.1,
                    torsional_damping: 0.1,
                    radius: $radius,
                }
            }
        }
    };
}

disc!(
    /// The upper disc, which carries the bar.
    UpperDisc, "against the frame", 1.0, 0.5, 10.0, 10.0, 1.0
);
disc!(
    /// The lower disc, which the drive turns.
    LowerDisc, "against the drive", 4.0, 8.0, 100.0, 100.0, 2.0
);

/// The longest step \[s\] by default for an upper disc of this mass on springs of this stiffness.
pub(super) fn longest_step(mass: f64, stiffness: f64) -> f64 {
    (0.4 * mass / stiffness).sqrt().clamp(f64::MIN_POSITIVE, f64::MAX)
}

/// The contact face of the bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Contact {
    /// Radius R_c of the face \[m\], at most that of the upper disc; 0 is a point contact.
    #[schemars(range(min = 0.0))]
    pub radius: f64,
    /// Distance of the bar's centre from that of the upper disc \[m\], > 0; by default the bar is flush with the rim, and a point
    /// contact sits on the rim.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub position: Option<f64>,
    /// Rings of the mesh; it has 6 n² cells.
    #[schemars(range(min = 1, max = 200))]
    pub rings: usize,
    /// Turns the mesh in the face \[rad\]: shows how much the mesh matters.
    pub rotation: f64,
    /// Cells that replace the rings, each `[x, y, area]`: centroid from the centre of the face and area, in units of R_c and R_c².
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<[f64; 3]>,
    /// Pressure over the face as a formula in `x`, `y` and `r` (from its centre, in units of R_c), up to a factor, such as
    /// `sqrt(1 - r^2)`; by default it is even.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Pressure>,
    /// How forces are summed over the face.
    pub quadrature: Quadrature,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            radius: 0.1,
            position: None,
            rings: 5,
            rotation: 0.0,
            cells: Vec::new(),
            pressure: None,
            quadrature: Quadrature::Rings,
        }
    }
}

impl Contact {
    /// Distance of the farthest point of the face from the centre of an upper disc of this radius \[m\].
    pub(crate) fn outer(&self, upper_radius: f64) -> f64 {
        self.position.map_or(upper_radius, |position| position + self.radius)
    }

    /// What is wrong with the mesh and the pressure, below `contact`.
    fn problems(&self) -> Vec<Problem> {
        let mut check = Check::default();
        let is_inside = |[x, y, area]: &[f64; 3]| x * x + y * y <= 1.0 && *area > 0.0 && area.is_finite();
        if let Some(index) = self.cells.iter().position(|cell| !is_inside(cell)) {
            let message = "must have its centroid within the face (x² + y² <= 1) and an area > 0";
            check.problem(format!("cells[{index}]"), message.to_owned());
        }
        if self.cells.len() == 1 {
            check.problem("cells", "has one cell: give at least two, or `radius = 0.0` for a point".to_owned());
        }
        if !self.cells.is_empty() && self.radius == 0.0 {
            check.problem("cells", "is a mesh, but `radius` is 0: a point contact has none".to_owned());
        }
        if !self.cells.is_empty() && self.quadrature == Quadrature::Centred {
            check.problem("quadrature", "is `centred`, which has no mesh: remove it, or `cells`".to_owned());
        }
        check.found()
    }

    /// Whether the pressure is negative or undefined at a cell of this face, or zero at all of them.
    fn pressure_problem(&self, face: &Face, outer: f64) -> Option<Problem> {
        let pressure = self.pressure.as_ref().filter(|_| self.radius > 0.0)?;
        let centre = outer - self.radius;
        let places = face.x.iter().zip(&face.y).map(|(x, y)| ((x - centre) / self.radius, y / self.radius));
        let bad = places.map(|(x, y)| (x, y, pressure.at(x, y))).find(|(.., p)| !(p.is_finite() && *p >= 0.0));
        let message = match bad {
            Some((x, y, p)) => format!("is {p} at x = {x:.3}, y = {y:.3}, but must be >= 0 over the whole face"),
            None if face.weights.iter().all(|weight| weight.is_finite()) => return None,
            None => "is 0 over the whole face: nothing carries the load".to_owned(),
        };
        Some(Problem::new("contact.pressure", message))
    }
}

/// How forces are summed over the contact face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quadrature {
    /// Triangles between concentric rings.
    #[default]
    Rings,
    /// Rays from the centre of rotation: free of the mesh, for equilibria and their stability only.
    Centred,
}

/// Where the motion starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiscStart {
    /// Everything at zero while the lower disc already turns with the drive.
    #[default]
    Turning,
    /// Everything at zero, the lower disc at rest too.
    AtRest,
    /// The equilibrium plus `perturbation`.
    Equilibrium,
}

/// A displacement of the six coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Perturbation {
    /// Of X₁ \[m\].
    pub upper_x: f64,
    /// Of Y₁ \[m\].
    pub upper_y: f64,
    /// Of Θ \[rad\].
    pub upper_rotation: f64,
    /// Of X₂ \[m\].
    pub lower_x: f64,
    /// Of Y₂ \[m\].
    pub lower_y: f64,
    /// Of Φ \[rad\].
    pub lower_rotation: f64,
}

impl Perturbation {
    /// The six numbers in the order of the coordinates.
    pub(crate) fn values(&self) -> [f64; 6] {
        [self.upper_x, self.upper_y, self.upper_rotation, self.lower_x, self.lower_y, self.lower_rotation]
    }

    fn is_zero(&self) -> bool {
        self.values() == [0.0; 6]
    }
}

impl TwoDisc {
    /// Discs of the paper's table under this load \[N\] at this speed of the drive [rad/s].
    pub fn new(normal_load: f64, drive_speed: f64) -> Self {
        Self {
            upper: UpperDisc::default(),
            lower: LowerDisc::default(),
            damping_level: None,
            contact: Contact::default(),
            normal_load,
            drive_speed,
            law: BristleLaw::default(),
            field: None,
            start: DiscStart::default(),
            perturbation: Perturbation::default(),
        }
    }

    /// Masses and moments of inertia in the order of the coordinates [kg, kg m²].
    pub(crate) fn inertias(&self) -> [f64; 6] {
        let (upper, lower) = (&self.upper, &self.lower);
        [upper.mass, upper.mass, upper.inertia, lower.mass, lower.mass, lower.inertia]
    }

    /// Longest step of the solver \[s\] by default: about a tenth of the period of the upper disc on its springs, 0.2 s for the
    /// paper's discs.
    pub fn longest_step(&self) -> f64 {
        longest_step(self.upper.mass, self.upper.stiffness)
    }

    /// Stiffnesses in the order of the coordinates [N/m, N m/rad].
    pub(crate) fn stiffnesses(&self) -> [f64; 6] {
        let (upper, lower) = (&self.upper, &self.lower);
        let (p, d) = (upper.stiffness, lower.stiffness);
        [p, p, upper.torsional_stiffness, d, d, lower.torsional_stiffness]
    }

    /// Dampings in the order of the coordinates [N s/m, N m s/rad].
    pub(crate) fn dampings(&self) -> [f64; 6] {
        let (upper, lower) = (&self.upper, &self.lower);
        let all = [
            upper.damping,
            upper.damping,
            upper.torsional_damping,
            lower.damping,
            lower.damping,
            lower.torsional_damping,
        ];
        self.damping_level.map_or(all, |level| [level; 6])
    }

    /// What is wrong with the parameters (empty if nothing).
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if !found.is_empty() {
            return found;
        }
        let mut check = Check::default();
        check.at_most("upper.radius", self.upper.radius, "lower.radius", self.lower.radius).at_most(
            "contact.radius",
            self.contact.radius,
            "upper.radius",
            self.upper.radius,
        );
        if self.start == DiscStart::Equilibrium && self.drive_speed == 0.0 {
            check.problem(
                "drive_speed",
                "is 0, but an equilibrium with slip needs a drive that turns; use another `start`".to_owned(),
            );
        }
        let below = |problems: Vec<Problem>, key: &'static str| problems.into_iter().map(move |p| p.below(key));
        let mut problems: Vec<Problem> = below(self.law.problems(), "law").collect();
        problems.extend(below(self.contact.problems(), "contact"));
        problems.extend(check.found());
        if problems.is_empty() {
            problems.extend(self.contact.pressure_problem(&Face::of(self), self.contact.outer(self.upper.radius)));
        }
        let field = self.field.iter().flat_map(|field| field.contradictions(self.lower.radius));
        problems.extend(field.map(|problem| problem.below("field")));
        problems
    }
}
