//! A mechanism of one's own: its columns have the names of its bodies and contacts.

use super::{Horizon, Mechanism, Plan};
use crate::Problem;
use crate::field::Germ;
use crate::record::{Column, Energy, Motion, Moving, Name, Observe, Phase};
use crate::system::assembly::{Assembled, Mode, Network};
use crate::system::{Assembly, Fault, System};

impl Mechanism for Assembly {
    const NAME: &'static str = "assembly";

    fn problems(&self) -> Vec<Problem> {
        match self.network() {
            Err(problems) => problems,
            Ok(network) => Assembled::new(network).err().map(|fault| *fault).into_iter().collect(),
        }
    }

    fn columns(&self) -> Vec<Column> {
        self.network().map(|network| columns(&network)).unwrap_or_default()
    }

    fn contacts(&self) -> Vec<Name> {
        self.network().map(|network| contacts(&network)).unwrap_or_default()
    }

    fn prepare(&self, _horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
        match self.network() {
            Ok(network) => Ok(Box::new(network)),
            Err(problems) => {
                Err(Box::new(problems.into_iter().next().unwrap_or_else(|| Problem::new("", "cannot be made"))))
            }
        }
    }
}

impl Plan for Network {
    fn given(&self, _germ: Germ) -> Result<Box<dyn Motion + '_>, Fault> {
        Ok(Box::new(Moving::of(Assembled::new(self.clone())?)))
    }

    fn warnings(&self) -> Vec<String> {
        self.shared_contacts()
    }
}

fn contacts(network: &Network) -> Vec<Name> {
    network.contact_names().map(|name| Name::Owned(name.to_owned())).collect()
}

fn columns(network: &Network) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (place, [unit, angle_unit]) in [["m", "rad"], ["m/s", "rad/s"]].into_iter().enumerate() {
        for (name, is_angle) in network.coordinate_names(place) {
            let label = if place == 0 { "displacement" } else { "velocity" };
            let label = if is_angle { label.replace("displacement", "angle") } else { label.to_owned() };
            let unit = if is_angle { angle_unit } else { unit };
            columns.push(Column::state(columns.len(), name.to_owned(), unit, format!("{label} {name}")));
        }
    }
    for name in network.contact_names() {
        columns.push(Column::derived(format!("sliding_{name}"), "m/s", format!("sliding velocity of {name}")));
        columns.push(Column::derived(format!("friction_{name}"), "N", format!("friction force of {name}")));
        columns.push(Column::derived(format!("load_{name}"), "N", format!("normal load of {name}")));
        columns.push(Column::derived(format!("heat_{name}"), "J", format!("heat of {name}")));
    }
    for name in network.spring_names() {
        columns.push(Column::derived(format!("force_{name}"), "N", format!("force of spring {name}")));
    }
    columns
}

impl Observe for Assembled {
    fn columns(&self) -> Vec<Column> {
        columns(self.network())
    }

    fn observe(&self, mode: Mode, t: f64, y: &Vec<f64>, values: &mut [f64]) {
        self.show(mode, t, y, values);
    }

    fn contacts(&self) -> Vec<Name> {
        contacts(self.network())
    }

    fn phase(&self, mode: Mode, contact: usize) -> Phase {
        self.phase_of(mode, contact)
    }

    fn friction(&self, mode: Mode, contact: usize, t: f64, y: &Vec<f64>) -> Option<f64> {
        self.friction_of(mode, contact, t, y)
    }

    fn enter(&self, t: f64, y: &mut Vec<f64>) -> Result<Mode, Fault> {
        self.entered(t, y)
    }

    fn energy(&self, mode: Mode, t: f64, y: &Vec<f64>) -> Option<Energy> {
        let [stored, supplied, lost] = self.energy_and_powers(mode, t, y)?;
        Some(Energy { stored, supplied, lost })
    }

    fn natural_period(&self) -> f64 {
        std::f64::consts::TAU * self.typical(&mut self.start().1)
    }
}
