//! Friction of the disc: the aligned lattice beside a loop that gathers every value by itself, the solvers of a patch at rest, and
//! whole runs.

use divan::Bencher;
use divan::counter::ItemsCount;
use stiction::analysis::Silent;
use stiction::analysis::belt_disc::{BeltModel, Phase, Setting, ensemble};
use stiction::field::track::{TrackPlan, TrackSetting};
use stiction::field::{FieldModel, Germ, InterpolationChoice};
use stiction::integrate::Tolerance;
use stiction::patch::limit_body::{breakaway, gauge};
use stiction::patch::{CellLattice, Disc, Outline, QuadratureWeights, Shape};
use stiction::system::BeltDisc;
use stiction::system::belt_disc::Precision;

fn main() {
    where_the_time_goes();
    divan::main();
}

/// Evaluations of the friction in one run: with the time of one evaluation below they tell the rest.
fn where_the_time_goes() {
    let model = BeltModel::new(&BeltDisc::default(), None, 100.0).expect("a model");
    for relative in [1e-5, 1e-6, 1e-8] {
        let tolerance = Tolerance { relative, absolute: 1e-2 * relative };
        let run = model.run(&Germ::new(1, 0), &Setting { tolerance, ..Setting::default() }).expect("a run");
        let slips = run.events.iter().filter(|event| event.kind == Phase::Slip).count() + 1;
        println!(
            "tolerance {relative:e}: {} evaluations over {} cells in {} steps ({} refused) of {slips} slips",
            run.effort.evaluations,
            model.points(),
            run.effort.steps,
            run.effort.rejected
        );
    }
}

/// A disc of radius 0.5 m with about so many cells.
fn lattice(cells: usize) -> CellLattice {
    let outline = Outline::of(&Shape::Disc(Disc { radius: 0.5 })).expect("a disc");
    let step = 0.5 * (std::f64::consts::PI / cells as f64).sqrt();
    CellLattice::new(&outline, 0.5, step, QuadratureWeights::Kernel).expect("a lattice")
}

fn plan(step: f64, single: bool) -> TrackPlan {
    let field = FieldModel { expression: Some("0.5 + 0.1*cos(3*x)*sin(2*y)".into()), ..FieldModel::default() };
    let field = field.prepared(stiction::field::CorrelationOf::GaussianParent).expect("a formula");
    let setting = TrackSetting {
        parts: 1,
        step,
        interpolation: InterpolationChoice::Cubic,
        single,
        mirrored: false,
        extent: [-3.0, 1.0],
        rims: [-0.6, 0.6],
    };
    TrackPlan::new(&field, None, Default::default(), setting).expect("a track")
}

fn sweep(bencher: Bencher<'_, '_>, cells: usize, single: bool) {
    let lattice = lattice(cells);
    let plan = plan(lattice.step(), single);
    let mut track = plan.track(Germ::new(1, 0));
    let [columns, rows] = lattice.reach();
    let block = track.covering([columns[0] - 4, columns[1] + 4], [rows[0] - 1, rows[1] + 1]).expect("covered");
    bencher.counter(ItemsCount::new(lattice.count())).bench_local(|| {
        let twist = divan::black_box([-0.2, 0.01, 0.03]);
        lattice.gradient(block, [0, 0], [0.3, 0.6], twist)
    });
}

#[divan::bench(args = [1000, 10_000], sample_size = 40)]
fn aligned_lattice_single(bencher: Bencher<'_, '_>, cells: usize) {
    sweep(bencher, cells, true);
}

#[divan::bench(args = [1000, 10_000], sample_size = 40)]
fn aligned_lattice_double(bencher: Bencher<'_, '_>, cells: usize) {
    sweep(bencher, cells, false);
}

/// What one would write in an afternoon: every cell finds its own grid cell and interpolation weights.
#[divan::bench(args = [1000, 10_000], sample_size = 40)]
fn naive_gather(bencher: Bencher<'_, '_>, cells: usize) {
    let lattice = lattice(cells);
    let plan = plan(lattice.step(), false);
    let step = lattice.step();
    let mut track = plan.track(Germ::new(1, 0));
    let [columns, rows] = lattice.reach();
    let block = track.covering([columns[0] - 4, columns[1] + 4], [rows[0] - 1, rows[1] + 1]).expect("covered");
    let cells = lattice.frozen(block, [0, 0], [0.3, 0.6]).expect("a patch");
    let places: Vec<_> = cells.iter().map(|cell| (cell.place, cell.strength)).collect();
    bencher.counter(ItemsCount::new(places.len())).bench_local(|| {
        let [a, b, c] = divan::black_box([-0.2, 0.01, 0.03]);
        let mut sum = [0.0; 3];
        for &([xi, eta], weight) in &places {
            let (x, y) = (0.5 * xi / step + 0.3, 0.5 * eta / step + 0.6);
            let node = [x.floor() as i64, y.floor() as i64];
            let start = block.place(node, [0, 0], [[-1, 2], [-1, 2]]).unwrap_or(0);
            let value = block.value(start, [0, 0], &block.taps([x - x.floor(), y - y.floor()]));
            let (p, r) = (a - c * eta, b + c * xi);
            let q = weight * value / (p * p + r * r).sqrt();
            sum[0] += q * p;
            sum[1] += q * r;
            sum[2] += q * (xi * r - eta * p);
        }
        sum
    });
}

#[divan::bench]
fn breakaway_of_a_patch(bencher: Bencher<'_, '_>) {
    let model = BeltModel::new(&BeltDisc::default(), None, 10.0).expect("a model");
    let cells = model.cells(&Germ::new(1, 0), [-0.3, 0.0]).expect("a patch").expect("cells");
    bencher.bench_local(|| breakaway(&cells, divan::black_box(0.01)));
}

#[divan::bench]
fn landing_test_of_a_patch(bencher: Bencher<'_, '_>) {
    let model = BeltModel::new(&BeltDisc::default(), None, 10.0).expect("a model");
    let cells = model.cells(&Germ::new(1, 0), [-0.3, 0.0]).expect("a patch").expect("cells");
    bencher.bench_local(|| gauge(&cells, divan::black_box([0.4, 0.01, 0.0])));
}

/// The disc of the statistics: a stored field in single precision.
fn baseline() -> BeltModel {
    let disc = BeltDisc { precision: Some(Precision::Single), ..BeltDisc::default() };
    BeltModel::new(&disc, None, 100.0).expect("a model")
}

/// Event times to 1e-6 s on smooth fields.
fn setting() -> Setting<'static> {
    Setting { tolerance: Tolerance { relative: 1e-5, absolute: 1e-7 }, ..Setting::default() }
}

#[divan::bench]
fn field_of_a_run(bencher: Bencher<'_, '_>) {
    let model = baseline();
    bencher.bench_local(|| model.coefficients(&Germ::new(1, divan::black_box(0)), &[[0.0, 0.0]]));
}

#[divan::bench(sample_count = 10)]
fn one_run_of_100_seconds(bencher: Bencher<'_, '_>) {
    let model = baseline();
    bencher.bench_local(|| model.run(&Germ::new(1, divan::black_box(0)), &setting()));
}

#[divan::bench(sample_count = 10)]
fn one_run_of_100_seconds_in_double_precision(bencher: Bencher<'_, '_>) {
    let model = BeltModel::new(&BeltDisc::default(), None, 100.0).expect("a model");
    bencher.bench_local(|| model.run(&Germ::new(1, divan::black_box(0)), &Setting::default()));
}

#[divan::bench(sample_count = 2, args = [1, 2])]
fn the_baseline_study(bencher: Bencher<'_, '_>, threads: usize) {
    let model = baseline();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    bencher.bench_local(|| pool.install(|| ensemble(&model, 1, 0..100, &setting(), &Silent)));
}
