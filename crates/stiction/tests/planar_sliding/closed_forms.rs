//! Closed forms of translating rectangles and discs.

use stiction::analysis::planar_sliding::disc::patch_variances;
use stiction::analysis::planar_sliding::square::{i0, i1};

#[test]
fn both_integrals_have_twelve_digits_from_a_hundredth_to_a_thousand() {
    // from 50 digits, made by quadrature of the definition
    for (t, zero, one) in REFERENCE {
        assert!((i0(t) / zero - 1.0).abs() < 1e-13, "I0({t}) = {} not {zero}", i0(t));
        assert!((i1(t) / one - 1.0).abs() < 2e-13, "I1({t}) = {} not {one}", i1(t));
    }
}

const REFERENCE: [(f64, f64, f64); 13] = [
    (0.01, 0.03534907701811032, 0.01171636067270344),
    (0.1, 0.34449077018110325, 0.10818025672703441),
    (0.3, 0.9734723105433096, 0.2658407701811032),
    (1.0, 2.546641201938421, 0.3458277941646846),
    (1.4, 3.042369955109082, 0.2645382030255746),
    (1.4999, 3.131990878151965, 0.24518880755973574),
    (1.5, 3.132075040457396, 0.24517002861193044),
    (1.7, 3.280971863654287, 0.21023272250491462),
    (3.0, 3.7280870817969545, 0.08676045012793127),
    (10.0, 3.9735451522871563, 0.008783130223702983),
    (50.0, 3.9989336745691673, 0.00035538494738699664),
    (100.0, 3.999733354665143, 8.887822313644473e-05),
    (1000.0, 3.999997333335467, 8.888878222231365e-07),
];

#[test]
fn both_forms_meet_where_they_change_over() {
    let below = patch_variances(1.0 - 1e-13);
    let above = patch_variances(1.0 + 1e-13);
    assert!((below.0 - above.0).abs() < 3e-13 && (below.1 - above.1).abs() < 3e-13, "{below:?} {above:?}");
}

#[test]
fn limits_are_those_of_small_and_large_lengths() {
    let (mean, first) = patch_variances(1e-3);
    assert!((mean / 1e-6 - 1.0).abs() < 1e-3 && (first / 0.25e-6 - 1.0).abs() < 2e-3);
    let (mean, first) = patch_variances(1e3);
    assert!((mean - (1.0 - 1e-6)).abs() < 1e-11, "{mean}");
    assert!((first / 0.125e-6 - 1.0).abs() < 1e-5, "{first}");
}
