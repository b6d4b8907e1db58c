//! The numbers of two discs that a study may vary, by their keys.
//!
//! A map asks for ten thousand pairs of discs: they are set directly, not through the tree of a scenario.

use crate::dataset::number;
use crate::study::StudyError;
use stiction::analysis::AnalysisError;
use stiction::system::TwoDisc;

/// A number of the discs.
#[derive(Debug, Clone)]
pub(super) struct Knob {
    /// Its key below the system.
    pub(super) key: String,
}

type Place = for<'a> fn(&'a mut TwoDisc) -> Option<&'a mut f64>;

/// Key, symbol and unit of every number, and where it is.
const KNOBS: &[(&str, &str, &str, Place)] = &[
    ("normal_load", "normal load F_N", "N", |discs| Some(&mut discs.normal_load)),
    ("drive_speed", "drive speed Ω", "rad/s", |discs| Some(&mut discs.drive_speed)),
    ("contact.radius", "contact radius R_c", "m", |discs| Some(&mut discs.contact.radius)),
    ("contact.rotation", "rotation of the mesh", "rad", |discs| Some(&mut discs.contact.rotation)),
    ("damping_level", "damping level C", "", |discs| Some(discs.damping_level.get_or_insert(0.1))),
    ("upper.mass", "mass M_p", "kg", |discs| Some(&mut discs.upper.mass)),
    ("upper.inertia", "moment of inertia J_p", "kg m²", |discs| Some(&mut discs.upper.inertia)),
    ("upper.stiffness", "stiffness K_p", "N/m", |discs| Some(&mut discs.upper.stiffness)),
    ("upper.torsional_stiffness", "stiffness K_pΘ", "N m/rad", |discs| Some(&mut discs.upper.torsional_stiffness)),
    ("upper.damping", "damping C_p", "N s/m", |discs| Some(&mut discs.upper.damping)),
    ("upper.torsional_damping", "damping C_pΘ", "N m s/rad", |discs| Some(&mut discs.upper.torsional_damping)),
    ("upper.radius", "radius R_1", "m", |discs| Some(&mut discs.upper.radius)),
    ("lower.mass", "mass M_d", "kg", |discs| Some(&mut discs.lower.mass)),
    ("lower.inertia", "moment of inertia J_d", "kg m²", |discs| Some(&mut discs.lower.inertia)),
    ("lower.stiffness", "stiffness K_d", "N/m", |discs| Some(&mut discs.lower.stiffness)),
    ("lower.torsional_stiffness", "stiffness K_dΦ", "N m/rad", |discs| Some(&mut discs.lower.torsional_stiffness)),
    ("lower.damping", "damping C_d", "N s/m", |discs| Some(&mut discs.lower.damping)),
    ("lower.torsional_damping", "damping C_dΦ", "N m s/rad", |discs| Some(&mut discs.lower.torsional_damping)),
    ("lower.radius", "radius R_2", "m", |discs| Some(&mut discs.lower.radius)),
    ("law.lugre.bristle_stiffness", "bristle stiffness σ_0", "1/m", |discs| {
        Some(&mut discs.law.lugre_mut().bristle_stiffness)
    }),
    ("law.lugre.bristle_damping", "bristle damping σ_1", "s/m", |discs| {
        Some(&mut discs.law.lugre_mut().bristle_damping)
    }),
    ("law.lugre.viscous_coefficient", "viscous coefficient σ_2", "s/m", |discs| {
        Some(&mut discs.law.lugre_mut().viscous_coefficient)
    }),
    ("law.lugre.stribeck_speed", "Stribeck speed V_s", "m/s", |discs| Some(&mut discs.law.lugre_mut().stribeck_speed)),
    ("law.lugre.stribeck_exponent", "Stribeck exponent m", "", |discs| {
        Some(&mut discs.law.lugre_mut().stribeck_exponent)
    }),
    ("law.lugre.static_coefficient", "static coefficient μ_S", "", |discs| {
        Some(&mut discs.law.lugre_mut().static_coefficient)
    }),
    ("law.lugre.kinetic_coefficient", "kinetic coefficient μ_K", "", |discs| {
        Some(&mut discs.law.lugre_mut().kinetic_coefficient)
    }),
    ("field.centre", "middle of the field H_Sc", "", |discs| Some(&mut discs.field.as_mut()?.centre)),
    ("field.half_width", "half width of the field H_Sr", "", |discs| Some(&mut discs.field.as_mut()?.half_width)),
    ("field.influence_radius", "influence radius R_d", "m", |discs| Some(&mut discs.field.as_mut()?.influence_radius)),
    ("field.spacing_ratio", "spacing ratio δ/R_d", "", |discs| Some(&mut discs.field.as_mut()?.spacing_ratio)),
    ("perturbation.upper_x", "displacement of X_1", "m", |discs| Some(&mut discs.perturbation.upper_x)),
    ("perturbation.upper_y", "displacement of Y_1", "m", |discs| Some(&mut discs.perturbation.upper_y)),
    ("perturbation.upper_rotation", "displacement of Θ", "rad", |discs| Some(&mut discs.perturbation.upper_rotation)),
    ("perturbation.lower_x", "displacement of X_2", "m", |discs| Some(&mut discs.perturbation.lower_x)),
    ("perturbation.lower_y", "displacement of Y_2", "m", |discs| Some(&mut discs.perturbation.lower_y)),
    ("perturbation.lower_rotation", "displacement of Φ", "rad", |discs| Some(&mut discs.perturbation.lower_rotation)),
];

impl Knob {
    /// The number of that key; `key` is where the user said so.
    pub(super) fn of(discs: &TwoDisc, parameter: &str, key: &str) -> Result<Self, StudyError> {
        let parameter = parameter.strip_prefix("system.two_disc.").unwrap_or(parameter);
        let knob = Self { key: parameter.to_owned() };
        let unsuitable = |message: String| Err(StudyError::unsuitable(key, message));
        let Some((_, _, _, place)) = knob.entry() else {
            let all: Vec<&str> = KNOBS.iter().map(|(key, ..)| *key).collect();
            let nearest = all.iter().max_by(|a, b| likeness(a, parameter).total_cmp(&likeness(b, parameter)));
            return unsuitable(format!(
                "`{parameter}` is not a number of two_disc that can be varied; did you mean `{}`? There are: {}",
                nearest.copied().unwrap_or_default(),
                all.join(", ")
            ));
        };
        match place(&mut discs.clone()) {
            Some(_) => Ok(knob),
            None => unsuitable(format!("`{parameter}` cannot be varied: `system.two_disc.field` is missing")),
        }
    }

    fn entry(&self) -> Option<&'static (&'static str, &'static str, &'static str, Place)> {
        KNOBS.iter().find(|(key, ..)| *key == self.key)
    }

    /// Name of its column.
    pub(super) fn column(&self) -> String {
        self.key.replace('.', "_")
    }

    /// How an axis names it.
    pub(super) fn label(&self) -> &'static str {
        self.entry().map_or("", |(_, label, ..)| *label)
    }

    pub(super) fn unit(&self) -> &'static str {
        self.entry().map_or("", |(_, _, unit, _)| *unit)
    }

    /// Sets the number.
    pub(super) fn set(&self, discs: &mut TwoDisc, value: f64) -> Result<(), AnalysisError> {
        if !value.is_finite() {
            let message = format!("is {}, but must be a finite number", number(value));
            return Err(AnalysisError::unsuitable(&self.key, message));
        }
        if let Some(place) = self.entry().and_then(|(.., place)| place(discs)) {
            *place = value;
        }
        Ok(())
    }

    /// The value that it has.
    pub(super) fn value(&self, discs: &TwoDisc) -> Option<f64> {
        let mut discs = discs.clone();
        self.entry().and_then(|(.., place)| place(&mut discs)).map(|place| *place)
    }

    /// The discs with this value.
    pub(super) fn at(&self, discs: &TwoDisc, value: f64) -> Result<TwoDisc, AnalysisError> {
        let mut discs = discs.clone();
        self.set(&mut discs, value)?;
        Ok(discs)
    }
}

/// How much of the letters of `word` stand in `key` in the same order, from 0 to 1.
fn likeness(key: &str, word: &str) -> f64 {
    strsim::jaro_winkler(key, word).max(key.rsplit('.').next().map_or(0.0, |last| strsim::jaro_winkler(last, word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    #[test]
    fn every_knob_sets_the_number_of_its_key() {
        let field = stiction::system::two_disc::IntervalField::default();
        let mut discs = TwoDisc { field: Some(field), damping_level: Some(0.2), ..TwoDisc::new(20.0, 1.0) };
        discs.perturbation.upper_x = 1e-3;
        for (key, label, ..) in KNOBS {
            let changed = Knob::of(&discs, key, "study").unwrap().at(&discs, 0.123).unwrap();
            let tree = serde_json::to_value(&changed).unwrap();
            let found = key.split('.').try_fold(&tree, |place, name| place.get(name)).and_then(Json::as_f64);
            assert_eq!(found, Some(0.123), "{key}");
            assert!(!label.is_empty());
        }
    }

    #[test]
    fn an_unknown_key_is_told_with_its_neighbour() {
        let discs = TwoDisc::new(20.0, 1.0);
        let told = Knob::of(&discs, "normal_lod", "study.hopf.along").unwrap_err().to_string();
        assert!(told.starts_with("study.hopf.along: ") && told.contains("did you mean `normal_load`"), "{told}");
        assert!(Knob::of(&discs, "field.centre", "k").unwrap_err().to_string().contains("field` is missing"));
        assert!(Knob::of(&discs, "normal_load", "k").unwrap().at(&discs, f64::NAN).is_err());
    }
}
