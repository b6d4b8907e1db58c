//! The equations of an assembly: coordinates, masses, and what acts along which direction.

use super::declare::{Body, BodyKind, Contact, NumberOrFormula, OneOrTwo, Simultaneous, Spring};
use super::{Entries, Entry, RESERVED};
use crate::Problem;
use crate::keys::{KeyPath, nearest};
use crate::law::{Aging, FrictionLaw, Law};
use crate::num::formula::Formula;
use crate::num::real;
use std::collections::BTreeMap;

/// A coordinate and its velocity.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Coordinate {
    /// Names of its columns: displacement and velocity.
    pub(super) names: [String; 2],
    /// Whether it is an angle.
    pub(super) is_angle: bool,
    pub(super) mass: f64,
    pub(super) start: [f64; 2],
}

/// A direction in the space of coordinates and drives: u = Σ c q + Σ d p, first end minus second.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Row {
    pub(super) entries: Vec<(usize, f64)>,
    pub(super) drives: Vec<(usize, f64)>,
}

impl Row {
    /// The sum along the direction of one number for each coordinate and each drive.
    #[inline]
    pub(super) fn along(&self, coordinates: &[f64], drives: &[f64]) -> f64 {
        let sum: f64 = self.entries.iter().map(|&(k, c)| c * coordinates[k]).sum();
        sum + self.drives.iter().map(|&(k, d)| d * drives[k]).sum::<f64>()
    }

    /// Sum of the sizes of the terms of [`Row::along`]: what is small beside it is rounding.
    pub(super) fn size_along(&self, coordinates: &[f64], drives: &[f64]) -> f64 {
        let sum: f64 = self.entries.iter().map(|&(k, c)| (c * coordinates[k]).abs()).sum();
        sum + self.drives.iter().map(|&(k, d)| (d * drives[k]).abs()).sum::<f64>()
    }

    /// Adds a force along the direction to the forces on the coordinates.
    #[inline]
    pub(super) fn push(&self, force: f64, forces: &mut [f64]) {
        for &(k, c) in &self.entries {
            forces[k] += c * force;
        }
    }

    /// The force on the drives times their speeds: the power that leaves the assembly through them.
    pub(super) fn power_into_drives(&self, force: f64, speeds: &[f64]) -> f64 {
        self.drives.iter().map(|&(k, d)| d * force * speeds[k]).sum()
    }
}

/// A formula of the motion: a number, or one in `t` and coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Signal {
    Constant(f64),
    Formula(SignalFormula),
}

/// A formula with the places of its variables, and of its kinks among those of the assembly.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SignalFormula {
    pub(super) formula: Formula,
    /// Places in the list: coordinates, velocities, time.
    pub(super) variables: Vec<usize>,
    pub(super) first_kink: usize,
    pub(super) kinks: usize,
    /// The key, for messages.
    pub(super) key: KeyPath,
}

/// Most variables that one formula may use.
pub(super) const MOST_VARIABLES: usize = 32;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct SpringElement {
    pub(super) name: String,
    pub(super) row: Row,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) cubic: f64,
    pub(super) preload: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ForceElement {
    pub(super) row: Row,
    pub(super) signal: Signal,
}

/// How a drive moves.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DriveMotion {
    /// Its speed is constant.
    Speed(f64),
    /// A formula for its speed; its position is integrated, this entry behind the velocities of the state.
    SpeedFormula(SignalFormula, usize),
    /// A formula for its position.
    Position(SignalFormula),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ContactElement {
    pub(super) name: String,
    pub(super) key: KeyPath,
    pub(super) row: Row,
    pub(super) load: Signal,
    pub(super) law: Law,
    pub(super) aging: Option<Aging>,
}

/// The equations of an assembly.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    pub(super) coordinates: Vec<Coordinate>,
    pub(super) springs: Vec<SpringElement>,
    pub(super) forces: Vec<ForceElement>,
    pub(super) drives: Vec<DriveMotion>,
    pub(super) contacts: Vec<ContactElement>,
    /// Number of drive positions that are integrated.
    pub(super) integrated: usize,
    /// Number of kinks of all formulas.
    pub(super) kinks: usize,
    pub(super) simultaneous: Simultaneous,
}

impl Network {
    pub(super) fn of(entries: &Entries) -> Result<Self, Vec<Problem>> {
        let mut builder = Builder::new(entries);
        let network = builder.network();
        if builder.problems.is_empty() { Ok(network) } else { Err(builder.problems) }
    }

    /// Number of coordinates.
    pub fn freedoms(&self) -> usize {
        self.coordinates.len()
    }

    /// Names of the contacts, in order of declaration.
    pub fn contact_names(&self) -> impl Iterator<Item = &str> {
        self.contacts.iter().map(|contact| contact.name.as_str())
    }
}

/// Where a body has its coordinates.
struct Place {
    kind: BodyKind,
    first: usize,
}

/// What a name at an end means.
enum End {
    Ground,
    Drive(usize),
    Body { kind: BodyKind, first: usize, axis: Option<usize> },
}

struct Builder<'a> {
    entries: &'a Entries,
    bodies: BTreeMap<String, Place>,
    drives: BTreeMap<String, usize>,
    coordinates: Vec<Coordinate>,
    /// Names that a formula of the motion knows: coordinates, velocities, time.
    variables: Vec<String>,
    kinks: usize,
    problems: Vec<Problem>,
}

impl<'a> Builder<'a> {
    fn new(entries: &'a Entries) -> Self {
        let mut builder = Self {
            entries,
            bodies: BTreeMap::new(),
            drives: BTreeMap::new(),
            coordinates: Vec::new(),
            variables: Vec::new(),
            kinks: 0,
            problems: Vec::new(),
        };
        builder.place_bodies();
        builder
    }

    fn problem(&mut self, key: KeyPath, message: impl Into<String>) {
        self.problems.push(Problem::new(key, message));
    }

    fn place_bodies(&mut self) {
        if self.entries.bodies.is_empty() {
            self.problem("body".into(), "is missing: declare at least one body");
        }
        for Entry { origin, copy, value } in &self.entries.bodies {
            let name = match copy {
                Some(copy) => format!("{}{copy}", value.name),
                None => value.name.clone(),
            };
            self.check_name(&value.name, origin);
            if self.bodies.contains_key(&name) {
                self.problem(origin.then("name"), format!("`{name}` is the name of two bodies: rename one"));
                continue;
            }
            let first = self.coordinates.len();
            self.add_coordinates(value, &name, origin);
            self.bodies.insert(name, Place { kind: value.kind, first });
        }
        for (k, Entry { origin, value, .. }) in self.entries.drives.iter().enumerate() {
            self.check_name(&value.name, origin);
            if self.bodies.contains_key(&value.name) || self.drives.insert(value.name.clone(), k).is_some() {
                self.problem(origin.then("name"), format!("`{}` is used twice: rename one", value.name));
            }
        }
        let names = |k: usize| self.coordinates.iter().map(move |coordinate| coordinate.names[k].clone());
        self.variables = names(0).chain(names(1)).chain(["t".to_owned()]).collect();
    }

    fn check_name(&mut self, name: &str, origin: &KeyPath) {
        let starts_well = name.chars().next().is_some_and(char::is_alphabetic);
        if RESERVED.contains(&name) {
            self.problem(
                origin.then("name"),
                format!("`{name}` is reserved ({}): choose another", RESERVED.join(", ")),
            );
        } else if !starts_well || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let message = format!("`{name}` is not a word: use letters, digits and `_`, starting with a letter");
            self.problem(origin.then("name"), message);
        }
    }

    fn add_coordinates(&mut self, body: &Body, name: &str, origin: &KeyPath) {
        let is_angle = body.kind == BodyKind::Rotor;
        let (mass, key, other) = match body.kind {
            BodyKind::Rotor => (body.inertia, "inertia", body.mass.map(|_| "mass")),
            _ => (body.mass, "mass", body.inertia.map(|_| "inertia")),
        };
        if let Some(other) = other {
            self.problem(origin.then(other), format!("has no meaning for this kind of body: give `{key}`"));
        }
        let mass = mass.unwrap_or_else(|| {
            self.problem(origin.then(key), "is missing, but must be a number > 0");
            1.0
        });
        let axes: &[[&str; 2]] = match body.kind {
            BodyKind::Point => &[["x", "vx"], ["y", "vy"]],
            _ => &[["x", "v"]],
        };
        for (axis, names) in axes.iter().enumerate() {
            let part = |value: OneOrTwo| match value {
                OneOrTwo::Two(both) if axes.len() == 2 => Some(both[axis]),
                OneOrTwo::One(value) if axes.len() == 1 || value == 0.0 => Some(value),
                _ => None,
            };
            let start = [("position", body.start.position), ("velocity", body.start.velocity)].map(|(key, value)| {
                part(value).unwrap_or_else(|| {
                    let wanted = if axes.len() == 2 { "two numbers" } else { "one number" };
                    self.problems
                        .push(Problem::new(origin.then(KeyPath::of(["start", key])), format!("must be {wanted}")));
                    0.0
                })
            });
            let names = names.map(|prefix| format!("{prefix}_{name}"));
            self.coordinates.push(Coordinate { names, is_angle, mass, start });
        }
    }

    fn network(&mut self) -> Network {
        let mut integrated = 0;
        let drives = self.entries.drives.iter().map(|drive| self.drive(drive, &mut integrated)).collect();
        let springs: Vec<_> = self.entries.springs.iter().filter_map(|spring| self.spring(spring)).collect();
        let forces = self.entries.forces.iter().filter_map(|force| {
            let (Force { on, between, formula, angle }, origin) = (&force.value, &force.origin);
            let row = match (on, between) {
                (Some(end), None) => self.row(&[end, "ground"], *angle, None, &origin.then("on"))?,
                (None, Some([first, second])) => self.row(&[first, second], *angle, None, &origin.then("between"))?,
                _ => {
                    self.problem(origin.clone(), "needs either `on` or `between`");
                    return None;
                }
            };
            Some(ForceElement { row, signal: self.signal(formula, &origin.then("formula"), false)? })
        });
        let forces: Vec<_> = forces.collect();
        let contacts: Vec<_> = self.entries.contacts.iter().filter_map(|contact| self.contact(contact)).collect();
        self.check_names(&springs, &contacts);
        Network {
            coordinates: self.coordinates.clone(),
            springs,
            forces,
            drives,
            contacts,
            integrated,
            kinks: self.kinks,
            simultaneous: self.entries.simultaneous,
        }
    }

    fn drive(&mut self, Entry { origin, value, .. }: &Entry<Drive>, integrated: &mut usize) -> DriveMotion {
        let still = DriveMotion::Speed(0.0);
        match (&value.speed, &value.position) {
            (Some(speed), None) => match self.signal(speed, &origin.then("speed"), true) {
                Some(Signal::Constant(speed)) => DriveMotion::Speed(speed),
                Some(Signal::Formula(formula)) => {
                    *integrated += 1;
                    DriveMotion::SpeedFormula(formula, *integrated - 1)
                }
                None => still,
            },
            (None, Some(position)) => match self.signal(position, &origin.then("position"), true) {
                Some(Signal::Formula(formula)) => DriveMotion::Position(formula),
                _ => still,
            },
            _ => {
                self.problem(origin.clone(), "needs either `speed` or `position`");
                still
            }
        }
    }

    fn spring(&mut self, entry: &Entry<Spring>) -> Option<SpringElement> {
        let Spring { name, between, stiffness, damping, cubic, preload, angle, radius } = &entry.value;
        let [first, second] = between;
        let row = self.row(&[first, second], *angle, *radius, &entry.origin.then("between"))?;
        let name = named(name.as_ref(), between, entry.copy);
        let [stiffness, damping, cubic, preload] = [*stiffness, *damping, *cubic, *preload];
        Some(SpringElement { name, row, stiffness, damping, cubic, preload })
    }

    fn contact(&mut self, entry: &Entry<Contact>) -> Option<ContactElement> {
        let Contact { name, between, angle, radius, normal_load, law, aging } = &entry.value;
        let (key, [first, second]) = (&entry.origin, between);
        for problem in law.problems() {
            self.problems.push(problem.below("law").below(key.clone()));
        }
        for problem in aging.iter().flat_map(crate::law::AgingLaw::problems) {
            self.problems.push(problem.below("aging").below(key.clone()));
        }
        let row = self.row(&[first, second], *angle, *radius, &key.then("between"))?;
        let load = self.signal(normal_load, &key.then("normal_load"), false)?;
        if let Signal::Constant(load) = load
            && load <= 0.0
        {
            self.problem(key.then("normal_load"), format!("is {load}, but must be > 0"));
        }
        let name = named(name.as_ref(), between, entry.copy);
        Some(ContactElement { name, key: key.clone(), row, load, law: law.clone(), aging: aging.clone() })
    }

    fn check_names(&mut self, springs: &[SpringElement], contacts: &[ContactElement]) {
        let mut seen = BTreeMap::new();
        for contact in contacts {
            if seen.insert(&contact.name, ()).is_some() {
                let message = format!("makes a second contact `{}`: give each a `name`", contact.name);
                self.problems.push(Problem::new(contact.key.clone(), message));
            }
        }
        let mut seen = BTreeMap::new();
        for (spring, entry) in springs.iter().zip(&self.entries.springs) {
            if seen.insert(&spring.name, ()).is_some() {
                let message = format!("makes a second spring `{}`: give each a `name`", spring.name);
                self.problems.push(Problem::new(entry.origin.clone(), message));
            }
        }
    }

    /// The direction from the second end to the first.
    fn row(&mut self, ends: &[&str; 2], angle: Option<f64>, radius: Option<f64>, key: &KeyPath) -> Option<Row> {
        let mut row = Row::default();
        if ends[0] == ends[1] {
            self.problem(key.clone(), format!("names `{}` twice: two different ends are needed", ends[0]));
            return None;
        }
        for (name, sign) in ends.iter().zip([1.0, -1.0]) {
            match self.end(name, key)? {
                End::Ground => {}
                End::Drive(drive) => row.drives.push((drive, sign)),
                End::Body { kind: BodyKind::Slider, first, .. } => row.entries.push((first, sign)),
                End::Body { kind: BodyKind::Rotor, first, .. } => {
                    row.entries.push((first, sign * radius.unwrap_or(1.0)));
                }
                End::Body { first, axis: Some(axis), .. } => row.entries.push((first + axis, sign)),
                End::Body { first, axis: None, .. } => {
                    let Some(angle) = angle else {
                        let message = format!("`{name}` is a point: give `angle`, or name `{name}.x` or `{name}.y`");
                        self.problem(key.clone(), message);
                        return None;
                    };
                    let [x, y] = direction(angle);
                    row.entries
                        .extend([(first, sign * x), (first + 1, sign * y)].into_iter().filter(|(_, c)| *c != 0.0));
                }
            }
        }
        if row.entries.is_empty() {
            self.problem(key.clone(), "moves no body: at least one end must be a body");
            return None;
        }
        Some(row)
    }

    fn end(&mut self, name: &str, key: &KeyPath) -> Option<End> {
        if name == "ground" {
            return Some(End::Ground);
        }
        if let Some(&drive) = self.drives.get(name) {
            return Some(End::Drive(drive));
        }
        let (body, axis) = match name.split_once('.') {
            Some((body, "x")) => (body, Some(0)),
            Some((body, "y")) => (body, Some(1)),
            _ => (name, None),
        };
        match self.bodies.get(body) {
            Some(Place { kind: BodyKind::Point, first }) => {
                Some(End::Body { kind: BodyKind::Point, first: *first, axis })
            }
            Some(Place { kind, first }) if axis != Some(1) => {
                Some(End::Body { kind: *kind, first: *first, axis: None })
            }
            _ => {
                let known = self.bodies.keys().chain(self.drives.keys()).map(String::as_str).chain(["ground"]);
                let known: Vec<&str> = known.collect();
                let meant = nearest(name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
                let list =
                    || if known.len() <= 12 { format!(": there are {}", known.join(", ")) } else { String::new() };
                let message = format!("`{name}` is not an end{}", meant.unwrap_or_else(list));
                self.problem(key.clone(), message);
                None
            }
        }
    }

    /// A number or formula; of time alone where nothing else has a meaning.
    fn signal(&mut self, value: &NumberOrFormula, key: &KeyPath, of_time: bool) -> Option<Signal> {
        let text = match value {
            NumberOrFormula::Number(value) => return Some(Signal::Constant(*value)),
            NumberOrFormula::Formula(text) => text,
        };
        let count = self.variables.len();
        let known: Vec<&str> = if of_time { vec!["t"] } else { self.variables.iter().map(String::as_str).collect() };
        let wrong = |error: crate::num::formula::FormulaError| format!("{error}\n{}", error.render(text));
        let parsed = Formula::parse(text, &known, &self.entries.parameters).map_err(wrong).and_then(|all| {
            let used = all.used();
            let names: Vec<&str> = used.iter().map(|&k| known[k]).collect();
            if used.len() > MOST_VARIABLES {
                return Err(format!("uses {} coordinates, but may use at most {MOST_VARIABLES}", used.len()));
            }
            let formula = Formula::parse(text, &names, &self.entries.parameters).map_err(wrong)?;
            Ok((formula, used))
        });
        match parsed {
            Ok((formula, used)) if used.is_empty() => {
                let value: f64 = formula.eval(&[]);
                if value.is_finite() {
                    return Some(Signal::Constant(value));
                }
                self.problem(key.clone(), format!("is {value}, but must be finite"));
                None
            }
            Ok((formula, used)) => {
                let (first_kink, kinks) = (self.kinks, formula.kinks());
                self.kinks += kinks;
                let variables = if of_time { vec![count - 1] } else { used };
                Some(Signal::Formula(SignalFormula { formula, variables, first_kink, kinks, key: key.clone() }))
            }
            Err(message) => {
                self.problem(key.clone(), message);
                None
            }
        }
    }
}

use super::declare::{Drive, Force};

/// Unit vector at an angle \[rad\]; exact zeros along the axes.
fn direction(angle: f64) -> [f64; 2] {
    let clean = |value: f64| if value.abs() < 1e-15 { 0.0 } else { value };
    [clean(real::cos(angle)), clean(real::sin(angle))]
}

/// The name of a spring or contact: its own with the number of its copy, or that of its ends.
fn named(name: Option<&String>, [first, second]: &[String; 2], copy: Option<i64>) -> String {
    match (name, copy) {
        (Some(name), Some(copy)) => format!("{name}{copy}"),
        (Some(name), None) => name.clone(),
        (None, _) => {
            let plain = |end: &str| end.replace(['.'], "_");
            format!("{}_{}", plain(first), plain(second))
        }
    }
}
