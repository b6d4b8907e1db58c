//! Samples of a field under a plate: every way has the exact moments.

use super::plain::sampler;
use nalgebra::DMatrix;
use stiction::analysis::Silent;
use stiction::analysis::planar_sliding::functionals::{Functionals, Matrix, difference};
use stiction::analysis::planar_sliding::lines::Lines;
use stiction::analysis::planar_sliding::mesh::Mesh;
use stiction::analysis::planar_sliding::motion::General;
use stiction::analysis::planar_sliding::{
    Covariance, Kernel, Motion, Moving, NoCovariance, Pairing, Plate, PlateSampler, Samples, Stretch, Twist,
};
use stiction::analysis::progress::{Cancelled, Progress};
use stiction::field::{CorrelationOf, FieldDescription, FieldModel, GeneratorChoice, Germ};
use stiction::num::real::{cos, exp, sin};
use stiction::patch::{Disc, Polygon, Resolution, Shape, Square};

fn square() -> Shape {
    Shape::Square(Square { half_side: 1.0 })
}

fn disc() -> Shape {
    Shape::Disc(Disc { radius: 1.0 })
}

fn field(keys: &str) -> FieldDescription {
    let length = if keys.contains("correlation_length") { "" } else { r#", "correlation_length": 0.7"# };
    let text = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1{length}{keys}}}"#);
    let model: FieldModel = serde_json::from_str(&text).unwrap();
    model.prepared(CorrelationOf::GaussianParent).unwrap()
}

fn covariance(field: &FieldDescription) -> Covariance {
    let FieldDescription::Random(random) = field else { panic!("{field:?}") };
    Covariance::of(random)
}

/// Σ load_i(p) load_j(q) exp(−|x_p − x_q|²/l²) over the places of a grid.
fn double_sum(lines: &Lines, functionals: &Functionals, lengths: [f64; 2]) -> Matrix {
    let kernel = |axis: usize| {
        let places = &lines.lines[axis].places;
        DMatrix::from_fn(places.len(), places.len(), |i, j| exp(-((places[i] - places[j]) / lengths[axis]).powi(2)))
    };
    let (across, up) = (kernel(0), kernel(1));
    let resolution = Resolution { length: lengths[0].min(lengths[1]).min(1.0), extra: -2 };
    let loads = lines.loads(functionals, resolution);
    let loads = loads.map(|load| DMatrix::from_row_slice(across.nrows(), up.nrows(), &load));
    let seen = loads.each_ref().map(|load| &across * load * &up);
    std::array::from_fn(|i| std::array::from_fn(|j| loads[i].dot(&seen[j])))
}

fn assert_same_variances(shape: &Shape, motion: &Motion, lines: &Lines, lengths: [f64; 2], angle: f64) {
    let plate = Plate::new(shape, motion, 1.0).unwrap();
    let kernel = Kernel::gaussians(vec![(1.0, (lengths[0] * lengths[1]).sqrt())]);
    let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch { ratio: lengths[0] / lengths[1], angle } };
    let sampled = double_sum(lines, &plate.functionals, lengths);
    let exact = plate.moments(&covariance, NoCovariance::Refuse).unwrap().covariance;
    let error = difference(&exact, &sampled);
    assert!(error < 1e-5, "l {lengths:?}, {motion:?}: {error:e}");
}

#[test]
fn one_grid_has_the_variances_of_every_motion() {
    let outline = Plate::new(&square(), &Motion::default(), 1.0).unwrap().functionals.outline;
    for length in [0.05, 0.11, 0.3, 0.5, 1.0, 2.0, 100.0] {
        let lines = Lines::covering(&outline, [length; 2], [1.0, 0.0]);
        // from the middle over the rim to far outside
        for rotation_radius in [0.0, 0.1, 0.237, 0.5, 0.97, 1.0, 1.0 + 1e-7, 1.02, 2.0, 5.0] {
            let motion = Motion::General(General { rotation_radius });
            assert_same_variances(&square(), &motion, &lines, [length; 2], 0.0);
        }
    }
}

#[test]
fn a_turned_grid_has_the_variances_of_any_shape() {
    let corners = vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]];
    for shape in [disc(), Shape::Polygon(Polygon { corners, holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]] })] {
        let outline = Plate::new(&shape, &Motion::default(), 1.0).unwrap().functionals.outline;
        for (lengths, angle) in [([0.6, 0.15], 0.5), ([0.3, 2.0], -1.2)] {
            let lines = Lines::covering(&outline, lengths, [cos(angle), sin(angle)]);
            for twist in [[0.0, 0.0, 1.0], [0.3, -0.2, 1.0], [1.0, 0.4, 0.0], [0.0, 1.001, 1.0]] {
                let [vx, vy, omega] = twist;
                let motion = Motion::Twist(Twist { vx, vy, omega });
                assert_same_variances(&shape, &motion, &lines, lengths, angle);
            }
        }
    }
}

#[test]
fn both_of_a_pair_are_those_drawn_alone() {
    let sampler = sampler([1.0, 0.6], 0.4, 0.5, 0.1, 9);
    let [mut plain, mut mirrored, mut alone] = [0, 1, 2].map(|_| vec![0.0; sampler.count()]);
    sampler.fill_pair(&Germ::antithetic(9, 6), [&mut plain, &mut mirrored], &mut Vec::new());
    for (realisation, wanted) in [(6, &plain), (7, &mirrored)] {
        sampler.fill(&Germ::antithetic(9, realisation), &mut alone, &mut Vec::new());
        assert_eq!(&alone, wanted);
    }
}

#[test]
fn samples_of_every_kind_have_the_exact_moments() {
    for (shape, keys) in [
        (square(), ""),
        (square(), r#", "correlation": "matern", "smoothness": 2.5"#),
        (disc(), ""),
        (disc(), r#", "marginal": "uniform""#),
        (disc(), r#", "correlation_length": [0.6, 0.15], "angle": 0.5"#),
        (disc(), r#", "correlation_length": [0.6, 0.15], "angle": 0.5, "marginal": "uniform""#),
        (disc(), r#", "correlation": "matern", "smoothness": 0.5, "correlation_length": 0.22"#),
    ] {
        let plate = Plate::new(&shape, &Motion::default(), 2.0).unwrap();
        let field = field(keys);
        let sampler = PlateSampler::new(&plate, &field, None, GeneratorChoice::Auto, 5, &|| false).unwrap();
        let samples = Samples::draw(&sampler, &plate.functionals.twist, 2.0, 2000, Pairing::Antithetic);
        let exact = plate.moments(&covariance(&field), NoCovariance::Refuse).unwrap();
        let sampled = samples.moments(&exact);
        for i in [0, 2] {
            let (mean, variance) = (sampled.mean[i], sampled.variance[i]);
            // 4.5 standard errors: 1 false alarm in 10⁵ tests; the field never changes, so none in practice
            assert!((mean.value - exact.mean[i]).abs() < 4.5 * mean.standard_error + 1e-3, "{keys} {i} {mean:?}");
            let off = (variance.value - exact.covariance[i][i]).abs();
            assert!(off < 4.5 * variance.standard_error, "{keys} {i} {variance:?}");
        }
    }
}

fn on_mesh(shape: &Shape, length: f64) -> (Plate, Result<PlateSampler, stiction::analysis::AnalysisError>) {
    let plate = Plate::new(shape, &Motion::default(), 1.0).unwrap();
    let field = field(&format!(r#", "correlation_length": {length}"#));
    let sampler = PlateSampler::on_mesh(&plate, &field, 3, &|| false);
    (plate, sampler)
}

#[test]
fn the_mesh_covers_the_square() {
    let plate = Plate::new(&square(), &Motion::default(), 1.0).unwrap();
    let mesh = Mesh::of(&plate, &field("")).unwrap();
    assert_eq!((mesh.corners.len(), mesh.elements.len()), (21 * 21, 2 * 20 * 20));
    // translation: the loads are the areas, with the sign of the motion
    let [x, y, _] = mesh.loads(&plate.functionals.twist);
    assert!((x.iter().sum::<f64>().abs() - 4.0).abs() < 1e-12 && y.iter().sum::<f64>().abs() < 1e-12);
}

#[test]
fn samples_on_the_mesh_have_the_exact_moments_up_to_the_mesh() {
    let (plate, sampler) = on_mesh(&square(), 0.5);
    let samples = Samples::draw(&sampler.unwrap(), &plate.functionals.twist, 1.0, 4000, Pairing::Independent);
    let field = field(r#", "correlation_length": 0.5"#);
    let exact = plate.moments(&covariance(&field), NoCovariance::Refuse).unwrap();
    let sampled = samples.moments(&exact);
    for i in [0, 2] {
        let off = (sampled.variance[i].value - exact.covariance[i][i]).abs();
        // 4 standard errors and 1 % for the mesh, which is a fifth of the correlation length
        assert!(off < 4.0 * sampled.variance[i].standard_error + 0.01 * exact.covariance[i][i], "{i} {off}");
    }
}

#[test]
fn what_the_mesh_cannot_do_is_said() {
    assert!(on_mesh(&square(), 0.02).1.unwrap_err().to_string().contains("corners"));
    let error = on_mesh(&disc(), 0.5).1.unwrap_err();
    assert!(error.to_string().contains("squares"), "{error}");
}

/// Whether the user interrupts.
struct Interrupts(bool);

impl Progress for Interrupts {
    fn begin(&self, _what: &str, _items: u64) {}
    fn advance(&self, _items: u64) {}
    fn cancelled(&self) -> bool {
        self.0
    }
}

#[test]
fn moments_tables_and_samples_stop_when_the_user_interrupts() {
    let motion = Motion::General(General { rotation_radius: 0.1 });
    let islands = Shape::Mask(stiction::patch::Mask { cell: 0.1, rows: vec!["#.#.#.#.#.#".into(); 7] });
    for shape in [square(), islands] {
        let plate = Plate::new(&shape, &motion, 1.0).unwrap();
        let covariance = covariance(&field(r#", "correlation_length": [0.3, 0.1], "angle": 0.5"#));
        let stopped = plate.moments_unless(&Interrupts(true), &covariance, NoCovariance::Refuse);
        assert_eq!(stopped.unwrap_err(), Cancelled.into());
        assert!(plate.moments_unless(&Interrupts(false), &covariance, NoCovariance::Refuse).is_ok());
        assert_eq!(plate.tabulated(&covariance, 0.1, &Interrupts(true)).unwrap_err(), Cancelled.into());
    }
    let moving = [Moving { twist: motion.twist(), pressure: 1.0 }];
    let sampler = sampler([1.0, 1.0], 0.3, 0.5, 0.1, 1);
    let draw = |progress: &dyn Progress| Samples::draw_many(&sampler, &moving, 10, Pairing::Antithetic, progress);
    assert_eq!(draw(&Interrupts(true)).unwrap_err(), Cancelled);
    assert_eq!(draw(&Silent).unwrap()[0].rows.len(), 10);
}
