//! Who sticks and who slips at the start and at an event: the cascade of releases, with its way back.
//!
//! All contacts without sliding velocity are judged together by the box problem. Every contact that it lets go leaves in the same
//! round, in the direction of its acceleration and with its kinetic force, which changes the accelerations of the others: they are
//! judged again. When nothing leaves any more, a contact that has left but would now turn round goes back. The whole cascade is one
//! jump.

use super::box_problem::BoxProblem;
use super::declare::Simultaneous;
use super::forces::Snapshot;
use super::network::Network;
use super::phases::{KnownMode, Phases};
use super::stick::{Stick, coupling};
use crate::Problem;
use crate::keys::KeyPath;
use crate::law::FrictionLaw;
use crate::system::{Fault, Phase};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most rounds of one cascade.
const MOST_ROUNDS: usize = 1000;

/// Part of the time 1 + |t| within which two roots are one instant.
const SAME_INSTANT: f64 = 1e-12;

/// Part of its limit that a force may lack to count as at the limit.
const AT_LIMIT: f64 = 1e-11;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The motion starts, or a state is entered from outside.
    Start,
    /// A sliding contact comes to rest.
    Arrival(usize),
    /// A stuck contact reaches its limit.
    Release(usize),
    /// A formula passes a kink.
    Kink(usize),
}

/// How a contact is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    /// It slides, and nothing is to be decided.
    Slides,
    /// It has no sliding velocity.
    Judged,
    /// It has no sliding velocity, but leaves.
    Left,
}

/// A cascade at one instant.
struct Cascade<'a> {
    network: &'a Network,
    t: f64,
    y: &'a [f64],
    phases: Phases,
    verdicts: Vec<Verdict>,
    now: Snapshot,
}

impl Network {
    /// The phases after an event, and the state put onto the contacts that stick.
    ///
    /// # Errors
    /// A [`Fault`] where the phases are not determined, or a contact loses its load.
    pub(super) fn settle(&self, before: &KnownMode, cause: Cause, t: f64, y: &mut [f64]) -> Result<Phases, Fault> {
        let mut now = Snapshot::new(self);
        self.evaluate(before, t, y, &mut now)?;
        let n = self.coordinates.len();
        y[n..2 * n].copy_from_slice(&now.velocities);
        let held = now.clone();
        let mut phases = Phases::clone(&before.phases);
        if let Cause::Kink(kink) = cause {
            phases.sides[kink] = !phases.sides[kink];
        }
        // sliding velocities on the new side of a kink: a drive may have jumped
        let sliding = Phases { contacts: vec![Phase::Slip; self.contacts.len()], ..phases.clone() };
        let free = KnownMode { phases: Rc::new(sliding), stick: Rc::new(Stick::of(self, std::iter::empty())) };
        self.move_along(&free, t, y, &mut now);
        let mut cascade = Cascade { network: self, t, y, phases, verdicts: Vec::new(), now };
        cascade.judge(cause, &held, before);
        cascade.run()?;
        let Cascade { phases, verdicts, .. } = cascade;
        let resting = (0..verdicts.len()).filter(|&k| verdicts[k] != Verdict::Slides);
        self.put_to_rest(&phases, resting, before, t, y);
        Ok(phases)
    }

    /// Puts velocities onto the contacts that have no sliding velocity, also where they leave: what rounding left of it would be
    /// the start of a slip in the wrong direction. Notes since when those that stick and age do.
    fn put_to_rest(
        &self,
        phases: &Phases,
        resting: impl Iterator<Item = usize>,
        before: &KnownMode,
        t: f64,
        y: &mut [f64],
    ) {
        let mut now = Snapshot::new(self);
        let known = KnownMode { phases: Rc::new(phases.clone()), stick: Rc::new(Stick::of(self, resting)) };
        self.move_along(&known, t, y, &mut now);
        let n = self.coordinates.len();
        y[n..2 * n].copy_from_slice(&now.velocities);
        let fresh = |contact: &usize| before.phases.contacts.get(*contact) != Some(&Phase::Stick);
        for contact in phases.stuck().filter(fresh).filter(|&k| self.contacts[k].aging.is_some()) {
            y[self.rest_since(contact)] = t;
        }
    }
}

impl Cascade<'_> {
    /// Which contacts are to be judged.
    fn judge(&mut self, cause: Cause, held: &Snapshot, before: &KnownMode) {
        let network = self.network;
        let released = self.released(cause, held, before);
        self.verdicts = Vec::with_capacity(network.contacts.len());
        for (k, contact) in network.contacts.iter().enumerate() {
            let sliding = self.now.sliding[k];
            let rounding = 8.0 * f64::EPSILON * contact.row.size_along(&self.now.velocities, &self.now.drives[1]);
            let stuck = self.phases.contacts[k] == Phase::Stick;
            let rate = contact.row.along(&held.accelerations, &held.drives[2]);
            let same_instant = sliding.abs() <= rate.abs() * SAME_INSTANT * (1.0 + self.t.abs());
            let rests = sliding.abs() <= rounding
                || match cause {
                    Cause::Start => false,
                    Cause::Arrival(arrived) => arrived == k || same_instant,
                    Cause::Release(_) | Cause::Kink(_) => !stuck && same_instant,
                };
            let verdict = match released.iter().find(|(contact, _)| *contact == k) {
                Some((_, direction)) => {
                    self.phases.contacts[k] = phase_of(*direction);
                    Verdict::Left
                }
                None if rests => {
                    self.phases.contacts[k] = Phase::Stick;
                    self.now.sliding[k] = 0.0;
                    Verdict::Judged
                }
                None => {
                    self.phases.contacts[k] = phase_of(sliding);
                    Verdict::Slides
                }
            };
            self.verdicts.push(verdict);
        }
    }

    /// Contacts that leave because they have reached their limits, and their directions.
    fn released(&self, cause: Cause, held: &Snapshot, before: &KnownMode) -> Vec<(usize, f64)> {
        let Cause::Release(first) = cause else { return Vec::new() };
        let stick = &before.stick;
        let mut leaving = Vec::new();
        for (k, group) in stick.groups.iter().enumerate() {
            let (limit, force) = (stick.group_limit(k, &held.limits), held.held[k]);
            let is_first = group.members.iter().any(|(contact, _)| *contact == first);
            let at_limit = force.abs() >= limit * (1.0 - AT_LIMIT);
            let together = self.network.simultaneous == Simultaneous::Together && at_limit;
            if is_first || together {
                leaving.extend(group.members.iter().map(|&(contact, c)| (contact, -force * c)));
            }
        }
        leaving
    }

    fn run(&mut self) -> Result<(), Fault> {
        let mut seen: Vec<Phases> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            if !self.release()? {
                continue;
            }
            if !self.take_back() {
                return Ok(());
            }
            if seen.contains(&self.phases) {
                break;
            }
            seen.push(self.phases.clone());
        }
        let judged = self.verdicts.iter().zip(self.network.contact_names());
        let names: Vec<&str> =
            judged.filter(|(verdict, _)| **verdict != Verdict::Slides).map(|(_, name)| name).collect();
        let message = format!(
            "of {} are not determined at t = {} s: no set of sticking contacts holds",
            names.join(", "),
            self.t
        );
        Err(Box::new(Problem::new("contact", message)))
    }

    /// Solves the box problem of the contacts that are judged; those that it does not hold leave. Returns whether none left.
    fn release(&mut self) -> Result<bool, Fault> {
        let network = self.network;
        network.accelerate_freely(&self.phases, self.t, self.y, &mut self.now)?;
        self.check_loads()?;
        let judged: Vec<usize> = (0..self.verdicts.len()).filter(|&k| self.verdicts[k] == Verdict::Judged).collect();
        for &contact in &judged {
            self.now.limits[contact] = network.static_limit(contact, self.t, self.y, self.now.loads[contact]);
        }
        let stick = Stick::of(network, judged.into_iter());
        let mut none_left = true;
        let mut forces = vec![0.0; stick.groups.len()];
        for component in components(&stick) {
            let problem = self.box_problem(&stick, &component);
            let Some(solution) = problem.solve() else { return Err(self.unsolvable(&stick, &component)) };
            for (place, &group) in component.iter().enumerate() {
                forces[group] = solution.forces[place];
                let rate = solution.rates[place];
                if rate != 0.0 {
                    none_left = false;
                    for &(contact, c) in &stick.groups[group].members {
                        self.phases.contacts[contact] = phase_of(rate * c);
                        self.verdicts[contact] = Verdict::Left;
                    }
                }
            }
        }
        // what the held contacts do to the accelerations of those that have left
        for (group, force) in stick.groups.iter().zip(&forces) {
            for &(k, c) in &group.row.entries {
                self.now.accelerations[k] += c * force / network.coordinates[k].mass;
            }
        }
        Ok(none_left)
    }

    /// Contacts that have left but would turn round are judged again. Returns whether there are any.
    fn take_back(&mut self) -> bool {
        let mut any = false;
        for (k, contact) in self.network.contacts.iter().enumerate() {
            if self.verdicts[k] != Verdict::Left {
                continue;
            }
            let rate = contact.row.along(&self.now.accelerations, &self.now.drives[2]);
            let size = contact.row.size_along(&self.now.accelerations, &self.now.drives[2]);
            let static_size = self.now.loads[k] * contact.law.static_coefficient();
            let size = size + static_size * coupling(self.network, &contact.row, &contact.row);
            if rate * self.phases.contacts[k].sign() < -1e-12 * size {
                self.phases.contacts[k] = Phase::Stick;
                self.verdicts[k] = Verdict::Judged;
                any = true;
            }
        }
        any
    }

    fn check_loads(&self) -> Result<(), Fault> {
        for (contact, load) in self.network.contacts.iter().zip(&self.now.loads) {
            if load.is_nan() || *load <= 0.0 {
                return Err(lost_load(&contact.key, &contact.name, *load));
            }
        }
        Ok(())
    }

    fn box_problem(&self, stick: &Stick, component: &[usize]) -> BoxProblem {
        let row = |group: usize| &stick.groups[group].row;
        let entry = |&i: &usize| component.iter().map(move |&j| coupling(self.network, row(i), row(j)));
        BoxProblem {
            matrix: component.iter().flat_map(entry).collect(),
            offset: component.iter().map(|&k| row(k).along(&self.now.accelerations, &self.now.drives[2])).collect(),
            limits: component.iter().map(|&k| stick.group_limit(k, &self.now.limits)).collect(),
        }
    }

    fn unsolvable(&self, stick: &Stick, component: &[usize]) -> Fault {
        let members = component.iter().flat_map(|&group| &stick.groups[group].members);
        let names: Vec<&str> = members.map(|(contact, _)| self.network.contacts[*contact].name.as_str()).collect();
        let message = format!(
            "{} stick together in a way that rounding does not decide at t = {} s: separate them, or change their limits",
            names.join(", "),
            self.t
        );
        Box::new(Problem::new("contact", message))
    }
}

/// The fault of a contact whose load vanishes.
pub(super) fn lost_load(key: &KeyPath, name: &str, load: f64) -> Fault {
    let message = format!(
        "of `{name}` is {load} N: the contact lifts off, which is not modelled; a normal load must stay > 0 along the whole motion"
    );
    Box::new(Problem::new("normal_load", message).below(key.clone()))
}

fn phase_of(direction: f64) -> Phase {
    if direction < 0.0 { Phase::Backward } else { Phase::Forward }
}

/// Groups that are coupled by the coordinates that they share.
fn components(stick: &Stick) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..stick.groups.len()).collect();
    fn root(parent: &mut [usize], mut k: usize) -> usize {
        while parent[k] != k {
            parent[k] = parent[parent[k]];
            k = parent[k];
        }
        k
    }
    let mut user: BTreeMap<usize, usize> = BTreeMap::new();
    for (group, entries) in stick.groups.iter().map(|group| &group.row.entries).enumerate() {
        for (coordinate, _) in entries {
            let other = *user.entry(*coordinate).or_insert(group);
            let (a, b) = (root(&mut parent, group), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut components: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for group in 0..stick.groups.len() {
        components.entry(root(&mut parent, group)).or_default().push(group);
    }
    components.into_values().collect()
}
