//! A field at any point of a rectangle, without a grid of its own.

use super::{Source, TrackPlan};
use crate::field::generator::SeparableField;
use crate::field::realisations::uncovered;
use crate::field::{FieldError, FormulaField, Germ, Marginal, Surface};

/// A field at any point of a rectangle, without a grid of its own.
#[derive(Debug, Clone)]
pub(crate) enum ExactField {
    /// The same everywhere.
    Constant(f64),
    /// A formula; whether it is seen in a mirror.
    Formula(FormulaField, bool),
    /// A measured map.
    Map(Box<Surface>, bool),
    /// The white-noise sum of a random field over a rectangle.
    Random {
        /// The Gaussian parent.
        parent: Box<SeparableField>,
        /// Its marginal.
        marginal: Box<Marginal>,
        /// Whether it is seen in a mirror.
        mirrored: bool,
        /// The rectangle \[m\], after the mirror.
        from: [f64; 2],
        /// Its other corner \[m\].
        to: [f64; 2],
    },
}

impl TrackPlan {
    /// The field over a rectangle \[m\] for evaluation at any point.
    ///
    /// # Errors
    /// If the generator knows the field on a grid only.
    pub(crate) fn exact(
        &self,
        map: Option<&Surface>,
        germ: &Germ,
        from: [f64; 2],
        to: [f64; 2],
    ) -> Result<ExactField, FieldError> {
        let mirrored = self.setting.mirrored;
        match (&self.source, map) {
            (Source::Constant(value), _) => Ok(ExactField::Constant(*value)),
            (Source::Formula(formula), _) => Ok(ExactField::Formula(formula.clone(), mirrored)),
            (Source::Separable(generator, marginal), _) => {
                let columns = if mirrored { [-to[0], -from[0]] } else { [from[0], to[0]] };
                let parent = generator.over(germ, [columns[0], from[1]], [columns[1], to[1]])?;
                let (parent, marginal) = (Box::new(parent), marginal.clone());
                Ok(ExactField::Random { parent, marginal, mirrored, from, to })
            }
            (Source::Whole { .. } | Source::Loop(_), Some(map)) => Ok(ExactField::Map(Box::new(map.clone()), mirrored)),
            (Source::Whole { .. } | Source::Loop(_), None) => {
                let message = "this field is known on a grid only, but `quadrature` = \"polar\" needs it at every point; use \
                               \"lattice\", or a correlation with `correlation_exponent` = 2";
                Err(FieldError::Generator { message: message.to_owned() })
            }
        }
    }
}

impl ExactField {
    /// Whether the whole rectangle is known.
    pub(crate) fn covers(&self, low: [f64; 2], high: [f64; 2]) -> bool {
        match self {
            ExactField::Random { from, to, .. } => (0..2).all(|axis| low[axis] >= from[axis] && high[axis] <= to[axis]),
            _ => true,
        }
    }

    /// The coefficient at a point \[m\].
    ///
    /// # Errors
    /// If it is not positive, or not known there.
    pub(crate) fn at(&self, [x, y]: [f64; 2]) -> Result<f64, FieldError> {
        let seen = |mirrored: bool| if mirrored { -x } else { x };
        match self {
            ExactField::Constant(value) => Ok(*value),
            ExactField::Formula(formula, mirrored) => {
                let x = seen(*mirrored);
                let value = formula.at(x, y);
                let error = || FieldError::NotPositive { key: "expression".to_owned(), x, y, value };
                if value.is_finite() && value > 0.0 { Ok(value) } else { Err(error()) }
            }
            ExactField::Map(map, mirrored) => {
                map.positive_at(seen(*mirrored), y).map(|sample| sample.value).map_err(|error| uncovered(&error))
            }
            ExactField::Random { parent, marginal, mirrored, .. } => {
                Ok(marginal.value(parent.at(seen(*mirrored), y)?.value))
            }
        }
    }
}
