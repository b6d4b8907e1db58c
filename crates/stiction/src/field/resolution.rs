//! How fine a grid must be, and what is lost between its points.

use super::{Correlation, FieldError, InterpolationChoice};

/// What a grid is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridPurpose {
    /// Averages and moments.
    Statistics,
    /// Motions, which feel the derivatives of the coefficient.
    Trajectories,
}

/// A grid step that is accepted, and what there is to say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedStep {
    /// The step \[m\].
    pub step: f64,
    /// A warning, if it is coarser than it should be.
    pub warning: Option<String>,
}

impl Correlation {
    /// The largest step \[m\] that shows the field: a third or a quarter of the correlation length for smooth fields, a tenth
    /// for rough ones.
    pub(crate) fn recommended_step(&self, purpose: GridPurpose) -> f64 {
        let divisor = match (self.family.is_smooth(), purpose) {
            (true, GridPurpose::Statistics) => 3.0,
            (true, GridPurpose::Trajectories) => 4.0,
            (false, _) => 10.0,
        };
        self.shortest_length() / divisor
    }

    /// `cubic` for smooth fields, `bilinear` for rough ones, where there is no smoothness to exploit.
    pub(crate) fn default_interpolation(&self) -> InterpolationChoice {
        if self.family.is_smooth() { InterpolationChoice::Cubic } else { InterpolationChoice::Bilinear }
    }

    /// The step of a grid: the one asked for, or the recommended one, never above the `bound` \[m\] of the mechanism.
    ///
    /// # Errors
    /// [`FieldError::TooCoarse`] if the step asked for is coarser than that and not explicitly allowed.
    pub fn accepted_step(
        &self,
        asked: Option<f64>,
        purpose: GridPurpose,
        bound: Option<f64>,
        allow_coarse: bool,
    ) -> Result<AcceptedStep, FieldError> {
        let own = self.recommended_step(purpose);
        let needed = bound.map_or(own, |bound| own.min(bound));
        let Some(step) = asked else { return Ok(AcceptedStep { step: needed, warning: None }) };
        // a step that equals the bound up to roundings is fine
        if step <= needed * (1.0 + 1e-9) {
            return Ok(AcceptedStep { step, warning: None });
        }
        let reason = if own <= needed {
            let part = self.shortest_length() / own;
            format!("1/{part:.0} of the shortest correlation length, {} m", self.shortest_length())
        } else {
            "which the size of the contact asks for".to_owned()
        };
        let error = FieldError::TooCoarse { step, needed, reason };
        if allow_coarse { Ok(AcceptedStep { step, warning: Some(error.to_string()) }) } else { Err(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Family;

    #[test]
    fn smooth_fields_need_a_third_of_their_length_and_rough_ones_a_tenth() {
        let rough = Correlation::isotropic(Family::Matern { smoothness: 1.5 }, 0.3);
        let smooth = Correlation { family: Family::GAUSSIAN, length: [0.3, 0.6], angle: 0.4 };
        assert!((smooth.recommended_step(GridPurpose::Statistics) - 0.1).abs() < 1e-15);
        assert!((smooth.recommended_step(GridPurpose::Trajectories) - 0.075).abs() < 1e-15);
        assert!((rough.recommended_step(GridPurpose::Statistics) - 0.03).abs() < 1e-15);
        assert_eq!(smooth.default_interpolation(), InterpolationChoice::Cubic);
        assert_eq!(rough.default_interpolation(), InterpolationChoice::Bilinear);
        let step = |asked, bound, allow| smooth.accepted_step(asked, GridPurpose::Statistics, bound, allow);
        assert_eq!(step(None, Some(0.05), false).unwrap().step, 0.05);
        assert_eq!(step(Some(0.1), None, false).unwrap().warning, None);
        assert!(step(Some(0.11), None, false).unwrap_err().to_string().contains("at most 0.09999"));
        assert!(step(Some(0.11), None, true).unwrap().warning.unwrap().contains("0.11 m is too coarse"));
    }
}
