//! Coefficients of variation of force and torque against the correlation length.

use super::curve_summary::{Curve, table};
use super::{admit_samples, exact_covariance, random, sampler, warn_of_field, with_length};
use crate::dataset::Outcome;
use crate::study::{Context, Spacing, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Cancelled;
use stiction::analysis::planar_sliding::curves::CurvePoint;
use stiction::analysis::planar_sliding::plate::positive_semidefinite;
use stiction::analysis::planar_sliding::{
    Curves, Motion, Moving, NoCovariance, Pairing, PlanarSliding, Sampler, Samples,
};
use stiction::field::{CorrelationOf, Indefinite};
use stiction::keys::Key;
use stiction::patch::Shape;

pub(super) const KEY: &str = "study.moment_curves";

/// Coefficients of variation of force and torque against the ratio l/a of correlation length and size of the plate, for one
/// or several plates; a is half the side of the square with the same area.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MomentCurves {
    /// Smallest ratio l/a [-].
    #[serde(default = "smallest")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub from: f64,
    /// Largest ratio l/a [-].
    #[serde(default = "largest")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub to: f64,
    /// Number of ratios, evenly spaced in their logarithm.
    #[serde(default = "sixty")]
    #[schemars(range(min = 2, max = 10_000))]
    pub points: usize,
    /// How the spread of the length of the force is found.
    #[serde(default)]
    pub norm: NormSpread,
    /// Realisations for each ratio, where the norm is sampled; by default `system.planar_sliding.samples`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 4, max = 10_000_000))]
    pub samples: Option<usize>,
    /// Smallest ratio l/a at which realisations are drawn [-]; below, the force is Gaussian to high accuracy, the columns of
    /// realisations are empty, and `cv_force_norm` is as good.
    #[serde(default = "twentieth")]
    #[schemars(range(min = 0.0))]
    pub sampled_from: f64,
    /// Levels of the coefficients of variation whose crossings are located [-].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<f64>,
    /// Ratios l/a at which the coefficients of variation are told as quantities [-].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report_at: Vec<f64>,
    /// The plates, each by what differs from the system; without any the system itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<Variant>,
}

/// How the spread of the length of the force is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NormSpread {
    /// From exact means and variances, no sampling: the level of the coefficient times a Gaussian force, with its error. Exact in
    /// translation and for a Gaussian coefficient.
    #[default]
    Closure,
    /// By realisations as well, in antithetic pairs with ‖F‖² as control variate (convention B).
    Sampled,
}

/// What differs from the system.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name in tables and pictures.
    pub name: String,
    /// How the plate moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// The contact area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// Exponent of the correlation [-].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub correlation_exponent: Option<f64>,
    /// Whose correlation is prescribed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_of: Option<CorrelationOf>,
    /// What to do with a function that is no correlation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indefinite: Option<Indefinite>,
    /// Standard deviation of the coefficient [-].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub standard_deviation: Option<f64>,
}

fn smallest() -> f64 {
    0.01
}

fn largest() -> f64 {
    100.0
}

fn twentieth() -> f64 {
    0.05
}

fn sixty() -> usize {
    61
}

impl Variant {
    fn of(&self, sliding: &PlanarSliding) -> PlanarSliding {
        let mut plate = sliding.clone();
        if let Some(motion) = self.motion {
            plate.motion = motion;
        }
        if let Some(shape) = &self.shape {
            plate.shape = shape.clone();
        }
        let field = &mut plate.field;
        field.correlation_exponent = self.correlation_exponent.unwrap_or(field.correlation_exponent);
        field.correlation_of = self.correlation_of.or(field.correlation_of);
        field.indefinite = self.indefinite.unwrap_or(field.indefinite);
        field.standard_deviation = self.standard_deviation.or(field.standard_deviation);
        plate
    }
}

impl Study for MomentCurves {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let sliding = context.planar_sliding()?;
        let whole = [Variant { name: "plate".to_owned(), ..Variant::default() }];
        let variants = if self.variant.is_empty() { &whole[..] } else { &self.variant };
        let sweep =
            Sweep { parameter: String::new(), from: self.from, to: self.to, points: self.points, scale: Spacing::Log };
        let ratios = sweep.values(KEY)?;
        let work = if self.norm == NormSpread::Sampled { ratios.len() + 1 } else { 1 };
        context.progress.begin("curves", (variants.len() * work) as u64);
        let mut outcome = Outcome::default();
        let mut plates = Vec::new();
        for (index, variant) in variants.iter().enumerate() {
            let plate = variant.of(sliding);
            if let Some(problem) = plate.problems().into_iter().next() {
                let message = format!("{}: {}", problem.key, problem.message);
                return Err(StudyError::unsuitable(format!("{KEY}.variant.{index}"), message));
            }
            plates.push(plate);
        }
        let (mut exact, mut norms) = (Vec::new(), vec![None; plates.len()]);
        let mut formal = false;
        for (variant, plate) in variants.iter().zip(&plates) {
            if context.progress.cancelled() {
                return Err(Cancelled.into());
            }
            let before = outcome.warnings.len();
            exact.push(exact_curves(plate, &ratios, self.shortest(), &mut outcome)?);
            if let Some(field) = random(plate)? {
                warn_of_field(&mut outcome, &field)?;
                formal |= field.defect().is_ok_and(|defect| defect.is_some());
            }
            for warning in outcome.warnings.iter_mut().skip(before) {
                *warning = format!("{}: {warning}", variant.name);
            }
            context.progress.advance(1);
        }
        if self.norm == NormSpread::Sampled {
            for group in groups(&plates) {
                for (index, norm) in self.sampled(&group, &plates, &exact, &ratios, context)? {
                    norms[index] = Some(norm);
                }
            }
        }
        let (mut curves, mut summaries) = (Vec::new(), Vec::new());
        for ((variant, (scan, points)), sampled) in variants.iter().zip(exact).zip(norms) {
            let a = scan.table.plate().half_side();
            summaries.push(self.summary(&scan)?);
            curves.push(Curve { name: variant.name.clone(), a, points, sampled });
        }
        outcome.push("formal", "", formal);
        outcome.tables.push(table(&curves));
        self.push_summaries(&mut outcome, variants, &summaries);
        Ok(outcome)
    }
}

/// The exact curves of a plate, as a function of the length and at all ratios.
fn exact_curves(
    sliding: &PlanarSliding,
    ratios: &[f64],
    shortest: f64,
    outcome: &mut Outcome,
) -> Result<(Curves, Vec<CurvePoint>), StudyError> {
    let plate = sliding.plate()?;
    let shortest = shortest * plate.half_side();
    let covariance = exact_covariance(sliding)?;
    // spreads of force and torque are shown one by one: each needs to be possible only for itself
    let policy = match sliding.policy() {
        NoCovariance::Refuse => NoCovariance::Refuse,
        NoCovariance::Formal | NoCovariance::FormalSeparately => NoCovariance::FormalSeparately,
    };
    let reference = sliding.correlation_length();
    let curves =
        Curves::new(&plate, covariance, [reference, shortest], sliding.torque_length, policy, sliding.closure()?)?;
    let lengths: Vec<f64> = ratios.iter().map(|ratio| ratio * plate.half_side()).collect();
    let points = curves.over(&lengths)?;
    if policy == NoCovariance::FormalSeparately {
        let mut indefinite = 0;
        for length in &lengths {
            let moments = curves.table.moments(&curves.covariance.scaled(length / reference), policy)?;
            indefinite += usize::from(moments.formal && !positive_semidefinite(&moments.covariance));
        }
        if indefinite > 0 {
            outcome.warnings.push(format!(
                "at {indefinite} of {} lengths the matrix of the moments of force and torque is indefinite: no force and \
                 torque have these spreads together",
                lengths.len()
            ));
        }
    }
    Ok((curves, points))
}

/// Plates with the same area and field, whose realisations can be shared.
fn groups(plates: &[PlanarSliding]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, plate) in plates.iter().enumerate() {
        let shares = |group: &&mut Vec<usize>| {
            let first = group.first().and_then(|first| plates.get(*first));
            first.is_some_and(|first| first.shape == plate.shape && first.field == plate.field)
        };
        match groups.iter_mut().find(shares) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}

/// Coefficients of variation of ‖F‖ and their standard errors at all ratios.
type Norms = Vec<(f64, f64)>;

impl MomentCurves {
    /// The smallest ratio l/a at which a curve is looked at.
    fn shortest(&self) -> f64 {
        self.report_at.iter().copied().filter(|ratio| *ratio > 0.0).fold(self.from.min(self.to), f64::min)
    }

    /// Sampled coefficients of variation of the length of the force, with their standard errors, of all plates of a group.
    fn sampled(
        &self,
        group: &[usize],
        plates: &[PlanarSliding],
        exact: &[(Curves, Vec<CurvePoint>)],
        ratios: &[f64],
        context: &Context<'_>,
    ) -> Result<Vec<(usize, Norms)>, StudyError> {
        let mut members = Vec::new();
        for index in group {
            let (Some(sliding), Some((curves, _))) = (plates.get(*index), exact.get(*index)) else { continue };
            let covariance = sliding.covariance(CorrelationOf::GaussianParent)?;
            // exact moments of the field that is sampled; the table is the same if the keys say whose correlation it is
            let table = match sliding.field.correlation_of {
                Some(_) => curves.table.clone(),
                None => {
                    curves.table.plate().tabulated(&covariance, self.shortest() * curves.table.plate().half_side())?
                }
            };
            members.push((sliding, Curves { table, level: None, covariance, ..curves.clone() }));
        }
        let mut found = vec![Norms::new(); members.len()];
        for ratio in ratios {
            if context.progress.cancelled() {
                return Err(Cancelled.into());
            }
            let drawn = if *ratio < self.sampled_from {
                vec![(f64::NAN, f64::NAN); members.len()]
            } else {
                self.norms_at(*ratio, &members, context)?
            };
            for (found, norm) in found.iter_mut().zip(drawn) {
                found.push(norm);
            }
            context.progress.advance(group.len() as u64);
        }
        Ok(group.iter().copied().zip(found).collect())
    }

    fn norms_at(
        &self,
        ratio: f64,
        members: &[(&PlanarSliding, Curves)],
        context: &Context<'_>,
    ) -> Result<Norms, StudyError> {
        let moving = |curves: &Curves| {
            let plate = curves.table.plate();
            Moving { twist: plate.functionals.twist, pressure: plate.pressure }
        };
        let mut drawn = Vec::new();
        while let Some(rest) = members.get(drawn.len()..).filter(|rest| !rest.is_empty()) {
            let (sliding, curves) = &rest[0];
            let length = ratio * curves.table.plate().half_side();
            let sampler = sampler(&with_length(sliding, length), curves.table.plate(), context.seed, context.progress)?;
            let shared = if sampler.serves_all_motions() { rest } else { &rest[..1] };
            let motions: Vec<Moving> = shared.iter().map(|(_, curves)| moving(curves)).collect();
            let count = self.samples.unwrap_or(sliding.samples);
            let key = self.samples.map_or(Key::system("samples"), |_| Key::study("samples"));
            admit_samples(key, count, motions.len(), context.progress)?;
            drawn.extend(Samples::draw_many(&sampler, &motions, count, Pairing::Antithetic));
        }
        let mut norms = Norms::new();
        for (samples, (_, curves)) in drawn.iter().zip(members) {
            let plate = curves.table.plate();
            let covariance = curves.covariance.scaled(ratio * plate.half_side() / curves.reference);
            let exact = curves.table.moments(&covariance, curves.policy)?;
            let moments = samples.moments(&exact);
            let variations = plate.variations_with(&exact, covariance.mean, curves.torque_length, moments.norm());
            let scale = variations.scales.force.unwrap_or(f64::NAN);
            let error = moments.norm_deviation.standard_error / scale;
            norms.push((variations.force_norm.unwrap_or(f64::NAN), error));
        }
        Ok(norms)
    }
}
