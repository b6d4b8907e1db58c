//! What a person sees who made a mistake in a scenario.

use stiction_lab::scenario::{Size, Source, WrongScenario, builtin, builtins, explain, read, schema_text};

const GOOD: &str = r#"title = "A block"

[system.spring_block]
mass = 10
stiffness = 30.0
drive_speed = 0.2
law.coulomb = { static_coefficient = 0.5, kinetic_coefficient = 0.45 }

[study.trajectory]
duration = 100.0

[[figure]]
lines = { x = "time", y = "displacement" }
"#;

/// The mistakes of the good scenario after a replacement and with settings.
fn wrong(old: &str, new: &str, settings: &[&str]) -> WrongScenario {
    assert!(GOOD.contains(old));
    let text = GOOD.replacen(old, new, 1);
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    match read(Source::new("my.toml", text), &settings, Size::Full) {
        Ok(_) => panic!("no mistake found with `{new}` and {settings:?}"),
        Err(wrong) => wrong,
    }
}

/// The message, the place and the label of each mistake, for comparison.
fn told(wrong: &WrongScenario) -> Vec<String> {
    wrong.mistakes.iter().map(|m| format!("{} | {} | {}", m.message, m.place.label(), m.label)).collect()
}

#[test]
fn the_good_scenario_is_good() {
    let scenario = read(Source::new("my.toml", GOOD), &[], Size::Full);
    assert!(scenario.is_ok(), "{}", scenario.unwrap_err());
}

#[test]
fn a_misspelt_key_is_shown_as_a_compiler_would() {
    let shown = wrong("stiffness = ", "stiffnes = ", &[]).to_string();
    assert!(shown.contains("error: missing key `stiffness` in system.spring_block\n  --> my.toml:3:9\n"), "{shown}");
    let lines = [
        "error: unknown key `stiffnes` in system.spring_block",
        "  --> my.toml:5:1",
        "   |",
        " 5 | stiffnes = 30.0",
        "   | ^^^^^^^^ did you mean `stiffness`?",
        "   = allowed: mass, stiffness, drive_speed, normal_load, law, aging, contact_policy, microscopic_length, start",
    ];
    assert!(shown.contains(&lines.join("\n")), "{shown}");
}

#[test]
fn each_mistake_has_message_place_and_remedy() {
    for (old, new, expected) in [
        (
            "mass = 10",
            "mass = \"ten\"",
            "`system.spring_block.mass` must be a number > 0, but is a string | my.toml:4:8 | found \"ten\"",
        ),
        ("mass = 10", "mass = 0", "`system.spring_block.mass` is out of range: 0 | my.toml:4:8 | must be > 0"),
        (
            "mass = 10",
            "mass = inf",
            "`system.spring_block.mass` must be a finite number, but is inf | my.toml:4:8 | must be > 0",
        ),
        (
            "mass = 10",
            "mass = 1e999",
            "`system.spring_block.mass` must be a finite number, but is 1e999 | my.toml:4:8 | must be > 0",
        ),
        (
            "mass = 10",
            "mass = 1979-05-27",
            "`system.spring_block.mass` must be a number > 0, but is a date or time | my.toml:4:8 | found 1979-05-27",
        ),
        (
            "law.coulomb",
            "law.colomb",
            "unknown choice `colomb` for system.spring_block.law | my.toml:7:5 | did you mean `coulomb`?",
        ),
        (
            "kinetic_coefficient = 0.45",
            "",
            "missing key `kinetic_coefficient` in system.spring_block.law.coulomb | my.toml:7:5 | ",
        ),
        (
            "static_coefficient = 0.5, ",
            "",
            "missing key `static_coefficient` in system.spring_block.law.coulomb | my.toml:7:5 | ",
        ),
        ("coefficient = 0.45", "coefficient = 0.55", "`system.spring_block.law.coulomb.kinetic_coefficient`"),
        (
            "[study",
            "law.two_slope = {}\n[study",
            "system.spring_block.law has two choices at once: `coulomb` and `two_slope` | my.toml:9:5 | `two_slope` is chosen here",
        ),
        (
            "[study",
            "contact_policy = \"strikt\"\n[study",
            "unknown word \"strikt\" for `system.spring_block.contact_policy` | my.toml:9:18 | did you mean \"strict\"?",
        ),
        (
            "[study",
            "aging = \"exponential\"\n[study",
            "`exponential` has parameters and cannot be a plain word | my.toml:9:9 | ",
        ),
        ("[study", "aging = {}\n[study", "nothing is chosen for system.spring_block.aging | my.toml:9:1 | "),
        ("[study", "aging = 3\n[study", "`system.spring_block.aging` must be"),
        ("[study", "mass = 1\n[study", "not valid TOML: duplicate key | my.toml:9:1 | "),
        ("[study.trajectory]\nduration = 100.0", "", "missing key `study` in the scenario | my.toml | "),
        (
            "title = ",
            "seed = 1.5\ntitle = ",
            "`seed` must be a whole number >= 0, but is a number | my.toml:1:8 | found 1.5",
        ),
        ("title = ", "seed = -1\ntitle = ", "`seed` is out of range: -1 | my.toml:1:8 | must be >= 0"),
        (
            "title = ",
            "seed = 99999999999999999999\ntitle = ",
            "`seed` is out of range: 99999999999999999999 | my.toml:1:8 | must be at most",
        ),
        (
            "title = ",
            "solver.closed_form = 1\ntitle = ",
            "`solver.closed_form` must be true or false, but is a whole number",
        ),
        ("title = \"A block\"", "title = [1]", "`title` must be a string, but is a list | my.toml:1:9 | found [1]"),
        ("y = \"displacement\"", "y = 3", "`figure[0].lines.y` must be a string or a list, but is a whole number"),
        ("y = \"displacement\"", "y = [3]", "`figure[0].lines.y[0]` must be a string, but is a whole number"),
        ("x = \"time\"", "z = \"time\"", "unknown key `z` in figure[0].lines"),
        (
            "[[figure]]",
            "[[figure]]\nx_axis.range = [1.0]\n",
            "`figure[0].x_axis.range` needs 2 entries and has 1 | my.toml:13:16 | ",
        ),
        (
            "[[figure]]",
            "[[figure]]\nx_axis.range = [2.0, 1.0]\n",
            "`figure[0]`: figure `figure`: x_axis.range = [2.0, 1.0] ",
        ),
        (
            "[[figure]]",
            "[[figure]]\ny_axis.unit = \"[m]\"\n",
            "`figure[0]`: figure `figure`: y_axis.unit = \"[m]\" must be ",
        ),
        (
            "[[figure]]",
            "[[figure]]\npanel = [{ haeding = \"a\" }]",
            "unknown key `haeding` in figure[0].panel[0] | my.toml:13:12 | did you mean `heading`?",
        ),
        (
            "[[figure]]",
            "[[claim]]\nstatement = \"\"\nsource = \"\"\nquantity = \"a b\"\nband.at_least = 1\n[[figure]]",
            "`claim[0].quantity`: \"a b\" is not a quantity (`name`, `name[2]`, `name.len`), a value of a table (`table.column[other = 0.6]`), \
             a function of one (`max(table.column)`, `share(table[column = word])`) or a combination of these by + - * / and \
             parentheses | my.toml:15:12 | ",
        ),
    ] {
        let wrong = wrong(old, new, &[]);
        assert!(told(&wrong).iter().any(|told| told.starts_with(expected)), "wanted {expected}\n{wrong}");
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_file() {
    let text = "titel = \"x\"\n[system.spring_block]\nmass = -1\nstiffness = \"a\"\ndrive_speed = nan\nlaw.coulom = {}\n[study.trajectori]\n";
    let wrong = read(Source::new("my.toml", text), &[], Size::Full).unwrap_err();
    let lines: Vec<Option<usize>> =
        wrong.mistakes.iter().map(|mistake| mistake.place.line_and_column().map(|(line, _)| line)).collect();
    assert_eq!(lines, [None, Some(1), Some(3), Some(4), Some(5), Some(6), Some(7)], "{wrong}");
    assert!(wrong.to_string().ends_with("\nand 2 more"), "{wrong}");
    assert_eq!(wrong.to_string().matches("error: ").count(), 5);
}

#[test]
fn many_mistakes_of_one_kind_are_counted() {
    let coulomb = builtin("elmer1997/coulomb").unwrap().text;
    let text: String = (0..480).map(|i| format!("key{i} = {i}\n")).chain([coulomb.to_owned()]).collect();
    let wrong = read(Source::new("my.toml", text), &[], Size::Full).unwrap_err();
    assert!(wrong.to_string().ends_with("\nand 475 more of the same kind"), "{wrong}");
}

#[test]
fn several_syntax_errors_are_told_at_once() {
    let wrong = read(Source::new("my.toml", "a = 1\na = 2\nb = word\nc = 'x\n"), &[], Size::Full).unwrap_err();
    assert!(wrong.mistakes.len() >= 3, "{wrong}");
    assert!(wrong.mistakes.iter().all(|mistake| mistake.place.line_and_column().is_some()));
}

#[test]
fn a_setting_into_another_choice_says_how_to_switch() {
    let shown = wrong("A block", "A block", &["system.spring_block.law.two_slope.crossover_speed=0.1"]).to_string();
    assert!(shown.contains("two choices at once"), "{shown}");
    assert!(shown.contains("--> --set:1:25"), "{shown}");
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ").replace("= ", "").replace(" =", "");
    assert!(
        flat.contains("--set 'system.spring_block.law={two_slope={static_coefficient=…, low_speed_slope=…"),
        "{shown}"
    );
    let switched = [
        "system.spring_block.law={two_slope={static_coefficient=0.5, low_speed_slope=1, high_speed_slope=0.1, crossover_speed=0.1, crossover_width=0.1}}"
            .to_owned(),
        "system.spring_block.law.two_slope.crossover_speed=0.2".to_owned(),
    ];
    assert!(read(Source::new("my.toml", GOOD), &switched, Size::Full).is_ok());
}

#[test]
fn a_wrong_setting_is_shown_in_the_argument() {
    for (setting, expected) in [
        (
            "system.spring_block.stiffnes=3",
            "unknown key `stiffnes` in system.spring_block | --set:1:21 | did you mean `stiffness`?",
        ),
        ("sistem.spring_block.mass=3", "unknown key `sistem` in the scenario | --set:1:1 | did you mean `system`?"),
        ("solver.method=rk5", "unknown word rk5 for `solver.method` | --set:1:15 | did you mean \"rk4\"?"),
        ("title.x=5", "`title` is a string and has no key `x` | --set:1:7 | "),
        ("quick.seed=5", "`quick` cannot be set | --set:1:1 | "),
        ("seed", "a setting is written path=value; the `=` is missing | --set:1:1 | "),
    ] {
        let wrong = wrong("A block", "A block", &[setting]);
        assert!(told(&wrong).iter().any(|told| told == expected), "wanted {expected}\n{wrong}");
    }
}

#[test]
fn keys_of_the_solver_without_effect_are_refused_before_the_run() {
    for (name, settings, expected) in [
        (
            "hu2023_belt/realisation",
            "solver.max_step=1",
            "solver.max_step`: is 1.0, but has no effect: `study.realisation` of belt_disc uses only method, relative_tolerance, absolute_tolerance",
        ),
        (
            "hu2023_belt/realisation",
            "solver.method=rk4",
            "`solver.method`: is rk4, but `study.realisation` of belt_disc offers dopri5",
        ),
        ("hu2023_disc/equilibrium", "solver.max_steps=9", "integrates no motion; remove it"),
        (
            "hu2023_disc/transient",
            "solver.closed_form=true",
            "uses only method, relative_tolerance, absolute_tolerance, max_step, max_steps",
        ),
        ("elmer1997/fig3", "solver={method=\"rk4\", absolute_tolerance=1e-3}", "`rk4` has a fixed step"),
        ("elmer1997/coulomb", "solver={closed_form=true, method=\"rk4\"}", "every phase is known in closed form"),
        ("szalai2014/smooth", "solver.max_step=1e-3", "uses only method, relative_tolerance, absolute_tolerance"),
    ] {
        let wrong = read(builtin(name).unwrap().source(), &[settings.to_owned()], Size::Full).unwrap_err();
        assert!(wrong.to_string().contains(expected), "{name} {settings}: {wrong}");
    }
}

#[test]
fn what_the_solver_does_is_in_the_resolved_scenario() {
    for (name, settings, expected) in [
        ("elmer1997/coulomb", &[][..], "[solver]\nclosed_form = true\n"),
        // a tolerance has an effect: the motion is integrated
        (
            "elmer1997/coulomb",
            &["solver.relative_tolerance=1e-8"],
            "relative_tolerance = 1e-8\nabsolute_tolerance = 1e-9\nclosed_form = false\n",
        ),
        (
            "hu2023_disc/transient",
            &[],
            "[solver]\nmethod = \"rodas4p\"\nrelative_tolerance = 1e-6\nabsolute_tolerance = 1e-8\nmax_step = 0.2\nmax_steps = 2000000\n",
        ),
        (
            "hu2023_disc/interval",
            &["study.interval.solver={method=\"rodas5p\"}"],
            "[solver]\nmethod = \"rodas5p\"\nrelative_tolerance = 0.0001\nabsolute_tolerance = 1.0000000000000002e-6\n",
        ),
        ("szalai2014/itinerary", &["study.itinerary.max_step=0.1", "study.itinerary.seed=5"], "max_step = 0.1\n"),
        ("szalai2014/itinerary", &["study.itinerary.seed=5"], "seed = 5\n"),
        ("szalai2014/fig5", &["study.surface.runs.relative_tolerance=1e-9"], "relative_tolerance = 1e-9\n"),
        // keys of the file that lose their effect by a setting are left out
        ("hu2023_belt/realisation", &["study={limits={}}"], ""),
    ] {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let scenario =
            read(builtin(name).unwrap().source(), &settings, Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
        let text = scenario.resolved().unwrap().text;
        assert!(text.contains(expected), "{name} {settings:?}: {text}");
        let old = settings.iter().any(|setting| setting.starts_with("study."));
        assert_eq!(scenario.notes.iter().any(|note| note.starts_with("warning: `study.")), old, "{:?}", scenario.notes);
        assert_eq!(expected.is_empty(), !text.contains("[solver]"), "{text}");
    }
    let twice = builtin("szalai2014/itinerary")
        .unwrap()
        .text
        .replace("[study.itinerary]", "[solver]\nmax_step = 1\n[study.itinerary]\nmax_step = 0.1");
    let wrong = read(Source::new("my.toml", twice), &[], Size::Full).unwrap_err();
    assert!(wrong.to_string().contains("which is given as well"), "{wrong}");
}

#[test]
fn a_wrong_formula_is_pointed_at_inside_its_string() {
    let law = "law.expression = { static_coefficient = 0.5, formula = \"a*v + b*q\", constants = { a = 1, b = 2.0 } }";
    let wrong = wrong("law.coulomb = { static_coefficient = 0.5, kinetic_coefficient = 0.45 }", law, &[]);
    let [mistake] = &wrong.mistakes[..] else { panic!("{wrong}") };
    let column = law.find('q').unwrap() + 1;
    assert_eq!(mistake.place.label(), format!("my.toml:7:{column}"), "{wrong}");
    assert_eq!(mistake.notes, ["names here: v, a, b"]);
}

#[test]
fn the_quick_table_is_checked_always_and_used_when_asked() {
    let with = |quick: &str| Source::new("my.toml", format!("{GOOD}\n{quick}"));
    for size in [Size::Full, Size::Quick] {
        let wrong = read(with("[quick.study.trajectory]\nduraton = 5\n"), &[], size).unwrap_err();
        assert_eq!(
            told(&wrong),
            ["unknown key `duraton` in study.trajectory | my.toml:16:1 | did you mean `duration`?"]
        );
        assert!(read(with("[quick.quick]\nseed = 5\n"), &[], size).is_err());
        assert!(read(with("[[quick]]\nseed = 5\n"), &[], size).is_err());
    }
    let seed = |size, settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        read(with("[quick]\nseed = 5\n"), &settings, size).map(|scenario| scenario.seed).unwrap()
    };
    assert_eq!((seed(Size::Full, &[]), seed(Size::Quick, &[])), (1, 5));
    assert_eq!((seed(Size::Full, &["seed=7"]), seed(Size::Quick, &["seed=7", "seed=8"])), (7, 8));
}

#[test]
fn every_built_in_is_right_in_both_sizes_and_reads_back_identically() {
    assert!(builtins().count() > 100);
    for builtin in builtins() {
        for size in [Size::Full, Size::Quick] {
            let scenario = read(builtin.source(), &[], size).unwrap_or_else(|wrong| panic!("{wrong}"));
            let resolved = scenario.resolved().unwrap();
            let file = resolved.file();
            let again =
                read(Source::new("scenario.toml", file), &[], Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
            assert_eq!(again, scenario.filled(), "{}", builtin.name);
            assert_eq!(again.resolved().unwrap(), resolved, "{}", builtin.name);
            assert_eq!(resolved.hash.len(), 64);
        }
    }
}

#[test]
fn the_hash_tells_scenarios_apart() {
    let hash = |settings: &[String]| {
        let source = builtin("elmer1997/coulomb").unwrap().source();
        read(source, settings, Size::Full).unwrap().resolved().unwrap().hash
    };
    assert_eq!(hash(&[]), hash(&["seed=1".to_owned()]));
    assert_ne!(hash(&[]), hash(&["seed=2".to_owned()]));
}

#[test]
fn the_schema_and_the_explanations_know_the_same_keys() {
    let schema: serde_json::Value = serde_json::from_str(&schema_text()).unwrap();
    for key in schema["properties"].as_object().unwrap().keys() {
        assert!(explain(key).is_ok(), "{key}");
        assert!(explain("").unwrap().contains(key.as_str()), "{key}");
    }
}
