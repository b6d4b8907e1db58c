//! Exact moments of force and torque of a sliding plate, against independent quadrature.

use super::plain::{self, double_sum};
use stiction::analysis::Silent;
use stiction::analysis::planar_sliding::covariance::{Covariance, Kernel, Stretch};
use stiction::analysis::planar_sliding::functionals::{Matrix, difference};
use stiction::analysis::planar_sliding::motion::{General, Motion, Rotation, Translation, Twist};
use stiction::analysis::planar_sliding::plate::{NoCovariance, Plate};
use stiction::field::{Correlation, CorrelationOf, Family};
use stiction::patch::{Disc, Mask, Outline, Polygon, Rectangle, Shape, Square};

fn square() -> Shape {
    Shape::Square(Square { half_side: 1.0 })
}

fn general(rotation_radius: f64) -> Motion {
    Motion::General(General { rotation_radius })
}

fn unit(kernel: Kernel) -> Covariance {
    Covariance { mean: 1.0, kernel, stretch: Stretch::NONE }
}

fn gaussian(length: f64) -> Covariance {
    unit(Kernel::gaussians(vec![(1.0, length)]))
}

fn relative(found: &Matrix, i: usize, j: usize, wanted: f64) -> f64 {
    let scale = (found[i][i] * found[j][j]).sqrt();
    (found[i][j] - wanted).abs() / if scale > 0.0 { scale } else { 1.0 }
}

/// (ρ*, l, [K_xx, K_yy, K_TT, K_xT]) of the square with half side 1: polar Gauss rules about the centre of rotation and a
/// full double sum, in another language.
const SQUARE: [(f64, f64, [f64; 4]); 28] = [
    (0.0, 0.3, [0.4262527571007, 0.4262527571007, 0.5391255655943, 0.0]),
    (0.0, 1.0, [1.34306531736, 1.34306531736, 3.291218441434, 0.0]),
    (0.0, 3.0, [0.4364916967064, 0.4364916967064, 7.886757978537, 0.0]),
    (0.0, 100.0, [0.0004683428097496, 0.0004683428097499, 9.3668562251, 0.0]),
    (0.1, 0.3, [0.428011805737, 0.4247151200284, 0.5339445163435, 0.05181105455093]),
    (0.1, 1.0, [1.379333684259, 1.336458909397, 3.247293619388, 0.4389133072253]),
    (0.1, 3.0, [0.5413629720186, 0.434460457028, 7.792707834975, 0.9383614439858]),
    (0.1, 100.0, [0.1245732773555, 0.0004662101778912, 9.259380771289, 1.072014513722]),
    (0.2, 0.3, [0.4333714802321, 0.4200451214895, 0.5186178599546, 0.1025431956168]),
    (0.2, 1.0, [1.487929918949, 1.316662438528, 3.118652205793, 0.8601411481773]),
    (0.2, 3.0, [0.8542004687921, 0.4283765166211, 7.515421944799, 1.839676104564]),
    (0.2, 100.0, [0.4948608375044, 0.0004598204338886, 8.941970144818, 2.102654114299]),
    (0.5, 0.3, [0.4746573292942, 0.3850157641304, 0.4213909829937, 0.2355628098785]),
    (0.5, 1.0, [2.235426926847, 1.179563938149, 2.345802454709, 1.848174454582]),
    (0.5, 3.0, [2.963425986433, 0.3863303314011, 5.774952314285, 3.971617826335]),
    (0.5, 100.0, [2.994311566823, 0.0004155751197087, 6.928046983035, 4.554448688657]),
    (1.0, 0.3, [0.6697473324262, 0.2434655221944, 0.2604226391078, 0.2774437994661]),
    (1.0, 1.0, [4.446768348707, 0.7445329035288, 1.094323587544, 1.919351694905]),
    (1.0, 3.0, [8.84567538724, 0.2524797330836, 2.148536240626, 4.307395883055]),
    (1.0, 100.0, [9.990239908665, 0.0002736875471598, 2.511689410232, 5.009181847808]),
    (2.0, 0.3, [0.8740606917044, 0.06796936045529, 0.2431392375481, 0.1470915500351]),
    (2.0, 1.0, [5.982957212956, 0.2230248301179, 0.8658438912955, 0.9856998946291]),
    (2.0, 3.0, [12.67315286611, 0.08010331417665, 0.6717455339009, 2.328915495642]),
    (2.0, 100.0, [14.54273169582, 8.771965432767e-05, 0.518397938949, 2.745008781098]),
    (5.0, 0.3, [0.9363760195154, 0.0104780644892, 0.2552493392407, 0.05635306865327]),
    (5.0, 1.0, [6.409235941652, 0.03543115872742, 0.8748300997322, 0.3793496322863]),
    (5.0, 3.0, [13.7152358694, 0.01296921214847, 0.3710651985044, 0.9086094591679]),
    (5.0, 100.0, [15.78070261575, 1.424653222561e-05, 0.07350537640177, 1.074515149494]),
];

#[test]
fn covariances_of_general_motion_have_nine_digits() {
    for of_radius in SQUARE.chunk_by(|a, b| a.0 == b.0) {
        let rho = of_radius[0].0;
        let plate = accurate(&square(), &general(rho));
        let table = plate.tabulated(&gaussian(1.0), 0.3, &Silent).unwrap();
        for &(_, l, wanted) in of_radius {
            let direct = plate.moments(&gaussian(l), NoCovariance::Refuse).unwrap();
            let tabulated = table.moments(&gaussian(l), NoCovariance::Refuse).unwrap();
            for found in [direct, tabulated] {
                for ((i, j), wanted) in [(0, 0), (1, 1), (2, 2), (0, 2)].into_iter().zip(wanted) {
                    let error = relative(&found.covariance, i, j, wanted);
                    assert!(error < 1e-9, "rho {rho}, l {l}, entry {i}{j}: {error:e}");
                }
                assert!(found.error < 1e-6, "rho {rho}, l {l}: {:e}", found.error);
            }
        }
    }
}

/// The six entries xx, xy, xT, yy, yT, TT.
fn assert_entries(found: &Matrix, wanted: [f64; 6], tolerance: f64, what: &str) {
    for ((i, j), wanted) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].into_iter().zip(wanted) {
        let error = relative(found, i, j, wanted);
        assert!(error < tolerance, "{what}, entry {i}{j}: {} not {wanted}, {error:e}", found[i][j]);
    }
}

/// A plate whose moments have more than the six digits that are enough otherwise.
fn accurate(shape: &Shape, motion: &Motion) -> Plate {
    let mut plate = Plate::new(shape, motion, 1.0).unwrap();
    plate.accuracy = 1e-9;
    plate
}

fn moments(shape: &Shape, motion: &Motion, covariance: &Covariance) -> Matrix {
    let plate = accurate(shape, motion);
    plate.moments(covariance, NoCovariance::Formal).unwrap().covariance
}

#[test]
fn convention_b_is_the_quadrature_of_the_lognormal_covariance() {
    // (cv, l/a, Var F, Var T) for a mean of 1, by two-dimensional quadrature of exp(s² R) − 1
    for (variation, t, force, torque) in [
        (0.2, 0.3, 0.03755533621526186, 0.01026292526200977),
        (0.2, 1.0, 0.2574880132408257, 0.0351301941325805),
        (0.2, 5.0, 0.6067664868364402, 0.005374468911133606),
        (1.0, 0.3, 0.7986655425912925, 0.2208849334019348),
        (1.0, 1.0, 5.650677301211287, 0.8330518980373989),
        (1.0, 5.0, 14.90098229496507, 0.1746383631830163),
    ] {
        let covariance = plain::covariance(1.0, variation, &Correlation::gaussian(t), CorrelationOf::GaussianParent);
        let found = moments(&square(), &Motion::default(), &covariance);
        assert!((found[0][0] / force - 1.0).abs() < 1e-12, "{variation} {t}: {} not {force}", found[0][0]);
        assert!((found[2][2] / torque - 1.0).abs() < 1e-12, "{variation} {t}: {} not {torque}", found[2][2]);
    }
}

#[test]
fn rough_kernels_have_eight_digits() {
    // (n, l, Var F, Var T) of the square in translation: quadrature in polar coordinates of the lag. The square is given as
    // a polygon as well
    let corners = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    let polygon = Shape::Polygon(Polygon { corners, holes: Vec::new() });
    let rough = unit(Kernel::power_exponentials(1.0, vec![(1.0, 1.0)]));
    let tables =
        [&square(), &polygon].map(|shape| accurate(shape, &Motion::default()).tabulated(&rough, 0.1, &Silent).unwrap());
    for (exponent, l, force, torque) in [
        (1.0, 0.1, 0.22052741244629276, 0.06383580401458212),
        (1.0, 1.0, 6.34377038442225, 0.5597192938077077),
        (1.0, 10.0, 14.433228941085414, 0.14081812969288032),
        (1.5, 0.1, 0.13915409664388212, 0.042978679863837396),
        (1.5, 1.0, 6.428122577311165, 0.7479669440843126),
        (1.5, 10.0, 15.429590182131927, 0.07429989701873495),
        (0.7, 0.1, 0.4551176283117994, 0.10711701649504227),
        (0.7, 1.0, 6.257469633924684, 0.41649252303558476),
        (0.7, 10.0, 13.133176496194448, 0.18003654825247623),
    ] {
        let covariance = unit(Kernel::power_exponentials(exponent, vec![(1.0, l)]));
        for table in &tables {
            let found = table.moments(&covariance, NoCovariance::Refuse).unwrap().covariance;
            assert!((found[0][0] / force - 1.0).abs() < 3e-8, "n {exponent}, l {l}: {} not {force}", found[0][0]);
            assert!((found[2][2] / torque - 1.0).abs() < 3e-8, "n {exponent}, l {l}: {} not {torque}", found[2][2]);
        }
    }
}

#[test]
fn a_disc_has_its_bessel_integrals() {
    let disc = Shape::Disc(Disc { radius: 1.0 });
    let rotation = Motion::Rotation(Rotation::default());
    for (l, [force, torque], [turning_force, turning_torque]) in [
        (0.3, [0.738772576843333, 0.1489826087208673], [0.32396109105001997, 0.31526247510582905]),
        (1.0, [4.700126578450273, 0.41381787010046023], [0.8155340274692129, 1.8609363374410086]),
        (10.0, [9.771725101206165, 0.012173941598646626], [0.021671375447063063, 4.334352927986901]),
    ] {
        let translating = moments(&disc, &Motion::default(), &gaussian(l));
        assert_entries(&translating, [force, 0.0, 0.0, 0.0, 0.0, torque], 1e-12, "translation");
        // the general way meets the closed form
        let slow = Motion::Twist(Twist { vx: 1.0, vy: 0.0, omega: 1e-13 });
        let [plate, limit] = [&Motion::default(), &slow].map(|motion| Plate::new(&disc, motion, 1.0).unwrap());
        let (closed, general) =
            (plate.moments(&gaussian(l), NoCovariance::Refuse).unwrap(), double_sum(&limit.functionals, l));
        assert!((general[0][0] / closed.covariance[0][0] - 1.0).abs() < 2e-9);
        assert!((general[2][2] / closed.covariance[2][2] - 1.0).abs() < 2e-9);
        let turning = moments(&disc, &rotation, &gaussian(l));
        let wanted = [turning_force, 0.0, 0.0, turning_force, 0.0, turning_torque];
        assert_entries(&turning, wanted, 2e-9, "rotation");
    }
}

#[test]
fn a_disc_may_turn_about_any_point() {
    let motion = Motion::Twist(Twist { vx: 0.4, vy: -0.1, omega: 1.0 });
    let disc = Shape::Disc(Disc { radius: 1.0 });
    let first =
        [0.3601406397447, -0.01785640231573, 0.1487785972287, 0.2931791310607, -0.03719464930717, 0.2520465177131];
    assert_entries(&moments(&disc, &motion, &gaussian(0.3)), first, 2e-9, "l = 0.3");
    let second = [1.383857872672, -0.1682595819929, 1.091023868326, 0.7528844401985, -0.2727559670816, 1.385907645932];
    assert_entries(&moments(&disc, &motion, &gaussian(1.0)), second, 2e-9, "l = 1");
}

fn angled() -> Shape {
    Shape::Polygon(Polygon {
        corners: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]],
        holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
    })
}

#[test]
fn a_polygon_with_a_hole_may_turn_about_any_point() {
    let outline = Outline::of(&angled()).unwrap();
    assert!((outline.geometry.area - 4.115).abs() < 1e-14);
    for (found, wanted) in outline.shift.into_iter().zip([1.239165654110976, 0.8475496152288375]) {
        assert!((found - wanted).abs() < 1e-14);
    }
    let motion = Motion::Twist(Twist { vx: 0.3, vy: -0.5, omega: 0.8 });
    for (l, wanted) in [
        (0.4, [0.5811610369226, 0.01278048027072, 0.3536120865453, 0.8354267824727, -0.3958262329607, 1.073255971908]),
        (1.0, [1.812322075623, -0.2601863148405, 1.500534176572, 2.678898240413, -1.777900435016, 3.33397827847]),
        (4.0, [2.570629714213, -2.14453485749, 4.668870394622, 3.205672816002, -5.026081505002, 9.549817351713]),
    ] {
        assert_entries(&moments(&angled(), &motion, &gaussian(l)), wanted, 2e-9, &format!("l = {l}"));
    }
}

#[test]
fn squares_as_polygon_rectangle_and_mask_are_the_square() {
    let corners = vec![[5.0, -7.0], [5.0, -5.0], [3.0, -5.0], [3.0, -7.0]];
    let shapes = [
        Shape::Rectangle(Rectangle { half_length: 1.0, half_width: 1.0 }),
        Shape::Polygon(Polygon { corners, holes: Vec::new() }),
        Shape::Mask(Mask { cell: 0.5, rows: vec!["####".into(); 4] }),
    ];
    let sideways = Motion::Translation(Translation { direction: 0.4 });
    for motion in [sideways, general(0.3), general(4.0), Motion::Rotation(Rotation::default())] {
        for l in [0.1, 1.0, 30.0] {
            let wanted = moments(&square(), &motion, &gaussian(l));
            for shape in &shapes {
                let found = moments(shape, &motion, &gaussian(l));
                assert!(difference(&wanted, &found) < 2e-9, "{shape:?} {motion:?} {l}");
            }
        }
    }
}

#[test]
fn formal_moments_of_steeper_kernels_are_met_and_marked() {
    let kernel = |exponent: f64, l: f64| unit(Kernel::power_exponentials(exponent, vec![(1.0, l)]));
    let tables = [0.1, 1.0].map(|rho| {
        let plate = accurate(&square(), &general(rho));
        (rho, plate.tabulated(&kernel(4.0, 1.0), 0.3, &Silent).unwrap())
    });
    for (exponent, rho, l, wanted) in [
        // plain double sums of 3000 to 30000 nodes tend to this value, the last one from below by 2e-9
        (3.0, 0.1, 0.3, [0.4107401151352, 0.0, 0.04704402611328, 0.4077894486011, 0.0, 0.508096523583]),
        (3.0, 0.1, 1.0, [1.634093188137, 0.0, 0.4493534681465, 1.592081353188, 0.0, 3.225100087121]),
        (3.0, 0.1, 5.0, [0.1886472593436, 0.0, 1.057496672354, 0.06640257396577, 0.0, 9.072898329717]),
        (4.0, 0.1, 0.3, [0.4107842762588, 0.0, 0.04627652486021, 0.407893126276, 0.0, 0.5074265108974]),
        (4.0, 1.0, 1.0, [4.704711352223, 0.0, 1.96541124972, 0.94634716406, 0.0, 1.166971626508]),
        (3.0, 1.0, 1.0, [4.590713281295, 0.0, 1.935961963369, 0.8779837736276, 0.0, 1.134061964363]),
        (4.0, 1.0, 5.0, [9.955480473013, 0.0, 4.982826078603, 0.01505389670157, 0.0, 2.493736139582]),
    ] {
        let (_, table) = tables.iter().find(|(radius, _)| *radius == rho).unwrap();
        assert!(table.moments(&kernel(exponent, l), NoCovariance::Refuse).is_err());
        let found = table.moments(&kernel(exponent, l), NoCovariance::FormalSeparately).unwrap();
        assert!(found.formal && found.error < 1e-6);
        assert_entries(&found.covariance, wanted, 1e-6, &format!("n {exponent}, rho {rho}, l {l}"));
    }
    // force and torque with a correlation above 1: not even formally a covariance matrix
    assert!(tables[1].1.moments(&kernel(4.0, 5.0), NoCovariance::Formal).is_err());
    assert!(tables[1].1.moments(&kernel(4.0, 1.0), NoCovariance::Formal).is_ok());
}

#[test]
fn any_function_of_the_distance_agrees_with_its_mixture_at_short_and_long_lengths() {
    // the Gaussian as a plain function goes through pairs of nodes, or at short lengths through the expansion
    let plate = Plate::new(&square(), &general(0.5), 1.0).unwrap();
    let function = |l: f64| {
        let value = std::sync::Arc::new(move |r: f64| stiction::num::real::exp(-(r / l) * (r / l)));
        unit(Kernel::Function { value, length: l })
    };
    let table = plate.tabulated(&function(1.0), 0.01, &Silent).unwrap();
    for l in [0.01, 0.03, 0.06, 0.079, 0.081, 0.1, 0.3, 1.0, 10.0, 100.0] {
        let found = table.moments(&function(l), NoCovariance::Refuse).unwrap().covariance;
        let wanted = table.moments(&gaussian(l), NoCovariance::Refuse).unwrap().covariance;
        let error = difference(&wanted, &found);
        assert!(error < 2e-6, "l {l}: {error:e}");
    }
}

#[test]
fn two_correlation_lengths_stretch_the_plane() {
    let correlation =
        Correlation { family: Family::PowerExponential { exponent: 2.0 }, length: [2.0, 0.5], angle: 0.7 };
    let covariance = plain::covariance(1.0, 1.0, &correlation, CorrelationOf::Coefficient);
    let wanted = [1.8493033674, 0.4512881687486, 1.496571796401, 0.7960060706605, 0.07892987118892, 1.922975918598];
    assert_entries(&moments(&square(), &general(0.5), &covariance), wanted, 1e-8, "direct");
    let plate = Plate::new(&square(), &general(0.5), 1.0).unwrap();
    let table = plate.tabulated(&covariance, 0.5, &Silent).unwrap();
    let found = table.moments(&covariance, NoCovariance::Refuse).unwrap().covariance;
    assert_entries(&found, wanted, 1e-8, "table");
}

#[test]
fn short_lengths_have_eight_digits() {
    // at l = a/50 by brute force with some hundred thousand nodes
    for motion in [general(0.1), general(1.0)] {
        let plate = accurate(&square(), &motion);
        let table = plate.tabulated(&gaussian(1.0), 1e-6, &Silent).unwrap();
        let wanted = double_sum(&plate.functionals, 0.02);
        let found = table.moments(&gaussian(0.02), NoCovariance::Refuse).unwrap();
        let error = difference(&wanted, &found.covariance);
        assert!(error < 1e-7 && found.error < 1e-5, "{motion:?}: {error:e}, {:e}", found.error);
        // and in the limit the variance is π l² times the integral of w²
        let tiny = table.moments(&gaussian(1e-6), NoCovariance::Refuse).unwrap().covariance;
        let force = std::f64::consts::PI * 1e-12 * 4.0;
        assert!(((tiny[0][0] + tiny[1][1]) / force - 1.0).abs() < 2e-6);
    }
}

#[test]
fn large_lengths_follow_their_law_and_the_limits_of_the_radius_meet() {
    // Var → (∫w)² − (2/l²)(∫w ∫w|x|² − |∫w x|²): for the torque in translation 2/l² (4/3)²
    let far = moments(&square(), &general(1e9), &gaussian(1000.0));
    assert!((far[2][2] / (2e-6 * 16.0 / 9.0) - 1.0).abs() < 1e-5);
    let translation = moments(&square(), &Motion::default(), &gaussian(0.7));
    let nearly = moments(&square(), &general(1e7), &gaussian(0.7));
    assert!(
        (nearly[0][0] / translation[0][0] - 1.0).abs() < 1e-9 && (nearly[2][2] / translation[2][2] - 1.0).abs() < 1e-9
    );
    let rotation = moments(&square(), &Motion::Rotation(Rotation::default()), &gaussian(0.7));
    let nearly = moments(&square(), &general(1e-7), &gaussian(0.7));
    assert!((nearly[0][0] / rotation[0][0] - 1.0).abs() < 1e-9 && (nearly[2][2] / rotation[2][2] - 1.0).abs() < 1e-9);
}

#[test]
fn turning_and_mirroring_the_plate_turns_and_mirrors_the_moments() {
    let Shape::Polygon(polygon) = angled() else { panic!() };
    let turned = |points: &[[f64; 2]]| points.iter().map(|[x, y]| [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y]).collect();
    let other = Shape::Polygon(Polygon {
        corners: turned(&polygon.corners),
        holes: polygon.holes.iter().map(|hole| turned(hole)).collect(),
    });
    let twist = Twist { vx: 0.3, vy: -0.5, omega: 0.8 };
    let turned_twist = Twist { vx: 0.6 * 0.3 + 0.8 * 0.5, vy: 0.8 * 0.3 - 0.6 * 0.5, omega: 0.8 };
    let first = moments(&angled(), &Motion::Twist(twist), &gaussian(0.9));
    let second = moments(&other, &Motion::Twist(turned_twist), &gaussian(0.9));
    let (xx, xy, yy) = (first[0][0], first[0][1], first[1][1]);
    let wanted_xx = 0.36 * xx - 0.96 * xy + 0.64 * yy;
    assert!((second[0][0] - wanted_xx).abs() < 2e-9, "{} {wanted_xx}", second[0][0]);
    assert!((second[2][2] - first[2][2]).abs() < 4e-9);
    assert!((second[0][2] - (0.6 * first[0][2] - 0.8 * first[1][2])).abs() < 4e-9);
    // the other sense of rotation changes all weights: the moments stay
    let reversed = Twist { vx: -twist.vx, vy: -twist.vy, omega: -twist.omega };
    let third = moments(&angled(), &Motion::Twist(reversed), &gaussian(0.9));
    for i in 0..3 {
        assert!((third[i][i] - first[i][i]).abs() < 1e-12);
    }
}

#[test]
fn mean_torques_in_rotation_are_closed_forms() {
    let rotation = Motion::Rotation(Rotation::default());
    let mean = |shape: &Shape| {
        let plate = Plate::new(shape, &rotation, 2.0).unwrap();
        plate.moments(&gaussian(1.0), NoCovariance::Refuse).unwrap().mean
    };
    let a = 1.0_f64;
    let wanted = -2.0 * 4.0 / 3.0 * (2f64.sqrt() + stiction::num::real::asinh(1.0));
    assert!((mean(&square())[2] - wanted).abs() < 1e-14);
    let b = 0.3_f64;
    let asinh = stiction::num::real::asinh;
    let integral =
        4.0 / 3.0 * a * b * (a * a + b * b).sqrt() + 2.0 / 3.0 * (a.powi(3) * asinh(b / a) + b.powi(3) * asinh(a / b));
    let found = mean(&Shape::Rectangle(Rectangle { half_length: a, half_width: b }));
    assert!((found[2] + 2.0 * integral).abs() < 1e-14 && found[0].abs() < 1e-15 && found[1].abs() < 1e-15);
    let found = mean(&Shape::Disc(Disc { radius: 0.5 }));
    assert!((found[2] + 2.0 * 2.0 * std::f64::consts::PI * 0.125 / 3.0).abs() < 1e-14);
}

#[test]
fn wrong_polygons_are_refused_with_the_place() {
    let problem = |corners: Vec<[f64; 2]>, holes: Vec<Vec<[f64; 2]>>| {
        let found = Shape::Polygon(Polygon { corners, holes }).problems();
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().map(|problem| format!("{}: {}", problem.key, problem.message)).next().unwrap()
    };
    let crossing = problem(vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]], vec![]);
    assert!(crossing.starts_with("polygon.corners") && crossing.contains("(0.5, 0.5)"), "{crossing}");
    let unit = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let outside = problem(unit.clone(), vec![vec![[2.0, 2.0], [3.0, 2.0], [2.0, 3.0]]]);
    assert!(outside.starts_with("polygon.holes[0]") && outside.contains("outside"), "{outside}");
    let hole = vec![[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]];
    let inner = vec![[0.45, 0.2], [0.55, 0.2], [0.5, 0.4]];
    assert!(problem(unit.clone(), vec![hole, inner]).contains("inside `holes[0]`"));
    assert!(problem(vec![[0.0, 0.0], [1.0, 0.0]], vec![]).contains("at least 3"));
    assert!(problem(vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], vec![]).contains("meets"));
    let mask = Shape::Mask(Mask { cell: 1.0, rows: vec!["#x".into(), "###".into()] });
    let found = mask.problems();
    assert!(found.iter().any(|p| p.key == "mask.rows[0]") && found.iter().any(|p| p.key == "mask.rows[1]"));
}

#[test]
fn short_lengths_agree_with_a_fan_over_the_whole_square() {
    // sums along the outline against signed triangles from the centre of rotation
    for rho in [0.1, 0.5, 0.9, 1.03, 2.0] {
        let plate = accurate(&square(), &general(rho));
        for (l, tolerance) in [(0.04, 1e-9), (0.06, 1e-9), (0.15, 1e-9)] {
            let found = plate.moments(&gaussian(l), NoCovariance::Refuse).unwrap();
            let fan = double_sum(&plate.functionals, l);
            let error = difference(&fan, &found.covariance);
            assert!(error < tolerance && error < found.error, "rho {rho}, l {l}: {error:e}, told {:e}", found.error);
        }
    }
}

#[test]
fn short_lengths_agree_with_convolutions_on_a_grid() {
    // cell averages of the kernel, 512 to 2048 cells per side, extrapolated, in another language: seven digits
    for (rho, wanted) in [
        (0.5, [5.984403981011e-3, 0.0, 2.567351278049e-3, 5.116103783779e-3, 0.0, 6.005056789887e-3]),
        (1.0, [7.676810818665e-3, 0.0, 3.442303685184e-3, 3.434291822218e-3, 0.0, 3.846419647897e-3]),
    ] {
        assert_entries(&moments(&square(), &general(rho), &gaussian(0.03)), wanted, 1e-7, &format!("rho = {rho}"));
    }
    // in translation there is a closed form: here from the general way, with a centre of rotation far away
    for (l, force, torque) in [
        (0.003, 0.000112905991513335, 3.75715763092596e-5),
        (0.01, 0.0012495572460323, 0.000414162535791353),
        (0.03, 0.0111191185370255, 0.00364311874241875),
    ] {
        let found = moments(&square(), &general(1e10), &gaussian(l));
        assert!((found[0][0] / force - 1.0).abs() < 1e-9, "l = {l}: {found:?}");
        assert!((found[2][2] / torque - 1.0).abs() < 1e-9, "l = {l}: {found:?}");
    }
}
