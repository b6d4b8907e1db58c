//! Motions of two discs against a library that shares nothing with ours but the equations: `diffsol`, backward differences of
//! variable order with Newton's iteration on a dense matrix.

use super::cases::{CASES, TIMES};
use stiction::analysis::two_disc::TransientRequest;
use stiction::integrate::{MethodName, Solver};
use stiction::system::two_disc::Discs;

type Motion = [[f64; 6]; TIMES.len()];

/// Coordinates of each case at each time, by `reference/main.rs` with tolerance 1e-13; with 1e-12 no coordinate differs by more
/// than 1e-9 of its largest value.
const BY_LIBRARY: [Motion; CASES.len()] = [
    [
        [-1.1148990093e-2, 6.7910921691e-2, 1.2666905478e-1, 2.6346324656e-3, -1.4985854548e-2, -8.6253398880e-3],
        [-5.1972271576e-2, 1.5062051027e-1, 2.4981209761e-1, 1.0174454619e-2, -2.2627435126e-2, -2.0581319127e-2],
        [-2.4971931050e-1, 3.5029611106e-1, 3.8119068673e-1, 3.0170814250e-2, -2.7526882288e-2, -4.6167469473e-2],
        [-7.4925202772e-1, 2.8805172074e-1, 5.5469066551e-1, 6.3900783342e-2, -2.6024461628e-2, -5.1585486160e-2],
    ],
    [
        [-1.0974005729e-2, 6.7943792994e-2, 1.2639226900e-1, 2.5962759145e-3, -1.5007137724e-2, -8.6037621413e-3],
        [-5.1782946827e-2, 1.5114961774e-1, 2.4937973972e-1, 1.0162160951e-2, -2.2757920997e-2, -2.0542794856e-2],
        [-2.4980697504e-1, 3.5109117395e-1, 3.8091417378e-1, 3.0196846862e-2, -2.7487748525e-2, -4.6139225824e-2],
        [-7.4544729220e-1, 2.9063361301e-1, 5.6045469245e-1, 6.4980099458e-2, -2.6914769771e-2, -5.1433262106e-2],
    ],
    [
        [-1.2619730822e-2, 7.1907229754e-2, 1.3190678168e-1, 2.9796227096e-3, -1.5944734814e-2, -9.0037125751e-3],
        [-6.0234509693e-2, 1.6834595460e-1, 2.5152748044e-1, 1.1837973185e-2, -2.6054984107e-2, -2.0938127977e-2],
        [-2.8708674489e-1, 3.7913531793e-1, 4.0706972839e-1, 3.4255808670e-2, -2.7318538666e-2, -4.8994871241e-2],
        [-8.5048526159e-1, 2.2058184358e-1, 7.0033919185e-1, 7.4929677681e-2, -2.3161462392e-2, -6.9454589962e-2],
    ],
    [
        [-1.2749766072e-2, 7.2271260113e-2, 1.3249025427e-1, 3.0082632373e-3, -1.6009432207e-2, -9.0491018005e-3],
        [-6.0538011170e-2, 1.6880303118e-1, 2.5197441576e-1, 1.1884609777e-2, -2.6078178314e-2, -2.0994723390e-2],
        [-2.8775510052e-1, 3.7947660461e-1, 4.0735174284e-1, 3.4302381053e-2, -2.7322163553e-2, -4.9050960667e-2],
        [-8.9342306401e-1, 2.1639982421e-1, 7.4656450305e-1, 8.4215237850e-2, -2.2242202693e-2, -7.4733987617e-2],
    ],
];

fn by_rosenbrock(system: &Discs, method: MethodName, tolerance: f64) -> Vec<[f64; 6]> {
    let solver = Solver { method, ..Solver::stiff() }.with_tolerance(tolerance);
    let mut transient = TransientRequest::lasting(TIMES[3]).with_solver(solver);
    transient.sample_times = TIMES.to_vec();
    transient.run(system).samples.iter().map(|q| std::array::from_fn(|i| q[i])).collect()
}

/// Largest difference of a coordinate, relative to its largest value.
fn farthest(found: &[[f64; 6]], wanted: &Motion) -> f64 {
    assert_eq!(found.len(), TIMES.len());
    (0..6).fold(0.0_f64, |farthest, i| {
        let size = wanted.iter().fold(0.0_f64, |size, q| size.max(q[i].abs()));
        let miss = found.iter().zip(wanted).fold(0.0_f64, |miss, (a, b)| miss.max((a[i] - b[i]).abs()));
        farthest.max(miss / size)
    })
}

#[test]
fn faces_and_points_on_uniform_and_uncertain_discs_move_as_another_solver_says() {
    for (case, wanted) in CASES.into_iter().zip(&BY_LIBRARY) {
        let system = case.system();
        for (method, tolerance) in [(MethodName::Rodas4p, 1e-9), (MethodName::Rodas5p, 1e-10)] {
            let miss = farthest(&by_rosenbrock(&system, method, tolerance), wanted);
            // a point contact amplifies the tolerance about ten times
            assert!(miss < 2e-8, "{case:?}, {method:?}: {miss:e}");
        }
    }
}
