//! Exact moments of force and torque of a sliding plate, against independent quadrature.

use stiction::analysis::planar_sliding::covariance::{Covariance, Kernel, Stretch};
use stiction::analysis::planar_sliding::functionals::Matrix;
use stiction::analysis::planar_sliding::motion::{General, Motion, Rotation, Twist};
use stiction::analysis::planar_sliding::plate::{NoCovariance, Plate};
use stiction::patch::{Shape, Square};

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
    unit(Kernel::Gaussians(vec![(1.0, length)]))
}

fn relative(found: &Matrix, i: usize, j: usize, wanted: f64) -> f64 {
    (found[i][j] - wanted).abs() / (found[i][i] * found[j][j]).sqrt()
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
        let plate = Plate::new(&square(), &general(rho), 1.0).unwrap();
        let table = plate.tabulated(&gaussian(1.0)).unwrap();
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
