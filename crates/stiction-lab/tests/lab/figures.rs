//! Pictures: some are compared with files; all are drawn twice; hostile ones never panic.

use crate::golden::assert_golden;
use crate::samples::{self, layers};
use stiction::num::real::{cos, sin};
use stiction_lab::dataset::{Data, Table};
use stiction_lab::figure::{Figure, FigureError, Mistake, draw};

/// Lines with styles and markers are in the golden page of a run.
#[test]
fn areas_error_bars_maps_arrows_and_views_of_space_are_as_they_were() {
    for sample in [layers::ensemble(), layers::measurements(), layers::disc_flow(), layers::cloud()] {
        let drawing = draw(&sample.figure, &sample.tables, sample.note).unwrap();
        assert_golden(&format!("{}.svg", sample.name), &drawing.svg);
    }
}

#[test]
fn every_sample_is_small_and_the_same_twice() {
    for sample in samples::all() {
        let first = draw(&sample.figure, &sample.tables, sample.note).unwrap();
        let second = draw(&sample.figure, &sample.tables, sample.note).unwrap();
        assert_eq!(first, second, "{}", sample.name);
        assert!(first.svg.len() < 300_000, "{}: {} bytes", sample.name, first.svg.len());
        let png = first.png().unwrap();
        assert_eq!(png, second.png().unwrap(), "{}", sample.name);
        assert!(png.starts_with(b"\x89PNG"));
    }
}

#[test]
fn a_map_of_noise_stays_small() {
    let side = 400;
    let cells = (0..side * side).map(|i| (i % side, i / side));
    let (x, y): (Vec<f64>, Vec<f64>) = cells.map(|(x, y)| (f64::from(x), f64::from(y))).unzip();
    let mut state = 1_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64
    };
    let z: Vec<f64> = x.iter().map(|_| noise()).collect();
    let words = z.iter().map(|z| ["CS", "OS", "SS"][*z as usize % 3].to_owned()).collect();
    let table = Table::new("map", "").numbers("x", "m", "x", x).numbers("y", "m", "y", y).numbers("z", "s", "z", z);
    let table = table.words("w", "w", words);
    for (color, limit) in [("z", 300_000), ("w", 100_000)] {
        let figure: Figure = toml::from_str(&format!(r#"map = {{ x = "x", y = "y", color = "{color}" }}"#)).unwrap();
        let size = draw(&figure, std::slice::from_ref(&table), None).unwrap().svg.len();
        assert!(size < limit, "{color}: {size} bytes");
    }
}

#[test]
fn a_hundred_thousand_points_stay_small() {
    // two frequencies whose ratio is not a fraction: 800 loops that never close
    let time = (0..100_000).map(|i| f64::from(i) * 0.05);
    let (x, y): (Vec<f64>, Vec<f64>) = time.map(|t| (sin(t) + sin(0.618 * t), cos(t) + 0.618 * cos(0.618 * t))).unzip();
    let table = Table::new("orbit", "").numbers("x", "m", "x", x).numbers("y", "m", "y", y);
    for kind in ["lines", "points"] {
        let figure: Figure = toml::from_str(&format!(r#"{kind} = {{ x = "x", y = "y" }}"#)).unwrap();
        let size = draw(&figure, std::slice::from_ref(&table), None).unwrap().svg.len();
        assert!(size < 400_000, "{kind}: {size} bytes");
    }
}

#[test]
fn a_wrong_name_is_named_with_its_nearest() {
    let tables = samples::history().tables;
    let error = |text: &str| draw(&toml::from_str(text).unwrap(), &tables, None).unwrap_err().mistake;
    match error(r#"lines = { x = "time", y = "velocty" }"#) {
        Mistake::NoColumn { table, column, nearest } => {
            assert_eq!((table.as_str(), column.as_str(), nearest[0].as_str()), ("motion", "velocty", "velocity"));
        }
        other => panic!("{other}"),
    }
    assert!(
        matches!(error(r#"lines = { table = "motoin", x = "time", y = "velocity" }"#), Mistake::NoTable { nearest, .. } if nearest == ["motion"])
    );
    assert_eq!(error("lines = { x = \"time\", y = \"velocity\" }\n[[panel]]"), Mistake::PanelsAndLayers);
    for text in ["x_axis = { range = [1.0, inf] }", "horizontal = [nan]", "aspect = 1e9"] {
        assert!(matches!(error(text), Mistake::BadValue { .. }), "{text}");
    }
}

#[test]
fn layers_that_make_no_sense_are_refused_with_a_remedy() {
    let table = Table::new("t", "")
        .numbers("x", "m", "x", vec![1.0, 2.0, 4.5])
        .numbers("y", "m", "y", vec![3.0, -1.0, 2.0])
        .words("w", "w", vec!["a".to_owned(); 3]);
    let cases = [
        (r#"bars = { y = "y" }"#, "figure `figure`: bars need either `x` (centres"),
        (r#"bars = { low = "x", y = "y" }"#, "both `low` and `high`"),
        (r#"bars = { x = "x", y = "y" }"#, "column `x` of table `t` holds centres of bins that are not evenly spaced"),
        (
            r#"bars = { low = "x", high = "y", y = "y" }"#,
            "column `x` of table `t` holds 2.0 in row 2; `low` must not be",
        ),
        (r#"bars = { x = "x", y = "w" }"#, "column `w` of table `t` holds words"),
        (r#"bands = { x = "x", low = "x", high = "y" }"#, "in row 2; `low` must not be above `high`"),
        (r#"bands = { x = "x", low = "x", high = "z" }"#, "table `t` has no column `z`"),
        (r#"points = { x = "x", y = "y", error = "y" }"#, "holds -1.0 in row 2; the half-length of an error bar"),
        (r#"lines = { x = "x", y = ["x", "y"], error = "x" }"#, "lines with error bars must have one `y`"),
        (r#"map = { x = "x", y = "y", color = "y", scale = "log", range = [-1, 1] }"#, "must be positive on a log"),
        (r#"arrows = { x = "x", y = "y", dx = "x", dy = "q" }"#, "no column `q`"),
        (
            r#"space = { elevation = 91, lines = { x = "x", y = "y", z = "x" } }"#,
            "space.elevation = 91.0 must be between",
        ),
        (r#"space = { azimuth = nan }"#, "space.azimuth = NaN must be between"),
        (r#"space.lines = { x = "x", y = "y", z = "zz" }"#, "no column `zz`"),
        (r#"space = { z_axis = { range = [2, 1] } }"#, "space.z_axis.range = [2.0, 1.0] must begin with"),
        ("horizontal = [1]\nspace.lines = { x = \"x\", y = \"y\", z = \"x\" }", "space fills its panel"),
    ];
    for (text, expected) in cases {
        let message = draw(&toml::from_str(text).unwrap(), std::slice::from_ref(&table), None).unwrap_err().to_string();
        assert!(message.contains(expected), "{text}: {message}");
    }
    let many = Table::new("t", "").numbers("x", "m", "x", (0..6000).map(f64::from).collect());
    for (text, expected) in [
        (r#"bars = { x = "x", y = "x" }"#, "6000 bars; at most 5000 can be told apart: use wider bins"),
        (r#"lines = { x = "x", y = "x", error = "x" }"#, "use `bands` instead"),
        (r#"arrows = { x = "x", y = "x", dx = "x", dy = "x" }"#, "6000 arrows"),
    ] {
        let message = draw(&toml::from_str(text).unwrap(), std::slice::from_ref(&many), None).unwrap_err().to_string();
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn error_bars_and_bands_take_part_in_the_range() {
    let table = Table::new("t", "")
        .numbers("x", "m", "x", vec![1.0, 2.0])
        .numbers("y", "m", "y", vec![1.0, 1.0])
        .numbers("e", "m", "e", vec![0.0, 1000.0])
        .numbers("l", "m", "l", vec![-999.0, 0.0])
        .numbers("h", "m", "h", vec![0.0, 1001.0]);
    for layer in [r#"points = { x = "x", y = "y", error = "e" }"#, r#"bands = { x = "x", low = "l", high = "h" }"#] {
        let svg = draw(&toml::from_str(layer).unwrap(), std::slice::from_ref(&table), None).unwrap().svg;
        assert!(svg.contains(">1000<") && svg.contains(">−500<"), "{layer}");
    }
}

#[test]
fn a_band_and_its_line_share_colour_and_entry() {
    let figure: Figure = toml::from_str(
        r#"
        bands = { x = "time", low = "low", high = "high", color = "surface" }
        lines = { x = "time", y = "mean", color = "surface" }
        "#,
    )
    .unwrap();
    let svg = draw(&figure, &layers::ensemble().tables, None).unwrap().svg;
    for (text, count) in [(">rough<", 1), (">polished<", 1), (">mean displacement", 1), ("mean − deviation", 0)] {
        assert_eq!(svg.matches(text).count(), count, "{text}");
    }
    // an area, its line, and both in the legend
    assert_eq!(svg.matches("#0072b2").count(), 4);
}

#[test]
fn an_outline_over_a_map_with_equal_units_is_round() {
    let sample = layers::disc_flow();
    let svg = draw(&sample.figure, &sample.tables, None).unwrap().svg;
    let (_, axes) = svg.split_once("<g transform").and_then(|(_, rest)| rest.split_once("<svg width=\"")).unwrap();
    let sizes: Vec<f64> = axes.split('"').step_by(2).take(2).map(|size| size.parse().unwrap()).collect();
    // the map is 61 mm wide and high
    assert!((sizes[0] - sizes[1]).abs() < 0.02, "{sizes:?}");
}

#[test]
fn a_long_curve_in_space_stays_small() {
    let time: Vec<f64> = (0..50_000).map(|i| f64::from(i) * 0.05).collect();
    let column = |f: fn(f64) -> f64| time.iter().map(|&t| f(t)).collect::<Vec<_>>();
    let curve = Table::new("curve", "")
        .numbers("x", "m", "x", column(|t| cos(t) * (2.0 + cos(0.618 * t))))
        .numbers("y", "m", "y", column(|t| sin(t) * (2.0 + cos(0.618 * t))))
        .numbers("z", "m", "z", column(|t| sin(0.618 * t)));
    for kind in ["lines", "points"] {
        let text = format!(r#"space.{kind} = {{ x = "x", y = "y", z = "z" }}"#);
        let size = draw(&toml::from_str(&text).unwrap(), std::slice::from_ref(&curve), None).unwrap().svg.len();
        assert!(size < 500_000, "{kind}: {size} bytes");
    }
}

#[test]
fn words_are_not_numbers() {
    let tables = samples::bifurcation().tables;
    let figure: Figure = toml::from_str(r#"lines = { x = "kind", y = "maximum" }"#).unwrap();
    assert!(matches!(draw(&figure, &tables, None), Err(FigureError { mistake: Mistake::NotNumbers { .. }, .. })));
}

#[test]
fn hostile_tables_give_an_error_or_a_picture() {
    let nan = f64::NAN;
    let columns: [&[f64]; 14] = [
        &[],
        &[1.0],
        &[0.0],
        &[nan, nan, nan],
        &[2.0, 2.0, 2.0],
        &[1e308, -1e308],
        &[1e300, -1e300],
        &[5e-324, 0.0],
        &[f64::INFINITY, 1.0, f64::NEG_INFINITY],
        &[-1.0, 0.0, -3.0],
        &[1.0, nan, 2.0, nan, 3.0],
        &[1.0, 1.0 + f64::EPSILON],
        &[1e15, 1e15 + 1.0],
        &[1e-300, 1e300],
    ];
    let kinds = [
        r#"lines = { x = "x", y = "y" }"#,
        r#"points = { x = "x", y = "y", color = "w" }"#,
        r#"map = { x = "x", y = "y", color = "y" }"#,
        r#"map = { x = "x", y = "y", color = "w" }"#,
        r#"markers = { x = "x", text = "w" }"#,
        r#"lines = { x = "x", y = "y", split = "w", style = "w", color = "w" }"#,
        r#"bars = { x = "x", y = "y", color = "w" }"#,
        r#"bars = { low = "x", high = "y", y = "y" }"#,
        r#"bands = { x = "x", low = "x", high = "y", color = "w" }"#,
        r#"points = { x = "x", y = "y", error = "y" }"#,
        r#"arrows = { x = "x", y = "y", dx = "y", dy = "x", label = "<w" }"#,
        r#"map = { x = "x", y = "y", color = "y", scale = "log" }"#,
        r#"map = { x = "x", y = "x", color = "y" }"#,
        r#"space.lines = { x = "x", y = "y", z = "x", split = "w", color = "w" }"#,
        r#"space = { elevation = 90.0, points = { x = "x", y = "y", z = "x", color = "w" } }"#,
    ];
    let frames = [
        "",
        "equal = true\ndiagonal = true\n",
        "x_axis = { scale = \"log\" }\ny_axis = { scale = \"log\" }\ndiagonal = true\n",
    ];
    let refused = |error: &FigureError| matches!(error.mistake, Mistake::BadNumbers { .. });
    for x in columns {
        for y in columns {
            let rows = x.len().min(y.len());
            let table = Table::new("t", "")
                .numbers("x", "m", "x", x[..rows].to_vec())
                .numbers("y", "", "y", y[..rows].to_vec())
                .words("w", "w", (0..rows).map(|i| format!("<w{i}> & \"")).collect());
            for kind in kinds {
                for frame in frames {
                    let frame =
                        if kind.starts_with("space") { frame.replace("diagonal = true", "") } else { frame.into() };
                    let figure: Figure = toml::from_str(&format!("{frame}{kind}")).unwrap();
                    match draw(&figure, std::slice::from_ref(&table), Some("<note>")) {
                        Ok(drawing) => {
                            assert!(!drawing.svg.contains("NaN") && !drawing.svg.contains("inf"), "{x:?} {y:?} {kind}");
                            assert!(!drawing.svg.contains("<w") && !drawing.svg.contains("<note"));
                            assert!(drawing.height < 500.0, "{x:?} {y:?} {kind} {frame}");
                        }
                        Err(error) => assert!(refused(&error), "{error}"),
                    }
                }
            }
        }
    }
}

#[test]
fn ragged_tables_and_no_tables_never_panic() {
    let mut table = Table::new("t", "").numbers("x", "m", "x", vec![1.0, 2.0]).numbers("y", "m", "y", vec![1.0, 2.0]);
    table.columns[1].data = Data::Numbers(vec![1.0]);
    let figure: Figure = toml::from_str(r#"lines = { x = "x", y = "y" }"#).unwrap();
    assert!(draw(&figure, &[table], None).unwrap().png().is_ok());
    assert!(matches!(draw(&figure, &[], None), Err(FigureError { mistake: Mistake::NoTable { .. }, .. })));
    assert!(draw(&Figure::default(), &[], None).is_ok());
}

#[test]
fn thousands_of_words_and_markers_are_drawn() {
    let count = 3000;
    let table = Table::new("t", "")
        .numbers("x", "m", "x", (0..count).map(f64::from).collect())
        .numbers("y", "m", "y", (0..count).map(|i| f64::from(i % 7)).collect())
        .words("w", "w", (0..count).map(|i| format!("word number {i} that is long")).collect());
    for text in [
        r#"lines = { x = "x", y = "y", color = "w", style = "w" }"#,
        r#"map = { x = "x", y = "y", color = "w" }"#,
        r#"markers = { x = "x", text = "w" }"#,
    ] {
        let figure: Figure = toml::from_str(text).unwrap();
        let drawing = draw(&figure, std::slice::from_ref(&table), None).unwrap();
        assert!(drawing.height < 250.0, "{text}: {} mm", drawing.height);
        assert!(drawing.svg.contains("more</text>") || text.starts_with("markers"), "{text}");
    }
}

#[test]
fn many_panels_and_long_titles_fit() {
    let mut figure: Figure = toml::from_str(r#"panel = [{ lines = { x = "time", y = "displacement" } }]"#).unwrap();
    figure.panel = vec![figure.panel[0].clone(); 12];
    figure.panel[3].heading = "a heading that is far too long for the small panel that it stands above".repeat(3);
    figure.columns = Some(6);
    figure.title = "word ".repeat(200);
    let drawing = draw(&figure, &samples::history().tables, None).unwrap();
    assert!(drawing.png().is_ok() && drawing.svg.matches("time t").count() == 12);
}

#[test]
fn a_style_that_a_colour_is_named_after_is_explained_once() {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let table = Table::new("branches", "three branches")
        .numbers("x", "", "x", vec![0.0, 1.0, 1.0, 2.0, 0.0, 1.0])
        .numbers("y", "", "y", vec![0.0, 1.0, 1.0, 0.0, 2.0, 2.0])
        .words("kind", "kind", words(&["CS", "CS", "CS", "CS", "special boundary", "special boundary"]))
        .words("style", "style", words(&["stable", "stable", "unstable", "unstable", "boundary", "boundary"]));
    let layer = r#"lines = { x = "x", y = "y", split = "style", color = "kind", style = "style" }"#;
    let figure = toml::from_str::<Figure>(layer).unwrap();
    let svg = draw(&figure, &[table], None).unwrap().svg;
    for (text, count) in [(">CS<", 1), (">special boundary<", 1), (">stable<", 1), (">unstable<", 1), (">boundary<", 0)]
    {
        assert_eq!(svg.matches(text).count(), count, "{text}");
    }
}
