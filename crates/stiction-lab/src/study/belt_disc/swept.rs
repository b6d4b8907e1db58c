//! Discs that differ in one parameter.

use crate::study::family::Family;
use crate::study::{StudyError, Sweep};
use stiction::field::LengthChoice;
use stiction::system::BeltDisc;

/// A disc with its value of the parameter.
pub(super) struct Swept {
    pub(super) value: f64,
    pub(super) disc: BeltDisc,
}

/// The discs along a sweep. Besides every number below the system, `length_ratio` is l/R, and `mean_coefficient` is the mean of the
/// field at a fixed coefficient of variation.
pub(super) fn swept(disc: &BeltDisc, sweep: &Sweep, key: &str) -> Result<Vec<Swept>, StudyError> {
    let values = sweep.values(key)?;
    let mut found = Vec::with_capacity(values.len());
    match sweep.parameter.as_str() {
        "length_ratio" => {
            for value in values {
                found.push(Swept { value, disc: with_length_ratio(disc, value) });
            }
        }
        "mean_coefficient" => {
            let model = disc.field_model();
            let (Some(mean), Some(deviation)) = (model.mean, model.standard_deviation) else {
                let message = "is `mean_coefficient`, but the field has no mean and standard deviation";
                return Err(StudyError::unsuitable(format!("{key}.parameter"), message));
            };
            for value in values {
                let mut field = model.clone();
                field.mean = Some(value);
                field.standard_deviation = Some(deviation / mean * value);
                found.push(Swept { value, disc: BeltDisc { field, ..disc.clone() } });
            }
        }
        parameter => {
            let family = Family::of(disc, parameter, &format!("{key}.parameter"))?;
            for value in values {
                let other = family.at(value)?;
                let field = other.field.clone().in_run_of(&disc.field);
                found.push(Swept { value, disc: BeltDisc { field, ..other } });
            }
        }
    }
    for one in &found {
        if let Some(problem) = one.disc.problems().into_iter().next() {
            let message = format!("{}: {}: {}", crate::dataset::number(one.value), problem.key, problem.message);
            return Err(StudyError::unsuitable(key, message));
        }
    }
    Ok(found)
}

/// The same disc with l = ratio · R.
fn with_length_ratio(disc: &BeltDisc, ratio: f64) -> BeltDisc {
    let mut field = disc.field_model();
    field.correlation_length = Some(LengthChoice::Isotropic(ratio * disc.radius));
    BeltDisc { field, ..disc.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_along_any_sweep_belong_to_the_same_run() {
        let mut disc = BeltDisc::default();
        disc.field.memory = 12345;
        for parameter in ["radius", "field.angle", "length_ratio", "mean_coefficient"] {
            let found = swept(&disc, &Sweep::even(parameter, 0.5, 0.6, 3), "sweep").unwrap();
            assert!(found.iter().all(|one| one.disc.field.memory == 12345), "{parameter}");
        }
    }
}
