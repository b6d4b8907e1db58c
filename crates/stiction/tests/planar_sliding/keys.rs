//! What a person says about a plate, and what follows for its motion and its covariance.

use super::plain::covariance;
use stiction::analysis::planar_sliding::motion::{General, Rotation};
use stiction::analysis::planar_sliding::square::i0;
use stiction::analysis::planar_sliding::{Covariance, Kernel, Motion, PlanarSliding, TorqueLength, Twist};
use stiction::field::{Correlation, CorrelationOf, Family, FieldDescription, FieldModel};
use stiction::num::real::{exp, exp_m1, ln_1p};
use stiction::patch::Outline;

fn read(text: &str) -> Result<PlanarSliding, serde_json::Error> {
    serde_json::from_str(text)
}

#[test]
fn an_empty_scenario_is_the_paper() {
    let paper = read(r#"{"field": {}}"#).unwrap();
    assert!(paper.problems().is_empty());
    assert_eq!((paper.correlation_length(), paper.samples), (1.0, 5000));
    let covariance = paper.covariance(CorrelationOf::Coefficient).unwrap();
    let moments = paper.plate().unwrap().moments(&covariance, paper.policy()).unwrap();
    assert!((moments.mean[0] + 2.0).abs() < 1e-15);
    assert!((moments.covariance[0][0] - 0.01 * i0(1.0).powi(2)).abs() < 1e-15);
}

#[test]
fn lengths_are_read_by_name_or_as_a_number() {
    let named = read(r#"{"field": {}, "torque_length": "rms"}"#).unwrap();
    let outline = Outline::of(&named.shape).unwrap();
    assert!((named.torque_length.of(&outline.geometry) - (2.0_f64 / 3.0).sqrt()).abs() < 1e-15);
    let metres = read(r#"{"field": {}, "torque_length": 0.25}"#).unwrap();
    assert_eq!(metres.torque_length, TorqueLength::Metres(0.25));
    assert!(read(r#"{"field": {}, "torque_length": -1.0}"#).unwrap().problems()[0].key == "torque_length");
}

#[test]
fn what_does_not_fit_is_said_with_its_key() {
    let formula = read(r#"{"field": {"expression": "0.5 + 0.1*x"}}"#).unwrap();
    let error = formula.covariance(CorrelationOf::Coefficient).unwrap_err();
    assert!(error.to_string().contains("is a given function"), "{error}");
    let cubic = read(r#"{"field": {"correlation_exponent": 3.0}, "motion": "rotation"}"#).unwrap();
    assert_eq!(cubic.problems()[0].key, "field.correlation_exponent");
    let error = cubic.covariance(CorrelationOf::Coefficient).unwrap_err();
    assert!(error.to_string().contains("three points") || error.to_string().contains("0, h, 2h"), "{error}");
    let formal = read(r#"{"field": {"correlation_exponent": 3.0, "indefinite": "formal"}}"#).unwrap();
    assert!(formal.problems().is_empty());
    let covariance = formal.covariance(CorrelationOf::Coefficient).unwrap();
    assert!(formal.plate().unwrap().moments(&covariance, formal.policy()).unwrap().formal);
}

#[test]
fn weights_are_those_of_the_three_motions() {
    let (x, y, rho) = (0.3, -0.7, 0.4);
    let [w_x, w_y, w_t] = Motion::default().twist().weights([x, y]);
    assert_eq!([w_x, w_t], [-1.0, y]);
    assert_eq!(w_y.abs(), 0.0);
    let r = (x * x + y * y).sqrt();
    let rotation = Motion::Rotation(Rotation::default()).twist();
    for (found, wanted) in rotation.weights([x, y]).into_iter().zip([y / r, -x / r, -r]) {
        assert!((found - wanted).abs() < 1e-15);
    }
    let general = Motion::General(General { rotation_radius: rho }).twist();
    let d = (x * x + (rho - y) * (rho - y)).sqrt();
    let wanted = [-(rho - y) / d, -x / d, -(x * x + y * y - rho * y) / d];
    for (found, wanted) in general.weights([x, y]).into_iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-15);
    }
    assert_eq!(general.weights([0.0, rho]), [0.0; 3]);
    assert_eq!(general.centre(), Some([0.0, rho]));
}

#[test]
fn motions_are_read_by_name_or_as_a_table() {
    let read = |text: &str| serde_json::from_str::<Motion>(text);
    assert_eq!(read("\"rotation\"").unwrap(), Motion::Rotation(Rotation::default()));
    let clockwise = read(r#"{"rotation": {"sense": "clockwise"}}"#).unwrap();
    assert_eq!(clockwise.twist().omega, -1.0);
    let twist = read(r#"{"twist": {"vx": 1.0, "vy": 2.0, "omega": 0.5}}"#).unwrap();
    assert_eq!(twist.twist().centre(), Some([-4.0, 2.0]));
    assert_eq!(read(&serde_json::to_string(&twist).unwrap()).unwrap(), twist);
    assert!(read(r#"{"sideways": {}}"#).is_err() && read("\"general\"").is_err());
    let rest = Motion::Twist(Twist { vx: 0.0, vy: 0.0, omega: 0.0 });
    assert!(rest.problems()[0].message.contains("at rest"));
}

#[test]
fn matern_has_its_closed_forms() {
    let l = 0.7;
    for r in [0.0, 0.1, 0.5, 2.0] {
        let exponential = Kernel::matern(1.0, 0.5, l).at(r);
        assert!((exponential - exp(-r / l)).abs() < 1e-8, "{r}: {exponential}");
        let z = 3.0_f64.sqrt() * r / l;
        let smoother = Kernel::matern(2.0, 1.5, l).at(r);
        assert!((smoother - 2.0 * (1.0 + z) * exp(-z)).abs() < 1e-10, "{r}: {smoother}");
    }
}

#[test]
fn convention_b_is_the_exponential_of_the_correlation() {
    for exponent in [0.8, 1.0, 2.0, 3.0] {
        let family = Family::PowerExponential { exponent };
        let correlation = Correlation::isotropic(family, 0.6);
        let covariance = covariance(0.5, 0.4, &correlation, CorrelationOf::GaussianParent);
        assert!((covariance.variance() - 0.16).abs() < 1e-15);
        for r in [0.0, 0.1, 0.9] {
            let wanted = 0.25 * exp_m1(ln_1p(0.64) * correlation.at(r, 0.0));
            assert!((covariance.kernel.at(r) - wanted).abs() < 1e-15);
        }
    }
}

#[test]
fn a_stretch_measures_the_distance_of_its_correlation() {
    let family = Family::PowerExponential { exponent: 2.0 };
    let correlation = Correlation { family, length: [2.0, 0.5], angle: 0.7 };
    let covariance = covariance(1.0, 1.0, &correlation, CorrelationOf::Coefficient);
    let [[a, b], [c, d]] = covariance.stretch.map();
    assert!((a * d - b * c - 1.0).abs() < 1e-15);
    for [x, y] in [[0.3, 0.1], [-0.4, 0.9]] {
        let (u, v): (f64, f64) = (a * x + b * y, c * x + d * y);
        let found = covariance.kernel.at((u * u + v * v).sqrt());
        assert!((found - correlation.at(x, y)).abs() < 1e-15);
    }
}

#[test]
fn covariances_are_those_of_the_field_at_every_lag() {
    for keys in [
        "",
        r#", "correlation_of": "coefficient""#,
        r#", "correlation_exponent": 1.0"#,
        r#", "correlation": "matern", "smoothness": 2.5"#,
        r#", "correlation": "matern", "smoothness": 0.8, "correlation_of": "coefficient""#,
        r#", "marginal": "uniform""#,
        r#", "marginal": "truncated_normal", "correlation_exponent": 1.5"#,
    ] {
        let text = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1, "correlation_length": 0.7{keys}}}"#);
        let model: FieldModel = serde_json::from_str(&text).unwrap();
        let FieldDescription::Random(random) = model.prepared(CorrelationOf::GaussianParent).unwrap() else { panic!() };
        let covariance = Covariance::of(&random);
        for lag in [0.0, 0.05, 0.3, 1.1, 2.5] {
            let (found, wanted) = (covariance.kernel.at(lag), random.covariance(lag, 0.0));
            assert!((found - wanted).abs() < 1e-9 * random.covariance(0.0, 0.0), "{keys} {lag}: {found} {wanted}");
        }
    }
}
