//! Forces and accelerations of an assembly in one mode.

use super::network::{DriveMotion, MOST_VARIABLES, Network, Signal, SignalFormula};
use super::phases::{KnownMode, Phases};
use crate::Problem;
use crate::law::{AgingLaw, FrictionLaw};
use crate::num::jet::Jet;
use crate::system::Fault;

/// Everything that a motion shows at an instant, made once and used again.
#[derive(Debug, Clone, Default)]
pub(super) struct Snapshot {
    /// Positions \[m\], speeds [m/s] and accelerations [m/s²] of the drives.
    pub(super) drives: [Vec<f64>; 3],
    pub(super) velocities: Vec<f64>,
    pub(super) accelerations: Vec<f64>,
    /// Sliding velocity [m/s], load \[N\], friction on the first end \[N\] and static limit \[N\] of each contact.
    pub(super) sliding: Vec<f64>,
    pub(super) loads: Vec<f64>,
    pub(super) friction: Vec<f64>,
    pub(super) limits: Vec<f64>,
    /// Force of each group of stuck contacts \[N\].
    pub(super) held: Vec<f64>,
    /// Arguments of the kinks of all formulas.
    pub(super) kinks: Vec<f64>,
}

impl Snapshot {
    pub(super) fn new(network: &Network) -> Self {
        let (n, contacts) = (network.coordinates.len(), network.contacts.len());
        let drives = || vec![0.0; network.drives.len()];
        let each = || vec![0.0; contacts];
        Self {
            drives: [drives(), drives(), drives()],
            velocities: vec![0.0; n],
            accelerations: vec![0.0; n],
            sliding: each(),
            loads: each(),
            friction: each(),
            limits: each(),
            held: Vec::with_capacity(contacts),
            kinks: vec![0.0; network.kinks],
        }
    }
}

/// Where the parts of a state begin.
impl Network {
    /// Number of coordinates and velocities.
    pub(super) fn states(&self) -> usize {
        2 * self.coordinates.len()
    }

    /// First entry of the heat of the contacts; the instants at which ageing contacts came to rest follow.
    pub(super) fn heat(&self) -> usize {
        self.states() + self.integrated
    }

    /// Entry of the instant at which a contact came to rest.
    pub(super) fn rest_since(&self, contact: usize) -> usize {
        self.heat() + self.contacts.len() + contact
    }

    /// Length of a state.
    pub(super) fn length(&self) -> usize {
        let ages = self.contacts.iter().any(|contact| contact.aging.is_some());
        self.heat() + self.contacts.len() * if ages { 2 } else { 1 }
    }

    /// Drives, velocities and sliding velocities: what needs no force.
    pub(super) fn move_along(&self, known: &KnownMode, t: f64, y: &[f64], now: &mut Snapshot) {
        self.drive(&known.phases, t, y, now);
        let n = self.coordinates.len();
        now.velocities.copy_from_slice(&y[n..2 * n]);
        known.stick.project(&mut now.velocities, &now.drives[1]);
        for (contact, sliding) in self.contacts.iter().zip(&mut now.sliding) {
            *sliding = contact.row.along(&now.velocities, &now.drives[1]);
        }
        for contact in known.phases.stuck() {
            now.sliding[contact] = 0.0;
        }
    }

    fn drive(&self, phases: &Phases, t: f64, y: &[f64], now: &mut Snapshot) {
        let [positions, speeds, rates] = &mut now.drives;
        let kinks = &mut now.kinks;
        for (k, drive) in self.drives.iter().enumerate() {
            [positions[k], speeds[k], rates[k]] = match drive {
                DriveMotion::Speed(speed) => [speed * t, *speed, 0.0],
                DriveMotion::SpeedFormula(formula, slot) => {
                    let [speed, rate] = formula.sided(&[Jet::<2>::variable(t)], phases, kinks).derivatives();
                    [y[self.states() + slot], speed, rate]
                }
                DriveMotion::Position(formula) => formula.sided(&[Jet::<3>::variable(t)], phases, kinks).derivatives(),
            };
        }
    }

    /// Everything, from the state.
    pub(super) fn evaluate(&self, known: &KnownMode, t: f64, y: &[f64], now: &mut Snapshot) -> Result<(), Fault> {
        self.move_along(known, t, y, now);
        self.accelerate_freely(&known.phases, t, y, now)?;
        let KnownMode { phases, stick } = known;
        let (rates, accelerations) = (&now.drives[2], &mut now.accelerations);
        now.held.clear();
        now.held.extend(stick.groups.iter().map(|group| -group.row.along(accelerations, rates)));
        stick.solve(&mut now.held);
        for (group, force) in stick.groups.iter().zip(&now.held) {
            for &(k, c) in &group.row.entries {
                accelerations[k] += c * force / self.coordinates[k].mass;
            }
        }
        stick.project(accelerations, rates);
        self.limit(phases, t, y, now);
        stick.share(now);
        Ok(())
    }

    /// Accelerations under everything but the forces of stuck contacts.
    pub(super) fn accelerate_freely(
        &self,
        phases: &Phases,
        t: f64,
        y: &[f64],
        now: &mut Snapshot,
    ) -> Result<(), Fault> {
        let q = &y[..self.coordinates.len()];
        now.accelerations.fill(0.0);
        for spring in &self.springs {
            let extension = -spring.row.along(q, &now.drives[0]);
            let rate = if spring.damping == 0.0 { 0.0 } else { -spring.row.along(&now.velocities, &now.drives[1]) };
            spring.row.push(spring.force(extension, rate), &mut now.accelerations);
        }
        for force in &self.forces {
            let value = self.value(&force.signal, phases, t, (q, &now.velocities), &mut now.kinks);
            force.row.push(value, &mut now.accelerations);
        }
        for (k, contact) in self.contacts.iter().enumerate() {
            now.loads[k] = self.value(&contact.load, phases, t, (q, &now.velocities), &mut now.kinks);
            let direction = phases.contacts[k].sign();
            if direction == 0.0 {
                continue;
            }
            let speed = direction * now.sliding[k];
            let coefficient = contact.law.kinetic(speed);
            if coefficient < 0.0 && speed >= 0.0 {
                let message = format!(
                    "gives a coefficient of {coefficient} at the sliding speed {speed} m/s, but friction cannot drive: change the law"
                );
                return Err(Box::new(Problem::new("law", message).below(contact.key.clone())));
            }
            now.friction[k] = -direction * now.loads[k] * coefficient;
            contact.row.push(now.friction[k], &mut now.accelerations);
        }
        for (acceleration, coordinate) in now.accelerations.iter_mut().zip(&self.coordinates) {
            *acceleration /= coordinate.mass;
        }
        Ok(())
    }

    /// Static limits of the stuck contacts.
    fn limit(&self, phases: &Phases, t: f64, y: &[f64], now: &mut Snapshot) {
        for contact in phases.stuck() {
            now.limits[contact] = self.static_limit(contact, t, y, now.loads[contact]);
        }
    }

    /// What a contact holds at most \[N\].
    pub(super) fn static_limit(&self, contact: usize, t: f64, y: &[f64], load: f64) -> f64 {
        let element = &self.contacts[contact];
        let aged = element.aging.as_ref().map_or(0.0, |aging| aging.growth((t - y[self.rest_since(contact)]).max(0.0)));
        load * (element.law.static_coefficient() + aged)
    }

    pub(super) fn value(
        &self,
        signal: &Signal,
        phases: &Phases,
        t: f64,
        (q, v): (&[f64], &[f64]),
        kinks: &mut [f64],
    ) -> f64 {
        match signal {
            Signal::Constant(value) => *value,
            Signal::Formula(formula) => {
                let mut values = [0.0; MOST_VARIABLES];
                for (value, &place) in values.iter_mut().zip(&formula.variables) {
                    let n = q.len();
                    *value = match place {
                        place if place < n => q[place],
                        place if place < 2 * n => v[place - n],
                        _ => t,
                    };
                }
                formula.sided(&values[..formula.variables.len()], phases, kinks)
            }
        }
    }
}

impl SignalFormula {
    /// The value on the sides of a mode; the arguments of its kinks go into their places.
    fn sided<T: crate::num::jet::Scalar>(&self, variables: &[T], phases: &Phases, kinks: &mut [f64]) -> T {
        let range = self.first_kink..self.first_kink + self.kinks;
        let sides = phases.sides.get(range.clone()).unwrap_or(&[]);
        let mut places = kinks[range].iter_mut();
        self.formula.eval_sided(variables, sides, |argument| {
            if let Some(place) = places.next() {
                *place = argument;
            }
        })
    }
}

impl super::network::SpringElement {
    /// Force on the first end \[N\].
    pub(super) fn force(&self, extension: f64, rate: f64) -> f64 {
        let elastic = if self.cubic == 0.0 { 0.0 } else { self.cubic * extension * extension * extension };
        self.stiffness * extension + elastic + self.damping * rate + self.preload
    }
}

impl super::stick::Stick {
    /// Friction of each stuck contact: its share of what its group holds, of least norm within the limits.
    fn share(&self, now: &mut Snapshot) {
        self.balance_loops(now);
        for (group, &held) in self.groups.iter().zip(&now.held) {
            if let [(contact, _)] = group.members[..] {
                now.friction[contact] = held;
                continue;
            }
            let factor = level(held, &group.members, &now.limits);
            for &(contact, c) in &group.members {
                now.friction[contact] = (factor * c).clamp(-now.limits[contact], now.limits[contact]);
            }
        }
    }

    /// Adds the forces that balance each other so that all of them are as small as the limits allow.
    fn balance_loops(&self, now: &mut Snapshot) {
        let [balance] = &self.loops[..] else { return };
        let [low, high] = self.room(balance, now);
        let product: f64 = balance.iter().zip(&now.held).map(|(n, held)| n * held).sum();
        let least = -product / balance.iter().map(|n| n * n).sum::<f64>();
        let amount = if low <= high { least.clamp(low, high) } else { 0.5 * (low + high) };
        now.held.iter_mut().zip(balance).for_each(|(held, n)| *held += amount * n);
    }

    /// Limit of a group \[N\], in units of its first member.
    pub(super) fn group_limit(&self, group: usize, limits: &[f64]) -> f64 {
        self.groups[group].members.iter().map(|&(contact, c)| c.abs() * limits[contact]).sum()
    }

    /// Least and largest amount of the forces that balance each other for which all groups stay within their limits.
    pub(super) fn room(&self, balance: &[f64], now: &Snapshot) -> [f64; 2] {
        let mut room = [f64::NEG_INFINITY, f64::INFINITY];
        for (group, (&n, &held)) in balance.iter().zip(&now.held).enumerate().filter(|(_, (n, _))| n.abs() > 1e-12) {
            let limit = self.group_limit(group, &now.limits);
            let [a, b] = [(-limit - held) / n, (limit - held) / n];
            room = [room[0].max(a.min(b)), room[1].min(a.max(b))];
        }
        room
    }
}

/// ν with Σ c clamp(ν c) = `held`: the common factor of the least norm.
fn level(held: f64, members: &[(usize, f64)], limits: &[f64]) -> f64 {
    // where each member reaches its limit, ascending; between these points the sum is linear
    let mut reached: Vec<(f64, f64)> = members.iter().map(|&(k, c)| (limits[k] / c.abs(), c * c)).collect();
    reached.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut slope: f64 = reached.iter().map(|(_, square)| square).sum();
    let (mut sum, mut from) = (0.0, 0.0);
    for (place, square) in reached {
        let next = sum + slope * (place - from);
        if next >= held.abs() {
            break;
        }
        (sum, from) = (next, place);
        slope -= square;
    }
    let factor = if slope > 0.0 { from + (held.abs() - sum) / slope } else { f64::MAX };
    factor.copysign(held)
}
