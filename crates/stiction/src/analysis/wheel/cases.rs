//! Which wheels lose determinism: the class of their two-folds over parameters, and how probable it is when parameters are
//! random.

use super::exits::{ReturnMap, return_map, sampled};
use super::itinerary::{ExitSampled, Itinerary};
use crate::analysis::{AnalysisError, Cancelled, Progress};
use crate::system::Wheel;
use crate::system::filippov::{Case, Visibility};
use crate::system::wheel::WheelTwoFold;
use rayon::prelude::*;
use serde::Serialize;

/// The two-folds of one wheel, summed up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WheelClass {
    /// Those that exist.
    pub two_folds: Vec<WheelTwoFold>,
    /// The lowest case of a Teixeira singularity among them; none without one.
    pub case: Option<u8>,
}

impl WheelClass {
    fn of(wheel: &Wheel) -> Option<Self> {
        let mut two_folds = wheel.dynamics().ok()?.two_folds();
        two_folds.retain(|fold| fold.sign_consistent);
        let case = two_folds.iter().filter_map(WheelTwoFold::case).map(Case::number).min();
        Some(Self { two_folds, case })
    }

    /// Whether sticking motion flows through a two-fold into the escaping region.
    pub fn loses_determinism(&self) -> bool {
        self.case == Some(1)
    }

    /// How many of the two-folds are Teixeira singularities.
    pub fn singularities(&self) -> usize {
        self.two_folds.iter().filter(|fold| fold.visibility() == Visibility::Teixeira).count()
    }
}

/// The class of many wheels, in their order; none for a wheel that cannot be made. A map over two parameters is the list of
/// its grid points; a probability is the list of its draws.
///
/// # Errors
/// On request only.
pub fn classes(wheels: &[Wheel], progress: &dyn Progress) -> Result<Vec<Option<WheelClass>>, AnalysisError> {
    progress.begin("wheels", wheels.len() as u64);
    wheels
        .par_iter()
        .map(|wheel| {
            if progress.cancelled() {
                return Err(Cancelled.into());
            }
            let class = WheelClass::of(wheel);
            progress.advance(1);
            Ok(class)
        })
        .collect()
}

/// A share of random wheels, with the standard error of the share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// Wheels for which it holds.
    pub count: usize,
    /// Wheels that can be made.
    pub of: usize,
    /// The share [-].
    pub probability: f64,
    /// Its standard error [-].
    pub standard_error: f64,
}

impl Share {
    /// So many of so many.
    pub fn new(count: usize, of: usize) -> Self {
        let total = of.max(1) as f64;
        let probability = count as f64 / total;
        Self { count, of, probability, standard_error: (probability * (1.0 - probability) / total).sqrt() }
    }
}

/// Share of wheels that lose determinism.
pub fn share_of_case_1(classes: &[Option<WheelClass>]) -> Share {
    let made = classes.iter().flatten().count();
    Share::new(classes.iter().flatten().filter(|class| class.loses_determinism()).count(), made)
}

/// The return map of each wheel with so many drawn exits: none for a wheel that cannot be made or has no escaping region next
/// to a two-fold.
///
/// # Errors
/// On request only.
pub fn returns(
    wheels: &[Wheel],
    request: &Itinerary,
    (how, exits): (ExitSampled, usize),
    progress: &dyn Progress,
) -> Result<Vec<Option<ReturnMap>>, AnalysisError> {
    let mut maps = Vec::with_capacity(wheels.len());
    for wheel in wheels {
        if progress.cancelled() {
            return Err(Cancelled.into());
        }
        let Ok(dynamics) = wheel.dynamics() else {
            maps.push(None);
            continue;
        };
        let drawn = match sampled(&dynamics, how, exits, request.seed, progress) {
            Err(error @ AnalysisError::Cancelled(_)) => return Err(error),
            drawn => drawn.ok(),
        };
        maps.push(match drawn {
            Some(exits) => Some(return_map(&dynamics, request, &exits, progress)?),
            None => None,
        });
    }
    Ok(maps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Silent;
    use crate::num::random::Stream;

    #[test]
    fn a_little_friction_scatter_keeps_the_singularity_and_a_lot_loses_it() {
        let base = Wheel::default().dynamics().unwrap();
        let wheels = |spread: f64| -> Vec<Wheel> {
            (0..200)
                .map(|index| {
                    let scatter = 1.0 + spread * Stream::new(1, index, 1).normal();
                    Wheel {
                        moment_arm: Some(base.kappa * scatter),
                        spring_stiffness: Some(base.k2),
                        ..Wheel::default()
                    }
                })
                .collect()
        };
        let share = |spread: f64| share_of_case_1(&classes(&wheels(spread), &Silent).unwrap());
        assert_eq!(share(0.001).probability, 1.0);
        let wide = share(0.3);
        assert!(wide.probability < 0.95 && wide.probability > 0.05 && wide.standard_error < 0.04, "{wide:?}");
        let broken = Wheel { slider_mass: -1.0, ..Wheel::default() };
        assert_eq!(classes(&[broken], &Silent).unwrap(), [None]);
    }
}
