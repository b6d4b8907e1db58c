//! A record of a run with everything in it.

use stiction_lab::answer::Answer;
use stiction_lab::dataset::{Outcome, Value};
use stiction_lab::report::{CheckedClaim, Provenance, RunRecord};
use stiction_lab::scenario::SolverKeys;

/// A run with pictures, claims, events and a warning.
pub(crate) fn record() -> RunRecord {
    let mut outcome = Outcome::default();
    outcome.push("period", "s", 2.094_395_102_393_195_3);
    outcome.push("stick_time", "s", 1.0 / 3.0);
    outcome.push("hopf_speeds", "m/s", vec![0.059_123_456_789, 0.162_2, 0.42]);
    outcome.push("attractors", "", vec!["CS", "SS"]);
    outcome.push("critical_speed", "m/s", None::<f64>);
    outcome.push("lyapunov_exponent", "1/s", f64::NAN);
    outcome.push("stable", "", true);
    outcome.push("iterates", "s", (0..300).map(|i| f64::from(i) * 0.1).collect::<Vec<_>>());
    for index in 0..250_usize {
        let kind = if index % 2 == 0 { "slip" } else { "stick" };
        outcome.events.push(vec![
            ("time".to_owned(), Value::Number(index as f64 * 0.5)),
            ("kind".to_owned(), kind.into()),
            ("displacement".to_owned(), Value::Number(0.4 - index as f64 * 1e-3)),
        ]);
    }
    outcome
        .warnings
        .push("the law has no lower limit below 0.01 m/s; <b>speeds</b> below it are not covered".to_owned());
    let (history, bifurcation) = (super::samples::history(), super::samples::bifurcation());
    outcome.tables = history.tables.into_iter().chain(bifurcation.tables).collect();
    let mut figures = vec![history.figure, bifurcation.figure];
    figures[0].caption = "Two periods of stick-slip: the block moves with the belt, then slips back.".to_owned();
    figures[1].caption = "Largest displacement of every motion against the drive speed.".to_owned();
    let claim = |statement: &str, value: &str, band: &str, holds: bool, erratum: Option<&str>| CheckedClaim {
        statement: statement.to_owned(),
        source: "p. 3, right column".to_owned(),
        quantity: "hopf_speeds[0]".to_owned(),
        found: Some(Value::Word(value.to_owned())),
        value: value.to_owned(),
        band: band.to_owned(),
        holds: Some(holds),
        erratum: erratum.map(str::to_owned),
    };
    let resolved = "title = \"A block on a belt\"\n\n[system.spring_block]\nmass = 10.0\n".to_owned();
    RunRecord {
        scenario: "elmer1997/fig3".to_owned(),
        title: "A block on a belt: which motions there are, & how they meet".to_owned(),
        description:
            "A block on a moving belt is held by a spring.\n\nThe study follows every motion through the drive \
                      speed and names the speeds at which motions are born and die."
                .to_owned(),
        study: "bifurcation_diagram".to_owned(),
        answer: Answer {
            question: "Which motions are there, & where do they meet?".to_owned(),
            sentence: "Stick-slip has a period of 2.09 s; continuous sliding changes its stability at 0.0591 m/s."
                .to_owned(),
            main: ["period", "stick_time", "critical_speed", "hopf_speeds", "iterates"].map(str::to_owned).to_vec(),
        },
        provenance: Provenance {
            version: "0.1.0".to_owned(),
            commit: None,
            target: String::new(),
            seed: 7,
            scenario_sha256: "d2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26".to_owned(),
            input: Vec::new(),
            solver: SolverKeys {
                relative_tolerance: Some(1e-12),
                absolute_tolerance: Some(1e-13),
                ..SolverKeys::default()
            },
            effort: None,
        },
        resolved,
        command: "stiction run elmer1997/fig3 --seed 7".to_owned(),
        outcome,
        claims: vec![
            claim(
                "the first type 1 bifurcation is at v0 = 0.059",
                "0.0591235",
                "between 0.0585 and 0.0595",
                true,
                None,
            ),
            claim("the fold is at v0 = 0.3", "0.42", "between 0.295 and 0.305", false, Some("E-03")),
        ],
        figures,
        note: Some("quick run: 80 points a branch".to_owned()),
    }
}
