//! Fields as a scenario describes them: what is refused and how, conventions A and B, mixtures, choices.

use stiction::analysis::planar_sliding::disc::patch_variances;
use stiction::field::{
    Certificate, CorrelationOf, Domain, Family, FieldDescription, FieldError, FieldModel, GeneratorChoice,
    GeneratorKind, Indefinite, KernelChoice, KernelTerm, LengthChoice, MarginalChoice, RandomField, TermChoice,
};
use stiction::num::real::{exp, pow};

const EXACT_B: f64 = 0.030_633_776_845_568_53;
const EXACT_DISC_B: f64 = 0.031_342_613_678_504_67;
const EXACT_DISC_UNIFORM: f64 = 0.007_824_569_935_305_03;

const A: CorrelationOf = CorrelationOf::Coefficient;
const B: CorrelationOf = CorrelationOf::GaussianParent;

fn model() -> FieldModel {
    FieldModel {
        mean: Some(0.5),
        standard_deviation: Some(0.2),
        correlation_length: Some(LengthChoice::Isotropic(0.2)),
        ..FieldModel::default()
    }
}

fn random(model: &FieldModel, default: CorrelationOf) -> RandomField {
    match model.prepared(default).unwrap() {
        FieldDescription::Random(field) => *field,
        other => panic!("{other:?}"),
    }
}

fn keys(model: &FieldModel) -> Vec<String> {
    model.problems().into_iter().map(|problem| problem.key.to_string()).collect()
}

#[test]
fn every_bad_key_is_named_with_its_remedy() {
    let isotropic = |length| Some(LengthChoice::Isotropic(length));
    let term = |correlation, weight| KernelTerm { correlation, weight, ..KernelTerm::default() };
    for (model, wanted) in [
        (FieldModel::default(), vec!["mean", "standard_deviation", "correlation_length"]),
        (FieldModel { mean: Some(-1.0), ..model() }, vec!["mean"]),
        (FieldModel { mean: Some(f64::NAN), ..model() }, vec!["mean"]),
        (FieldModel { standard_deviation: Some(-0.1), ..model() }, vec!["standard_deviation"]),
        (FieldModel { standard_deviation: Some(1e180), ..model() }, vec!["standard_deviation"]),
        (FieldModel { correlation_length: isotropic(0.0), ..model() }, vec!["correlation_length"]),
        (FieldModel { correlation_length: isotropic(-1.0), ..model() }, vec!["correlation_length"]),
        (FieldModel { correlation_length: isotropic(f64::INFINITY), ..model() }, vec!["correlation_length"]),
        (
            FieldModel { correlation_length: Some(LengthChoice::Anisotropic([0.1, 0.0])), ..model() },
            vec!["correlation_length"],
        ),
        (FieldModel { correlation_exponent: 0.0, ..model() }, vec!["correlation_exponent"]),
        (FieldModel { correlation_exponent: 3.0, ..model() }, vec!["correlation_exponent"]),
        (
            FieldModel { correlation_exponent: 1.0, correlation: KernelChoice::Matern, ..model() },
            vec!["correlation_exponent"],
        ),
        (FieldModel { smoothness: -1.0, correlation: KernelChoice::Matern, ..model() }, vec!["smoothness"]),
        (FieldModel { grid_step: Some(0.0), ..model() }, vec!["grid_step"]),
        (FieldModel { embedding_tolerance: -1.0, ..model() }, vec!["embedding_tolerance"]),
        (FieldModel { angle: f64::NAN, ..model() }, vec!["angle"]),
        (
            FieldModel { marginal: MarginalChoice::Uniform, standard_deviation: Some(0.3), ..model() },
            vec!["standard_deviation"],
        ),
        (FieldModel { marginal: MarginalChoice::Gaussian, ..model() }, vec!["standard_deviation"]),
        (
            FieldModel { marginal: MarginalChoice::Quantiles(vec![[0.0, 0.1], [1.0, 0.5]]), ..model() },
            vec!["mean", "standard_deviation"],
        ),
        (FieldModel { correlation: KernelChoice::Table(vec![[0.0, 0.5]]), ..model() }, vec!["correlation.table"]),
        (
            FieldModel { correlation: KernelChoice::Expression("exp(-q)".to_owned()), ..model() },
            vec!["correlation.expression"],
        ),
        (FieldModel { correlation: KernelChoice::Sum(vec![]), ..model() }, vec!["correlation.sum"]),
        (
            FieldModel { correlation: KernelChoice::Sum(vec![term(TermChoice::Matern, 0.0)]), ..model() },
            vec!["correlation.sum[0].weight"],
        ),
        (
            FieldModel { correlation: KernelChoice::Product(vec![term(TermChoice::Matern, 2.0)]), ..model() },
            vec!["correlation.product"],
        ),
        (FieldModel { constant: Some(0.3), mean: Some(0.3), ..FieldModel::default() }, vec!["mean"]),
        (FieldModel { constant: Some(-0.3), ..FieldModel::default() }, vec!["constant"]),
        (
            FieldModel { constant: Some(0.3), expression: Some("1".to_owned()), ..FieldModel::default() },
            vec!["expression"],
        ),
        (FieldModel { expression: Some("0.3 + q".to_owned()), ..FieldModel::default() }, vec!["expression"]),
        (FieldModel { file: Some(" ".to_owned()), ..FieldModel::default() }, vec!["file"]),
    ] {
        assert_eq!(keys(&model), wanted, "{model:?}");
        assert!(model.prepared(B).is_err(), "{model:?}");
    }
    // both keys of a contradiction are in the message, and the column of a mistake
    let both = FieldModel { constant: Some(0.3), mean: Some(0.3), ..FieldModel::default() };
    assert!(both.problems()[0].message.contains("`constant`"));
    let formula = FieldModel { expression: Some("0.3 + q".to_owned()), ..FieldModel::default() };
    assert!(formula.problems()[0].message.contains("column 7"), "{}", formula.problems()[0].message);
    assert!(keys(&model()).is_empty());
}

#[test]
fn a_field_without_spread_is_uniform() {
    let uniform = FieldModel { standard_deviation: Some(0.0), correlation_length: None, ..model() };
    assert_eq!(uniform.prepared(B), Ok(FieldDescription::Constant(0.5)));
}

#[test]
fn exponents_above_two_follow_the_policy() {
    let cube = FieldModel { correlation_exponent: 3.0, ..model() };
    let Err(FieldError::Indefinite { key, certificate, alternatives }) = cube.prepared(B) else { panic!() };
    assert_eq!(key, "correlation_exponent");
    let Certificate::ThreePoints { form, .. } = certificate else { panic!() };
    assert!((form + 0.340_065_649_847).abs() < 1e-6);
    assert!(alternatives.contains("projected") && alternatives.contains("formal"));

    let formal = random(&FieldModel { indefinite: Indefinite::Formal, ..cube.clone() }, B);
    assert_eq!(formal.defect().unwrap().unwrap().label(), "no such field exists");
    assert!(matches!(formal.for_sampling(), Err(FieldError::FormalOnly { .. })));

    let projected = random(&FieldModel { indefinite: Indefinite::Projected, ..cube }, B);
    let (parent, defect) = projected.for_sampling().unwrap();
    assert!(defect.is_some() && parent == projected.prescribed);
}

#[test]
fn convention_a_gives_moments_but_refuses_to_sample_a_lognormal_bell() {
    let field = random(&model(), A);
    assert_eq!(field.defect(), Ok(None));
    let Err(FieldError::Indefinite { key, certificate, .. }) = field.for_sampling() else { panic!() };
    assert_eq!(key, "correlation_of");
    assert!(matches!(certificate, Certificate::NegativeDensity { .. }));
    // the pointed correlation can be sampled under A: its parent maps back onto it
    let pointed = random(&FieldModel { correlation_exponent: 1.0, ..model() }, A);
    let (parent, defect) = pointed.for_sampling().unwrap();
    assert_eq!(defect, None);
    for lag in [0.0, 0.05, 0.3] {
        let back = pointed.marginal.correlation_of_coefficient(parent.at(lag, 0.0));
        assert!((back - exp(-lag / 0.2)).abs() < 1e-14);
    }
}

/// mpmath with 25 digits; cv = 0.4, l = 0.2 m.
#[test]
fn covariances_and_mixtures_are_exact_under_both_conventions() {
    let (a, b) = (random(&model(), A), random(&model(), B));
    assert!((a.covariance(0.06, 0.08) - 0.04 * exp(-0.25)).abs() < 1e-16);
    assert!((b.covariance(0.06, 0.08) - EXACT_B).abs() < 1e-16);
    assert_eq!(a.gaussian_mixture().unwrap(), vec![(0.2 * 0.2, 0.2)]);
    let rough = random(&FieldModel { correlation_exponent: 1.3, ..model() }, B);
    let uniform =
        random(&FieldModel { marginal: MarginalChoice::Uniform, standard_deviation: Some(0.1), ..model() }, B);
    let cut = random(&FieldModel { marginal: MarginalChoice::TruncatedNormal, ..model() }, B);
    for field in [&a, &b, &rough, &uniform, &cut] {
        let (exponent, terms) = field.power_exponential_mixture().unwrap();
        for lag in [0.0, 0.03, 0.2, 0.5_f64] {
            let sum: f64 = terms.iter().map(|(weight, length)| weight * exp(-pow(lag / length, exponent))).sum();
            assert!((sum / field.covariance(lag, 0.0) - 1.0).abs() < 1e-13, "{field:?} {lag}");
        }
    }
    // averages over a disc of radius 0.1 m, against quadrature over the distance of two points
    let average = |field: &RandomField| -> f64 {
        let mixture = field.gaussian_mixture().unwrap();
        mixture.iter().map(|(weight, length)| weight * patch_variances(length / 0.1).0).sum()
    };
    assert!((average(&b) / EXACT_DISC_B - 1.0).abs() < 1e-12);
    assert!((average(&uniform) / EXACT_DISC_UNIFORM - 1.0).abs() < 1e-12);
    // a sum of bells is a mixture under A, and stays one field under B
    let terms = vec![
        KernelTerm { weight: 3.0, ..KernelTerm::default() },
        KernelTerm { weight: 1.0, length_ratio: 0.5, ..KernelTerm::default() },
    ];
    let sum = FieldModel { correlation: KernelChoice::Sum(terms), ..model() };
    assert_eq!(random(&sum, A).gaussian_mixture().unwrap().len(), 2);
    assert!((random(&sum, A).covariance(0.0, 0.0) - 0.04).abs() < 1e-16);
    assert_eq!(random(&sum, B).gaussian_mixture(), None);
    assert_eq!(random(&sum, A).distortion().largest, 0.0);
    assert!(random(&sum, B).distortion().largest > 0.01);
}

#[test]
fn formulas_are_checked_where_they_are_used() {
    let field = FieldModel { expression: Some("0.4 + 0.1*sin(2*pi*x) + y".to_owned()), ..FieldModel::default() };
    let FieldDescription::Expression(formula) = field.prepared(B).unwrap() else { panic!() };
    assert!((formula.at(0.25, 0.1) - 0.6).abs() < 1e-15);
    assert_eq!(formula.check_positive([0.0, 0.0], [1.0, 1.0], 0.01), Ok(()));
    let Err(FieldError::NotPositive { y, value, .. }) = formula.check_positive([0.0, -1.0], [1.0, 1.0], 0.01) else {
        panic!()
    };
    assert!(y == -1.0 && value < 0.0);
    assert!(formula.check_positive([0.0, 0.0], [f64::INFINITY, 1.0], 0.01).is_err());
}

#[test]
fn generators_are_chosen_by_what_they_can_do() {
    let grid = |side| Domain::Grid { sides: [side, side], step: 0.02 };
    let kernel = |exponent| random(&FieldModel { correlation_exponent: exponent, ..model() }, B);
    let auto = |field: &RandomField, domain| field.generator(GeneratorChoice::Auto, domain).unwrap().kind;
    assert_eq!(auto(&kernel(2.0), grid(1.0)), GeneratorKind::Separable);
    assert_eq!(auto(&kernel(1.0), grid(0.28)), GeneratorKind::Cutoff);
    // beyond, 16 by 16 points with a long padding are factored sooner than embedded; more points are not
    assert_eq!(auto(&kernel(1.0), grid(0.29)), GeneratorKind::Cholesky);
    assert_eq!(auto(&kernel(1.0), grid(1.0)), GeneratorKind::Circulant);
    assert_eq!(auto(&kernel(1.5), grid(1.0)), GeneratorKind::Circulant);
    assert_eq!(auto(&kernel(1.5), grid(500.0)), GeneratorKind::LowRank);
    assert_eq!(auto(&kernel(1.5), Domain::Points { count: 100 }), GeneratorKind::Cholesky);
    assert_eq!(auto(&kernel(1.5), Domain::Points { count: 100_000 }), GeneratorKind::LowRank);
    for (asked, exponent, side) in [
        (GeneratorChoice::Separable, 1.0, 0.2),
        (GeneratorChoice::Cutoff, 1.5, 0.2),
        (GeneratorChoice::Cutoff, 1.0, 0.3),
    ] {
        let refused = kernel(exponent).generator(asked, grid(side));
        assert!(matches!(refused, Err(FieldError::Generator { .. })), "{refused:?}");
    }
    let asked = kernel(2.0).generator(GeneratorChoice::Circulant, grid(1.0)).unwrap();
    assert_eq!((asked.kind, asked.reason.as_str()), (GeneratorKind::Circulant, "It was asked for."));
}

#[test]
fn keys_are_read_as_they_are_written_and_described_by_the_schema() {
    let text = r#"{ "mean": 0.4, "standard_deviation": 0.1, "correlation_length": [0.1, 0.3], "angle": 0.5,
        "marginal": "truncated_normal", "correlation_of": "coefficient",
        "correlation": { "sum": [ { "weight": 2.0 }, { "correlation": "matern", "smoothness": 2.5, "length_ratio": 0.5 } ] } }"#;
    let model: FieldModel = serde_json::from_str(text).unwrap();
    let field = random(&model, B);
    assert_eq!((field.convention(), field.prescribed.length), ('A', [0.1, 0.3]));
    assert!(matches!(&field.prescribed.family, Family::Sum(terms) if (terms[0].0 - 2.0 / 3.0).abs() < 1e-15));
    let again: FieldModel = serde_json::from_str(&serde_json::to_string(&model).unwrap()).unwrap();
    assert_eq!(again, model);
    let schema = serde_json::to_string(&schemars::schema_for!(FieldModel)).unwrap();
    assert!(schema.contains(r#""x-formula":{"variables":["x","y"]}"#) && schema.contains("length_ratio"));
}
