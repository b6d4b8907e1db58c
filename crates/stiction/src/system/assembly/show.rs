//! What a motion of an assembly shows: columns and energy.

use super::motion::Assembled;
use super::network::Network;
use super::phases::Mode;
use super::stick::Stick;

impl Network {
    /// Names of the displacements (`place` 0) or velocities (1), and whether they are those of angles.
    pub fn coordinate_names(&self, place: usize) -> impl Iterator<Item = (&str, bool)> {
        self.coordinates.iter().map(move |coordinate| (coordinate.names[place].as_str(), coordinate.is_angle))
    }

    /// Names of the springs.
    pub fn spring_names(&self) -> impl Iterator<Item = &str> {
        self.springs.iter().map(|spring| spring.name.as_str())
    }

    /// What the user should know about contacts that hold each other.
    pub fn shared_contacts(&self) -> Vec<String> {
        let stick = Stick::of(self, 0..self.contacts.len());
        let name = |contact: usize| self.contacts[contact].name.as_str();
        let shared = stick.groups.iter().filter(|group| group.members.len() > 1).map(|group| {
            let names: Vec<&str> = group.members.iter().map(|(contact, _)| name(*contact)).collect();
            format!(
                "{} act in parallel: the motion is determined, but not how they share the force while they stick; the friction \
                 forces reported then are those of least norm within the limits",
                names.join(" and ")
            )
        });
        shared.collect()
    }
}

impl Assembled {
    /// The values of all columns; not a number where the equations have no value.
    pub(crate) fn show(&self, mode: Mode, t: f64, y: &[f64], values: &mut [f64]) {
        let network = self.network();
        let n = network.freedoms();
        let shown = self.at(mode, t, y, |now| {
            values[..n].copy_from_slice(&y[..n]);
            values[n..2 * n].copy_from_slice(&now.velocities);
            let (contacts, springs) = values[2 * n..].split_at_mut(4 * network.contacts.len());
            for (k, out) in contacts.chunks_exact_mut(4).enumerate() {
                out.copy_from_slice(&[now.sliding[k], now.friction[k], now.loads[k], y[network.heat() + k]]);
            }
            for (out, spring) in springs.iter_mut().zip(&network.springs) {
                let extension = -spring.row.along(&y[..n], &now.drives[0]);
                let rate = -spring.row.along(&now.velocities, &now.drives[1]);
                *out = spring.force(extension, rate);
            }
        });
        if shown.is_err() {
            values.fill(f64::NAN);
        }
    }

    /// Friction on the first end of a contact \[N\].
    pub(crate) fn friction_of(&self, mode: Mode, contact: usize, t: f64, y: &[f64]) -> Option<f64> {
        self.at(mode, t, y, |now| now.friction.get(contact).copied()).ok().flatten()
    }

    /// Stored energy \[J\], power of drives and forces \[W\], power that friction and dampers take \[W\].
    pub(crate) fn energy_and_powers(&self, mode: Mode, t: f64, y: &[f64]) -> Option<[f64; 3]> {
        let (network, phases) = (self.network(), self.modes.phases(mode));
        let q = &y[..network.freedoms()];
        let energy = self.at(mode, t, y, |now| {
            let speeds = &now.drives[1];
            let (mut stored, mut supplied, mut lost) = (0.0, 0.0, 0.0);
            for (coordinate, v) in network.coordinates.iter().zip(&now.velocities) {
                stored += 0.5 * coordinate.mass * v * v;
            }
            for spring in &network.springs {
                let e = -spring.row.along(q, &now.drives[0]);
                let rate = -spring.row.along(&now.velocities, speeds);
                stored += 0.5 * spring.stiffness * e * e + 0.25 * spring.cubic * e * e * e * e + spring.preload * e;
                lost += spring.damping * rate * rate;
                supplied -= spring.row.power_into_drives(spring.force(e, rate), speeds);
            }
            let mut kinks = now.kinks.clone();
            for force in &network.forces {
                let value = network.value(&force.signal, &phases, t, (q, &now.velocities), &mut kinks);
                supplied += value * force.row.along(&now.velocities, &[0.0].repeat(speeds.len()));
            }
            for (k, contact) in network.contacts.iter().enumerate() {
                supplied -= contact.row.power_into_drives(now.friction[k], speeds);
                lost -= now.friction[k] * now.sliding[k];
            }
            [stored, supplied, lost]
        });
        energy.ok()
    }
}
