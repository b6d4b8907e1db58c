//! The uniform belt in closed form, and both limits of the correlation length, against numbers of mpmath (18 digits), of midpoint
//! sums over forty million coefficients (counts) and of a dense matrix with extrapolation (double integrals of the correlation).

use stiction::analysis::belt_disc::{LargeLength, SmallLength, UniformBelt, UniformStart, Window, periodogram};
use stiction::field::{CorrelationOf, FieldDescription, FieldModel, LengthChoice, RandomField};
use stiction::num::quadrature::integral;
use stiction::num::real::{cos, hypot, sin};
use stiction::system::ContactPolicy;

const RADIUS: f64 = 0.5;

fn belt(speed: f64, coefficient: f64, ratio: f64) -> UniformBelt {
    UniformBelt::new(10.0, 30.0, speed, 9.81, coefficient, ratio).unwrap()
}

fn field(mean: f64, correlation_of: CorrelationOf) -> RandomField {
    let model = FieldModel {
        mean: Some(mean),
        standard_deviation: Some(0.2 * mean),
        correlation_length: Some(LengthChoice::Isotropic(0.1)),
        correlation_of: Some(correlation_of),
        ..FieldModel::default()
    };
    match model.prepared(CorrelationOf::GaussianParent).unwrap() {
        FieldDescription::Random(field) => *field,
        _ => panic!("a random field"),
    }
}

fn close(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((found / wanted - 1.0).abs() < tolerance, "{what}: {found} is not {wanted}");
}

#[test]
fn the_uniform_cycle_and_its_transient_have_the_digits_of_mpmath() {
    // peak-to-valley displacement and force, stick, slip, period, turning times, first landing, first breakaway
    let cases = [
        (
            belt(0.2, 0.5, 0.9),
            [
                0.400_327_782_365_068_1,
                9.81,
                1.635,
                2.523_825_716_834_869,
                4.158_825_716_834_869,
                0.355_013_176_300_325_9,
                2.168_812_540_534_544,
                0.045_351_869_377_227_19,
                8.197_664_267_568_927,
            ],
        ),
        (
            belt(0.6, 0.2, 0.9),
            [
                0.705_059_316_653_570_7,
                3.924,
                0.218,
                3.412_134_768_220_312,
                3.630_134_768_220_312,
                0.799_167_701_993_047_4,
                2.612_967_066_227_265,
                0.363_293_238_465_736_5,
                1.265_405_882_840_208,
            ],
        ),
        (
            belt(0.2, 0.5, 0.5),
            [
                1.651_229_340_017_108,
                49.05,
                8.175,
                1.975_826_386_414_695,
                10.150_826_386_414_7,
                0.081_013_511_090_238_95,
                1.894_812_875_324_457,
                0.081_823_067_719_891_9,
                8.215_842_920_218_66,
            ],
        ),
    ];
    for (belt, wanted) in cases {
        let cycle = belt.cycle().unwrap();
        let first = belt.transient(UniformStart::Rest).unwrap();
        let found = [
            cycle.peak_to_valley_displacement,
            cycle.peak_to_valley_force,
            cycle.stick_time,
            cycle.slip_time,
            cycle.period,
            cycle.first_turning_time,
            cycle.second_turning_time,
            first.landing_time,
            first.breakaway_time,
        ];
        for (found, wanted) in found.into_iter().zip(wanted) {
            close(found, wanted, 2e-15, "cycle");
        }
    }
    let raw = |belt: UniformBelt, duration| belt.raw_stick_fraction(UniformStart::Rest, duration).unwrap();
    close(raw(belt(0.2, 0.5, 0.9), 100.0), 0.441_223_123_981_917, 1e-14, "raw fraction");
    close(raw(belt(0.6, 0.2, 0.9), 100.0), 0.067_881_126_443_744_7, 1e-13, "raw fraction");
    close(raw(belt(0.2, 0.5, 0.5), 30.0), 0.816_133_995_083_292, 1e-14, "raw fraction");
}

#[test]
fn raw_fractions_are_the_sum_of_sticks_of_the_motion() {
    for (speed, duration) in [(0.2, 100.0), (0.2, 5.0), (0.2, 0.03), (0.45, 61.7), (0.1, 37.0)] {
        let belt = belt(speed, 0.5, 0.9);
        for start in [UniformStart::Rest, UniformStart::Stuck] {
            let count = 400_000;
            let step = duration / f64::from(count);
            let sticks = |i: i32| belt.at(start, (f64::from(i) + 0.5) * step).unwrap().sticks;
            let share = (0..count).filter(|i| sticks(*i)).count() as f64 / f64::from(count);
            let found = belt.raw_stick_fraction(start, duration).unwrap();
            assert!((share - found).abs() < 2e-4, "{speed} {duration}: {share} {found}");
        }
    }
}

#[test]
fn harmonics_are_the_fourier_integrals_of_the_cycle() {
    for (speed, ratio) in [(0.2, 0.9), (0.6, 0.9), (0.05, 0.6), (0.2, 1.0)] {
        let belt = belt(speed, 0.5, ratio);
        let cycle = belt.cycle().unwrap();
        let (mean, amplitudes) = belt.harmonics(6).unwrap();
        let from = belt.transient(UniformStart::Stuck).unwrap().breakaway_time;
        let over = |of: &dyn Fn(f64) -> f64| {
            let value = |t: f64| of(t) * belt.at(UniformStart::Stuck, from + t).unwrap().displacement;
            let slip = integral(0.0, cycle.slip_time, value).unwrap().value;
            let stick = integral(cycle.slip_time, cycle.period, value).unwrap().value;
            (slip + stick) / cycle.period
        };
        close(mean, over(&|_| 1.0), 1e-12, "mean");
        for (n, amplitude) in amplitudes.iter().enumerate() {
            let nu = std::f64::consts::TAU * (n + 1) as f64 / cycle.period;
            let wanted = 2.0 * hypot(over(&|t| cos(nu * t)), over(&|t| sin(nu * t)));
            assert!((amplitude - wanted).abs() < 1e-12, "{speed} {ratio} {n}: {amplitude} {wanted}");
        }
    }
}

#[test]
fn the_spectrum_of_the_cycle_has_its_harmonics() {
    let belt = belt(0.2, 0.5, 0.9);
    let cycle = belt.cycle().unwrap();
    let (_, amplitudes) = belt.harmonics(4).unwrap();
    let (cycles, count) = (8, 8 * 720);
    let step = f64::from(cycles) * cycle.period / f64::from(count);
    let from = belt.transient(UniformStart::Rest).unwrap().breakaway_time;
    let at = |i: i32| belt.at(UniformStart::Rest, from + step * (f64::from(i) + 0.5)).unwrap().displacement;
    let found = periodogram(&(0..count).map(at).collect::<Vec<f64>>(), step, Window::Rectangular).unwrap();
    for (n, amplitude) in amplitudes.iter().enumerate() {
        // kinks of the acceleration alias with the cube of the number of samples
        assert!((found.amplitude[8 * (n + 1)] - amplitude).abs() < 1e-7, "{n}");
    }
}

#[test]
fn friction_takes_what_the_belt_gives_in_a_cycle() {
    let belt = belt(0.2, 0.5, 0.9);
    let cycle = belt.cycle().unwrap();
    let from = belt.transient(UniformStart::Stuck).unwrap().breakaway_time;
    let sample = |t: f64| belt.at(UniformStart::Stuck, from + t).unwrap();
    let work = |from: f64, to: f64| integral(from, to, |t| 0.2 * sample(t).force).unwrap().value;
    let given = work(0.0, cycle.slip_time) + work(cycle.slip_time, cycle.period);
    let loss = |t: f64| sample(t).force * (0.2 - sample(t).velocity);
    close(cycle.dissipation, given, 1e-12, "work of the belt");
    close(cycle.dissipation, integral(0.0, cycle.slip_time, loss).unwrap().value, 1e-12, "loss");
}

#[test]
fn long_lengths_have_the_digits_of_mpmath() {
    // mean and standard deviation: displacement, force, stick, both pooled
    let cases = [
        (
            belt(0.2, 0.5, 0.9),
            100.0,
            [
                [1.004_298_581_904_2, 0.134_435_301_831_61],
                [1.0, 0.2],
                [0.989_149_921_154_41, 0.143_279_890_424_98],
                [0.997_425_701_306_17, 0.131_666_602_163_7],
                [0.989_770_618_440_22, 0.196_546_051_412_46],
            ],
            [[0.995_359_766_151, 0.130_887_980_750], [0.986_051_284_673, 0.195_353_584_975]],
            [0.980_657_316_739, 0.138_262_485_346],
            0.0,
        ),
        (
            belt(0.6, 0.2, 0.9),
            100.0,
            [
                [1.000_661_194_139_8, 0.007_336_656_982_522_2],
                [1.0, 0.2],
                [0.999_822_531_314_79, 0.199_408_428_650_27],
                [1.000_657_592_559_7, 0.007_333_921_457_434_8],
                [0.999_904_497_701_41, 0.199_950_984_939_69],
            ],
            [[1.000_724_348_905, 0.007_299_813_633], [1.002_228_898_231, 0.197_974_892_230]],
            [0.995_064_081_817, 0.220_988_687_160],
            4.971_592e-3,
        ),
        (
            belt(0.2, 0.5, 0.5),
            30.0,
            [
                [1.000_382_407_436, 0.196_093_374_997_26],
                [1.0, 0.2],
                [0.992_851_821_488_78, 0.042_652_083_752_219],
                [0.970_852_574_047_08, 0.189_309_417_128_78],
                [0.969_863_848_782_18, 0.193_198_878_075_85],
            ],
            [[0.963_388_696_697, 0.187_206_719_428], [0.938_806_212_300, 0.183_947_982_076]],
            [1.009_178_756_975, 0.048_299_766_484],
            2.344_340e-3,
        ),
    ];
    for (belt, duration, smooth, finite, raw, flagged) in cases {
        let marginal = field(belt.static_coefficient(), CorrelationOf::GaussianParent).marginal;
        let found = LargeLength::of(&belt, &marginal, UniformStart::Rest, duration).unwrap();
        let all = [found.displacement, found.force, found.stick, found.displacement_pooled, found.force_pooled];
        for (found, wanted) in all.iter().zip(smooth) {
            close(found.mean, wanted[0], 1e-11, "mean");
            close(found.standard_deviation, wanted[1], 1e-11, "standard deviation");
        }
        for (found, wanted) in [found.displacement_pooled_finite, found.force_pooled_finite].iter().zip(finite) {
            close(found.mean, wanted[0], 1e-7, "finite mean");
            close(found.standard_deviation, wanted[1], 1e-6, "finite standard deviation");
        }
        close(found.stick_raw.mean, raw[0], 1e-8, "raw mean");
        close(found.stick_raw.standard_deviation, raw[1], 1e-8, "raw standard deviation");
        assert!((found.flagged - flagged).abs() < 1e-6, "{} {flagged}", found.flagged);
    }
}

#[test]
fn short_lengths_have_the_slopes_of_a_dense_matrix() {
    for (belt, wanted) in [
        (belt(0.2, 0.5, 0.9), [6.660_677_036_2, 5.790_381_563_5, 8.915_882_821_1]),
        (belt(0.6, 0.2, 0.9), [1.841_196_789_5, 41.041_351_646_6, 41.646_038_767_0]),
        (belt(0.2, 0.5, 0.5), [1.869_779_529_9, 1.271_652_267_0, 1.901_867_368_7]),
    ] {
        let found = SmallLength::of(&belt, RADIUS, &field(0.5, CorrelationOf::GaussianParent)).unwrap();
        close(found.patch_variation, 0.199_019_234_774_95, 1e-12, "variation of the patch");
        let amplifications =
            [found.displacement_amplification, found.force_amplification, found.slip_force_amplification];
        for (found, wanted) in amplifications.into_iter().zip(wanted) {
            close(found, wanted, 1e-6, "amplification");
        }
        let coefficient = SmallLength::of(&belt, RADIUS, &field(0.5, CorrelationOf::Coefficient)).unwrap();
        close(coefficient.displacement_slope(), 0.2 * found.displacement_amplification, 1e-13, "slope");
        close(found.force_slope(), 0.199_019_234_774_95 * wanted[1], 1e-6, "slope");
    }
}

#[test]
fn limits_without_a_cycle_are_refused() {
    let random = field(0.5, CorrelationOf::GaussianParent);
    let slow = belt(0.2, 0.5, 0.3).with_policy(ContactPolicy::Kinetic);
    assert!(LargeLength::of(&slow, &random.marginal, UniformStart::Rest, 100.0).is_err());
    assert!(SmallLength::of(&slow, RADIUS, &random).is_err());
    assert!(SmallLength::of(&belt(0.2, 0.5, 1.0), RADIUS, &random).is_err());
    for duration in [0.0, -1.0, f64::NAN, 1e9, 1.0] {
        assert!(LargeLength::of(&belt(0.2, 0.5, 0.9), &random.marginal, UniformStart::Rest, duration).is_err());
    }
}
