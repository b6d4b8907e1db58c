//! What one would write in an afternoon: the kernel between all pairs of quadrature nodes. A second method for kernels without cusp.

use stiction::analysis::planar_sliding::functionals::{Functionals, Matrix};
use stiction::analysis::planar_sliding::{Covariance, Motion, Plate, PlateSampler};
use stiction::field::{
    Correlation, CorrelationOf, FieldDescription, GeneratorChoice, Indefinite, Marginal, RandomField,
};
use stiction::num::real::exp;
use stiction::patch::{Rectangle, Resolution, Shape};

pub(crate) fn rectangle([half_length, half_width]: [f64; 2]) -> Shape {
    Shape::Rectangle(Rectangle { half_length, half_width })
}

fn lognormal(mean: f64, deviation: f64, correlation: &Correlation, of: CorrelationOf) -> RandomField {
    let marginal = Marginal::lognormal(mean, deviation).unwrap();
    let (prescribed, indefinite) = (correlation.clone(), Indefinite::default());
    RandomField { marginal, prescribed, correlation_of: of, indefinite, embedding_tolerance: 1e-6, memory: 1 << 30 }
}

/// The covariance of a lognormal coefficient with this mean, standard deviation and correlation.
pub(crate) fn covariance(mean: f64, deviation: f64, correlation: &Correlation, of: CorrelationOf) -> Covariance {
    Covariance::of(&lognormal(mean, deviation, correlation, of))
}

/// Samples of a lognormal coefficient whose parent has the Gaussian correlation, on a rectangle.
pub(crate) fn sampler(sides: [f64; 2], length: f64, mean: f64, deviation: f64, seed: u64) -> PlateSampler {
    let field = lognormal(mean, deviation, &Correlation::gaussian(length), CorrelationOf::GaussianParent);
    let plate = Plate::new(&rectangle(sides), &Motion::default(), 1.0).unwrap();
    let field = FieldDescription::Random(Box::new(field));
    PlateSampler::new(&plate, &field, None, GeneratorChoice::Auto, seed, &|| false).unwrap()
}

/// Σ w_i w_j exp(−r²/l²) over the pairs of nodes that are nearer than 5.5 l to each other; beyond, the kernel is below 1e-13.
pub(crate) fn double_sum(functionals: &Functionals, length: f64) -> Matrix {
    let nodes = functionals.nodes(Resolution { length, extra: 0 });
    let mut loads: Vec<([f64; 2], [f64; 3])> = nodes
        .points
        .iter()
        .zip(&nodes.weights)
        .map(|(point, area)| (*point, functionals.twist.weights(*point).map(|weight| area * weight)))
        .collect();
    loads.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let reach = 5.5 * length;
    let mut sum = [[0.0; 3]; 3];
    for (index, (p, first)) in loads.iter().enumerate() {
        let mut seen = [0.0; 3];
        for (q, second) in loads[index..].iter().take_while(|(q, _)| q[0] - p[0] < reach) {
            let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
            if dy.abs() < reach {
                let kernel = exp(-(dx * dx + dy * dy) / (length * length));
                (0..3).for_each(|j| seen[j] += kernel * second[j]);
            }
        }
        // the node itself once, every other pair twice
        for i in 0..3 {
            for j in 0..3 {
                let twice = first[i] * seen[j] + first[j] * seen[i];
                sum[i][j] += twice - first[i] * first[j];
            }
        }
    }
    sum
}
