//! Moments of turning plates, of one length and from a table; and samples.

use divan::Bencher;
use std::fmt;
use std::sync::Arc;
use stiction::analysis::Silent;
use stiction::analysis::planar_sliding::motion::{General, Motion, Twist};
use stiction::analysis::planar_sliding::{
    Covariance, Kernel, Moving, NoCovariance, Pairing, Plate, PlateSampler, Samples, Stretch,
};
use stiction::field::{CorrelationOf, FieldModel, GeneratorChoice};
use stiction::patch::{Disc, Point, Polygon, Shape, Square};

fn main() {
    divan::main();
}

/// A table for all lengths from a hundredth of the half side on.
#[divan::bench(sample_count = 10)]
fn table_for_all_lengths(bencher: Bencher<'_, '_>) {
    let (plate, covariance) = turning_square(1.0);
    bencher.bench_local(|| plate.tabulated(&covariance, 0.01, &Silent));
}

#[divan::bench]
fn one_length_from_the_table(bencher: Bencher<'_, '_>) {
    let (plate, covariance) = turning_square(0.37);
    let table = plate.tabulated(&covariance, 0.01, &Silent).expect("a table");
    bencher.bench_local(|| table.moments(divan::black_box(&covariance), NoCovariance::Refuse));
}

fn turning_square(length: f64) -> (Plate, Covariance) {
    let shape = Shape::Square(Square { half_side: 1.0 });
    let plate = Plate::new(&shape, &Motion::General(General { rotation_radius: 0.5 }), 1.0).expect("a plate");
    let kernel = Kernel::gaussians(vec![(1.0, length)]);
    (plate, Covariance { mean: 1.0, kernel, stretch: Stretch::NONE })
}

/// All that a caller pays for one motion and one length, error estimate included.
#[divan::bench(args = [0.01, 0.02, 0.03, 0.05, 0.1, 0.3, 1.0], sample_count = 20)]
fn moments_of_one_length(bencher: Bencher<'_, '_>, length: f64) {
    let (plate, covariance) = turning_square(length);
    bencher.bench_local(|| plate.moments(&covariance, NoCovariance::Refuse));
}

/// Areas that turn about a point, in half sides of the square with their area.
#[derive(Clone, Copy)]
enum Area {
    Square,
    Disc,
    /// Six corners and a three-cornered hole.
    Angled,
}

/// An area, its centre of rotation, and a correlation length in half sides.
struct Turning(Area, Point, f64);

impl fmt::Display for Turning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(area, [x, y], length) = self;
        let area = match area {
            Area::Square => "square",
            Area::Disc => "disc",
            Area::Angled => "angled",
        };
        write!(f, "{area} about ({x}, {y}), l = {length}")
    }
}

impl Turning {
    fn plate(&self) -> Plate {
        let shape = match self.0 {
            Area::Square => Shape::Square(Square { half_side: 1.0 }),
            Area::Disc => Shape::Disc(Disc { radius: 1.0 }),
            Area::Angled => Shape::Polygon(Polygon {
                corners: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]],
                holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
            }),
        };
        let [x, y] = self.1;
        Plate::new(&shape, &Motion::Twist(Twist { vx: y, vy: -x, omega: 1.0 }), 1.0).expect("a plate")
    }
}

/// Short lengths, with centres of rotation inside, near the rim and at corners.
#[divan::bench(args = short_lengths(), sample_count = 20)]
fn moments_of_a_short_length(bencher: Bencher<'_, '_>, case: &Turning) {
    let plate = case.plate();
    let kernel = Kernel::gaussians(vec![(1.0, case.2 * plate.half_side())]);
    let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch::NONE };
    bencher.bench_local(|| plate.moments(&covariance, NoCovariance::Refuse));
}

fn short_lengths() -> Vec<Turning> {
    let square = [[0.0, 0.5], [0.0, 0.97], [0.0, 0.99], [0.0, 1.0], [0.0, 1.03], [0.97, 0.98]];
    let disc = [[0.1, 0.4], [0.0, 0.98], [0.0, 1.05]];
    let angled = [[0.1, 0.2], [-0.4, -0.15], [-0.24, 0.15]];
    let on = |area: Area, centres: &[Point], lengths: &[f64]| -> Vec<Turning> {
        let all = centres.iter().flat_map(|centre| lengths.iter().map(move |length| Turning(area, *centre, *length)));
        all.collect()
    };
    let mut cases = on(Area::Square, &square, &[0.003, 0.025, 0.05, 0.07]);
    cases.extend(on(Area::Disc, &disc, &[0.003, 0.025, 0.06, 0.08, 0.1, 0.14, 0.3]));
    cases.extend(on(Area::Angled, &angled, &[0.003, 0.025, 0.06, 0.08, 0.1, 0.2, 0.4]));
    cases
}

/// One kernel that is not Gaussian: what a caller pays for one motion and one length, error estimate included.
#[divan::bench(args = any_kernels(), sample_count = 20)]
fn moments_of_any_kernel(bencher: Bencher<'_, '_>, case: &OfFamily) {
    let OfFamily(family, turning) = case;
    let plate = turning.plate();
    let kernel = family.kernel(turning.2 * plate.half_side());
    let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch::NONE };
    bencher.bench_local(|| plate.moments(&covariance, NoCovariance::Refuse));
}

/// Kinds of kernels.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// exp(−√(r/l)).
    Root,
    Exponential,
    /// exp(−(r/l)^1.5).
    Smoother,
    /// With ν = 3/2.
    Matern,
    /// (1 + r²/l²)^(−2).
    Formula,
}

impl Family {
    fn kernel(self, length: f64) -> Kernel {
        match self {
            Family::Root => Kernel::power_exponentials(0.5, vec![(1.0, length)]),
            Family::Exponential => Kernel::power_exponentials(1.0, vec![(1.0, length)]),
            Family::Smoother => Kernel::power_exponentials(1.5, vec![(1.0, length)]),
            Family::Matern => Kernel::matern(1.0, 1.5, length),
            Family::Formula => {
                let value = move |r: f64| (1.0 + (r / length) * (r / length)).powi(2).recip();
                Kernel::Function { value: Arc::new(value), length }
            }
        }
    }
}

/// A family with a plate that turns about a point inside.
struct OfFamily(Family, Turning);

impl fmt::Display for OfFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {}", self.0, self.1)
    }
}

fn any_kernels() -> Vec<OfFamily> {
    let families = [Family::Root, Family::Exponential, Family::Smoother, Family::Matern, Family::Formula];
    let plates = [(Area::Square, [0.1, 0.4]), (Area::Disc, [0.1, 0.4]), (Area::Angled, [-0.74, 0.35])];
    let of_plate = |(area, centre): (Area, Point)| {
        [0.05, 0.3, 3.0].into_iter().flat_map(move |length| {
            families.into_iter().map(move |family| OfFamily(family, Turning(area, centre, length)))
        })
    };
    plates.into_iter().flat_map(of_plate).collect()
}

/// 2000 samples of six motions on the same realisations.
#[divan::bench(args = [0.05, 0.1, 0.3, 1.0, 10.0], sample_count = 10)]
fn samples_of_six_motions(bencher: Bencher<'_, '_>, length: f64) {
    let text = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1, "correlation_length": {length}}}"#);
    let model: FieldModel = serde_json::from_str(&text).expect("keys of a field");
    let field = model.prepared(CorrelationOf::GaussianParent).expect("a field");
    let plate = Plate::new(&Shape::Square(Square { half_side: 1.0 }), &Motion::default(), 1.0).expect("a plate");
    let sampler = PlateSampler::new(&plate, &field, None, GeneratorChoice::Auto, 1, &|| false).expect("a sampler");
    let moving = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0]
        .map(|rotation_radius| Moving { twist: Motion::General(General { rotation_radius }).twist(), pressure: 1.0 });
    bencher.bench_local(|| Samples::draw_many(&sampler, &moving, 2000, Pairing::Antithetic, &Silent));
}
