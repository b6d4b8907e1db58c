//! Itineraries of the wheel against an independent implementation (scipy, small steps, standard sticking field), and what must
//! not change them.

use stiction::analysis::wheel::itinerary::{
    EventKind, Exit, ExitAt, ExitDistribution, ExitSampled, ExitSide, Go, Itinerary, ItineraryRun, LinePolicy, LineRay,
    ModeName, WheelStart,
};
use stiction::integrate::Solver;
use stiction::num::random::Stream;
use stiction::system::Wheel;
use stiction::system::wheel::{Dynamics, Regularisation, StickMoment, Widths};

fn wheel() -> Dynamics {
    Wheel::default().dynamics().unwrap()
}

fn request(start: WheelStart, duration_tau: f64) -> Itinerary {
    Itinerary { start, duration_tau: Some(duration_tau), ..Itinerary::default() }
}

fn kinds(run: &ItineraryRun) -> Vec<(EventKind, ModeName)> {
    run.events.iter().map(|event| (event.kind, event.mode_after)).collect()
}

/// kind, mode after, τ, t, r, v, ω
type Reference = (EventKind, ModeName, [f64; 5]);

fn compare(run: &ItineraryRun, reference: &[Reference], places: &[usize]) {
    for (&place, (kind, mode, [tau, time, r, v, omega])) in places.iter().zip(reference) {
        let event = &run.events[place];
        assert_eq!((event.kind, event.mode_after, event.index), (*kind, *mode, place));
        for (found, wanted, tolerance) in [
            (event.r, *r, 1e-9),
            (event.v, *v, 1e-9),
            (event.omega, *omega, 1e-9),
            (event.tau, *tau, 1e-8),
            (event.time, *time, 1e-8),
        ] {
            assert!((found - wanted).abs() < tolerance, "event {place}: {found} instead of {wanted}\n{event:?}");
        }
    }
}

#[test]
fn stick_into_the_two_fold() {
    use EventKind::TwoFold;
    let run = request(WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Stick }, 60.0).run(&wheel()).unwrap();
    let end = [9.521_885_126_507, 0.457_396_451_400, 0.1859, -0.030_121_7, -1.037];
    compare(&run, &[(TwoFold, ModeName::Stopped, end)], &[0]);
    assert_eq!(run.events.len(), 1);
    let certificate = run.two_fold().unwrap().certificate.as_ref().unwrap();
    assert_eq!(certificate.case, Some(1));
    assert!(certificate.lie_plus < 0.0 && certificate.lie_minus > 0.0 && certificate.distance <= 1.000_001e-5);
    assert!(certificate.tau_error < 1e-6 && certificate.sign_consistent);
    assert!((certificate.limit_force - 0.094_910_506_9).abs() < 1e-9);
}

#[test]
fn a_start_in_slip_that_lands_leaves_the_line_and_reaches_the_two_fold() {
    use EventKind::{Landing, LineArrival, TwoFold};
    use ModeName::{Sliding, SlipMinus, Stopped};
    let run = request(WheelStart::State { r: 0.3, v: 0.2, omega: -0.8 }, 60.0).run(&wheel()).unwrap();
    let reference = [
        (Landing, Sliding, [0.228702972454, 0.021378205668, 0.302722942968, 0.051118540683, -0.926688336914]),
        (LineArrival, SlipMinus, [6.057955097110, 0.606609180842, 0.318293982446, 0.0, -1.0]),
        (Landing, Sliding, [6.697184287684, 0.672584222867, 0.315485832732, -0.084136336396, -1.122913944545]),
        (TwoFold, Stopped, [17.867560860137, 1.302202017006, 0.1859, -0.0301217, -1.037]),
    ];
    compare(&run, &reference, &[0, 1, 2, 3]);
    assert_eq!(run.events.len(), 4);
}

#[test]
fn motions_that_never_meet_the_line() {
    use EventKind::{Crossing, EndTime, Landing, RollingReversal, StickLimitMinus, TwoFold};
    use ModeName::{Sliding, SlipMinus, SlipPlus, Stopped};
    let run = request(WheelStart::State { r: 0.1, v: -0.1, omega: -1.3 }, 60.0).run(&wheel()).unwrap();
    let reference = [
        (RollingReversal, SlipPlus, [11.579319081276, 0.222780598938, 0.165643727869, 0.015075257233, -0.987067011238]),
        (Landing, Sliding, [11.660882944885, 0.225222793027, 0.165663678230, 0.000379144013, -0.999545574125]),
        (EndTime, Stopped, [60.0, 2.122305055117, 0.226747692435, 0.009050590915, -0.988295423335]),
    ];
    compare(&run, &reference, &[0, 1, 2]);
    let run = request(WheelStart::State { r: 0.4, v: -0.5, omega: -2.0 }, 60.0).run(&wheel()).unwrap();
    let reference = [
        (Crossing, SlipMinus, [15.638688518800, 1.036109924213, 0.186839369174, -0.010347939743, -1.012725578872]),
        (Landing, Sliding, [15.896479438008, 1.045744153928, 0.186594964620, -0.040314745599, -1.049562940780]),
        (TwoFold, Stopped, [16.458931852720, 1.066657933642, 0.1859, -0.0301217, -1.037]),
    ];
    compare(&run, &reference, &[0, 1, 2]);
    let run = request(WheelStart::State { r: 0.05, v: 0.6, omega: 0.3 }, 60.0).run(&wheel()).unwrap();
    let reference = [
        (Landing, Sliding, [10.630648851652, 0.272333254969, 0.373166566030, 0.896577241078, 0.430327727416]),
        (StickLimitMinus, SlipMinus, [11.330656899029, 0.397457023122, 0.465897388521, 0.623298401544, 0.167001224385]),
        (Crossing, SlipPlus, [42.411904361682, 1.743146036597, 0.066014967756, 2.483969566611, 1.659538944262]),
        (Landing, Sliding, [42.668422128516, 1.744981386327, 0.070428784089, 2.328640214720, 1.505069191970]),
        (
            StickLimitMinus,
            SlipMinus,
            [54.638903797543, 2.682739230641, 0.512189057805, 0.234748149776, -0.518772275343],
        ),
        (Landing, Sliding, [59.911733733427, 4.271693153299, 0.492340303730, 0.050105723708, -0.901300567927]),
        (EndTime, Stopped, [60.0, 4.293356523070, 0.493421638390, 0.049726076522, -0.901839319855]),
    ];
    compare(&run, &reference, &[0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn windings_through_the_line_by_the_default_policy() {
    use EventKind::{Crossing, EndTime, LineArrival, LinePass, StickLimitPlus};
    use ModeName::{Sliding, SlipMinus, SlipPlus, Stopped};
    let run = request(WheelStart::State { r: -0.2, v: 0.3, omega: -1.4 }, 60.0).run(&wheel()).unwrap();
    let reference = [
        (Crossing, SlipMinus, [15.407818550192, 0.573116215536, 0.522068594043, -0.048839096011, -1.102188505301]),
        (StickLimitPlus, SlipPlus, [19.926629165125, 1.426714023179, 0.308283254895, -0.489450833792, -1.707588528477]),
        (LineArrival, SlipMinus, [30.368721967057, 1.864196800481, 0.158184754582, 0.0, -1.0]),
        (LineArrival, SlipMinus, [51.259838520819, 2.415386227027, 0.151127476940, 0.0, -1.0]),
        (Crossing, SlipPlus, [51.522189091335, 2.422031601428, 0.151034369756, -0.028016253473, -1.033000456644]),
        (LinePass, Sliding, [51.792433417766, 2.428867715140, 0.150965047581, 0.0, -1.0]),
        (EndTime, Stopped, [60.0, 2.639215994342, 0.154359350655, 0.032462782067, -0.961611611159]),
    ];
    compare(&run, &reference, &[0, 2, 3, 79, 80, 81, 82]);
    assert_eq!(run.events.len(), 83);
    let arrival = &run.events[3];
    let outgoing = arrival.outgoing.as_ref().unwrap();
    assert!(outgoing.len() > 2, "{outgoing:?}");
    assert!(run.events.iter().all(|event| event.outgoing.is_some() == matches!(event.kind, LineArrival | LinePass)));
}

#[test]
fn exits_from_the_escaping_region_pass_the_line_into_stick() {
    use EventKind::{Crossing, EndTime, Landing, LineArrival, LinePass};
    use ModeName::{Sliding, SlipMinus, SlipPlus, Stopped};
    let exit = |side| WheelStart::Exit { position_fraction: 0.5, height_fraction: 0.5, side };
    let run = request(exit(ExitSide::Plus), 60.0).run(&wheel()).unwrap();
    assert!((run.start.r - 0.144_390_547_500_374).abs() < 1e-12);
    assert!((run.start.omega + 1.011_332_465_747_917).abs() < 1e-12);
    let reference = [
        (LinePass, Sliding, [0.095245563399, 0.002223704404, 0.144383353444, 0.0, -1.0]),
        (LineArrival, SlipMinus, [51.131664629631, 2.238761138177, 0.278417634046, 0.0, -1.0]),
        (Landing, Sliding, [51.700539772182, 2.284101890689, 0.276734349656, -0.073791057056, -1.102024832813]),
        (EndTime, Stopped, [60.0, 2.729964815495, 0.189398323793, -0.060708480651, -1.074893110183]),
    ];
    compare(&run, &reference, &[0, 1, 2, 3]);
    let run = request(exit(ExitSide::Minus), 60.0).run(&wheel()).unwrap();
    let first = [0.143964523509, 0.003360344520, 0.144332538170, -0.024815787308, -1.029001672279];
    compare(&run, &[(Crossing, SlipPlus, first)], &[0]);
    assert_eq!(run.events.len(), 5);
}

#[test]
fn tolerances_and_radii_do_not_change_an_itinerary() {
    let start = WheelStart::State { r: 0.3, v: 0.2, omega: -0.8 };
    let reference = request(start, 60.0).run(&wheel()).unwrap();
    let mut variants = Vec::new();
    for relative_tolerance in [1e-10, 1e-11] {
        let solver = Solver { relative_tolerance, ..Itinerary::solver() };
        variants.push(Itinerary { solver, ..request(start, 60.0) });
    }
    for two_fold_radius in [1e-4, 1e-6, 1e-7] {
        variants.push(Itinerary { two_fold_radius, ..request(start, 60.0) });
    }
    for line_radius in [1e-8, 1e-9] {
        variants.push(Itinerary { line_radius, ..request(start, 60.0) });
    }
    for variant in variants {
        let run = variant.run(&wheel()).unwrap();
        assert_eq!(kinds(&run), kinds(&reference));
        for (a, b) in run.events.iter().zip(&reference.events) {
            // the arrival at the two-fold is extrapolated: an error of third order in the radius, constant near 1e3
            let extrapolation =
                if a.kind == EventKind::TwoFold { 2e3 * variant.two_fold_radius.powi(3) * 1e3 } else { 0.0 };
            assert!((a.tau - b.tau).abs() < 1e-7 + extrapolation, "{variant:?}\n{} {}", a.tau, b.tau);
            assert!((a.r - b.r).abs() < 1e-8 && (a.omega - b.omega).abs() < 1e-8);
        }
    }
}

#[test]
fn line_passages_depend_on_the_line_radius_by_less_than_itself() {
    let start = WheelStart::State { r: -0.2, v: 0.3, omega: -1.4 };
    let reference = request(start, 40.0).run(&wheel()).unwrap();
    let run = Itinerary { line_radius: 1e-8, ..request(start, 40.0) }.run(&wheel()).unwrap();
    assert_eq!(kinds(&run), kinds(&reference));
    for (a, b) in run.events.iter().zip(&reference.events) {
        assert!((a.tau - b.tau).abs() < 1e-7 && (a.r - b.r).abs() < 1e-8, "{a:?} {b:?}");
    }
}

#[test]
fn a_line_radius_below_the_errors_is_reported() {
    let start = WheelStart::State { r: 0.3, v: 0.2, omega: -0.8 };
    assert!(request(start, 1.0).run(&wheel()).unwrap().warnings.is_empty());
    let fine = Itinerary { line_radius: 1e-10, ..request(start, 1.0) };
    let warnings = fine.run(&wheel()).unwrap().warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("line_radius"), "{warnings:?}");
}

#[test]
fn a_coarse_step_does_not_jump_over_the_two_fold() {
    // with a plain sticking field this setting gives a false stick limit behind the two-fold
    let request = request(WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Stick }, 60.0);
    for max_step in [Some(0.5), Some(5.0)] {
        let solver = Solver { relative_tolerance: 1e-8, absolute_tolerance: 1e-10, max_step, ..Itinerary::solver() };
        let run = Itinerary { solver, ..request.clone() }.run(&wheel()).unwrap();
        assert_eq!(kinds(&run), [(EventKind::TwoFold, ModeName::Stopped)]);
        assert!((run.events[0].tau - 9.521_885_126_507).abs() < 1e-6);
    }
}

#[test]
fn the_end_of_the_run_wins_over_a_later_two_fold() {
    let start = WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Stick };
    let arrival = 9.521_885_126_507;
    // stopped within the radius of the two-fold, but it is reached after the end
    let run = request(start, arrival - 1e-4).run(&wheel()).unwrap();
    assert_eq!(kinds(&run), [(EventKind::EndTime, ModeName::Stopped)]);
    assert_eq!(run.events[0].tau, arrival - 1e-4);
    assert!((run.events[0].r - 0.1859).abs() < 1e-5);
    let seconds = Itinerary { duration: Some(0.3), duration_tau: None, ..request(start, 1.0) };
    let run = seconds.run(&wheel()).unwrap();
    assert!((run.events[0].time - 0.3).abs() < 1e-14 && run.events[0].kind == EventKind::EndTime);
}

#[test]
fn every_policy_is_recorded_and_gives_its_own_motion() {
    let start = WheelStart::Surface { r: 0.1776, omega: -1.0237, go: Go::Plus };
    let mut outcomes = Vec::new();
    for (policy, name) in [
        (LinePolicy::Continue, "continue"),
        (LinePolicy::Stick, "stick"),
        (LinePolicy::Lock, "lock"),
        (LinePolicy::Sampled, "sampled"),
    ] {
        let run = Itinerary { line_policy: policy, seed: 5, ..request(start, 20.0) }.run(&wheel()).unwrap();
        let json = serde_json::to_value(&run).unwrap();
        assert_eq!(json["request"]["line_policy"], name);
        assert_eq!(json["request"]["line_radius"], 1e-7);
        assert_eq!(json["events"][0]["kind"], "line_arrival");
        assert!(json["events"][0]["outgoing"].as_array().unwrap().len() > 1);
        outcomes.push(run.events[0].mode_after);
        if policy == LinePolicy::Lock {
            assert_eq!(run.events.len(), 1);
        }
    }
    assert_eq!(outcomes[..3], [ModeName::SlipMinus, ModeName::Sliding, ModeName::Locked]);
}

#[test]
fn an_event_has_exactly_the_documented_keys() {
    let run = request(WheelStart::State { r: 0.1, v: -0.1, omega: -1.3 }, 20.0).run(&wheel()).unwrap();
    let json = serde_json::to_value(&run.events[0]).unwrap();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["index", "kind", "tau", "time", "r", "v", "omega", "mode_before", "mode_after"]);
    assert_eq!(json["kind"], "rolling_reversal");
    assert_eq!(json["mode_before"], "slip_plus");
    let start = serde_json::to_value(run.start).unwrap();
    let keys: Vec<&str> = start.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["mode", "r", "v", "omega", "h", "g"]);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let exit = Exit::Sampled(ExitSampled { distribution: ExitDistribution::Hazard, side_probability: 0.5, rate: 2.0 });
    let sampled = |seed| {
        let request = Itinerary {
            line_policy: LinePolicy::Sampled,
            exit: Some(exit),
            seed,
            ..request(WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Stick }, 40.0)
        };
        serde_json::to_string(&request.run(&wheel()).unwrap()).unwrap()
    };
    assert_eq!(sampled(3), sampled(3));
    assert_ne!(sampled(3), sampled(4));
}

#[test]
fn a_run_goes_on_past_the_two_fold_only_on_request() {
    use EventKind::{Escape, TwoFold};
    let start = WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Stick };
    // a point that the two-fold feeds
    let (r, omega) = (0.184_783_725_642_823, -1.025_564_603_162);
    let at = Exit::At(ExitAt { r, omega, side: ExitSide::Minus });
    let run = Itinerary { exit: Some(at), ..request(start, 15.0) }.run(&wheel()).unwrap();
    assert_eq!(run.events[0].kind, TwoFold);
    assert_eq!((run.events[1].kind, run.events[1].mode_after), (Escape, ModeName::SlipMinus));
    assert!((run.events[1].tau - run.events[0].tau - 1.200_812).abs() < 1e-4);
    assert_eq!((run.events[1].r, run.events[1].omega), (r, omega));
    assert!(run.warnings.is_empty() && run.events.len() > 3);
    let outside = Exit::At(ExitAt { r: 0.27, omega: -1.25, side: ExitSide::Minus });
    let error = Itinerary { exit: Some(outside), ..request(start, 15.0) }.run(&wheel()).unwrap_err().to_string();
    assert!(error.contains("exit.at") && error.contains("escaping"), "{error}");
    // a point that the line feeds: no time is invented
    let fed = Exit::At(ExitAt { r: 0.144, omega: -1.0113, side: ExitSide::Plus });
    let run = Itinerary { exit: Some(fed), ..request(start, 15.0) }.run(&wheel()).unwrap();
    assert_eq!(run.warnings.len(), 1);
}

#[test]
fn starts_that_are_not_possible_are_refused_with_their_reason() {
    let fails = |start: WheelStart| request(start, 1.0).run(&wheel()).unwrap_err().to_string();
    let on_surface = fails(WheelStart::State { r: 0.27, v: -0.1825, omega: -1.25 });
    assert!(on_surface.contains("start.surface"), "{on_surface}");
    let crossing = WheelStart::Surface { r: 0.17, omega: -1.04, go: Go::Stick };
    assert!(fails(crossing).contains("crossing"), "{}", fails(crossing));
    let escaping = WheelStart::Surface { r: 0.15, omega: -1.01, go: Go::Auto };
    assert!(fails(escaping).contains("escaping"));
    let sliding = WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Plus };
    assert!(fails(sliding).contains("sliding"));
    let ray = WheelStart::Line { r: 0.02, ray: LineRay::Plus };
    assert!(fails(ray).contains("start.line.ray"));
    let far = WheelStart::Exit { position_fraction: 1.0, height_fraction: 0.5, side: ExitSide::Plus };
    assert!(fails(far).contains("position_fraction"));
    assert!(fails(WheelStart::State { r: f64::NAN, v: 0.0, omega: 0.0 }).contains("start.state.r"));
    let both = Itinerary { duration: Some(1.0), duration_tau: Some(1.0), ..Itinerary::default() };
    assert!(both.run(&wheel()).unwrap_err().to_string().contains("duration"));
}

#[test]
fn starts_on_the_line_leave_it_as_asked() {
    for (ray, mode) in [(LineRay::Minus, ModeName::SlipMinus), (LineRay::Stick, ModeName::Sliding)] {
        let run = request(WheelStart::Line { r: 0.15, ray }, 5.0).run(&wheel()).unwrap();
        assert_eq!(run.start.mode, mode);
        assert_eq!((run.start.v, run.start.omega), (0.0, -1.0));
        assert!(!run.events.is_empty());
    }
    let run = request(WheelStart::Line { r: 0.15, ray: LineRay::Escape }, 5.0).run(&wheel()).unwrap();
    assert_eq!(run.start.mode, ModeName::Escaping);
    let run = request(WheelStart::Line { r: 0.15, ray: LineRay::Stay }, 5.0).run(&wheel()).unwrap();
    assert_eq!((run.start.mode, run.events.len()), (ModeName::Locked, 0));
}

#[test]
fn an_event_limit_ends_the_run() {
    let start = WheelStart::State { r: -0.2, v: 0.3, omega: -1.4 };
    let run = Itinerary { max_events: 10, ..request(start, 60.0) }.run(&wheel()).unwrap();
    assert_eq!(run.events.len(), 11);
    assert_eq!(run.events[10].kind, EventKind::EventLimit);
    assert_eq!(run.events[10].mode_after, ModeName::Stopped);
}

#[test]
fn other_variants_and_special_angles_run() {
    use std::f64::consts::{FRAC_PI_2, PI};
    let base = Wheel { moment_arm: Some(0.27), spring_stiffness: Some(2.2), ..Wheel::default() };
    let constant =
        Wheel { slip_law: stiction::system::wheel::SlipLaw::Constant, stick_moment: StickMoment::Unsigned, ..base };
    for wheel in [
        base,
        constant,
        Wheel { stick_moment: StickMoment::Unsigned, ..base },
        Wheel { wheel_angle: 0.0, ..base },
        Wheel { wheel_angle: PI, ..base },
        Wheel { wheel_angle: FRAC_PI_2, ..base },
        Wheel { wheel_angle: -FRAC_PI_2, ..base },
        Wheel { slit_offset: 0.0, ..base },
        Wheel { turntable_speed: 0.0, ..base },
    ] {
        let dynamics = wheel.dynamics().unwrap();
        for (r, v, omega) in [(0.3, 0.25, -0.8), (-0.2, 0.3, -1.4), (0.05, -0.6, 0.3)] {
            match request(WheelStart::State { r, v, omega }, 30.0).run(&dynamics) {
                Ok(run) => {
                    let last = run.events.last().unwrap();
                    assert!(last.tau <= 30.0 && last.omega.is_finite(), "{wheel:?} {last:?}");
                }
                // a wheel along the slit that sticks to where its two surfaces meet: there is no answer
                Err(error) => {
                    assert!(dynamics.si == 0.0 && error.to_string().contains("surfaces meet"), "{wheel:?}: {error}");
                }
            }
        }
    }
    // a smooth wheel has no modes
    let smooth = Regularisation { tanh: Widths { lateral: 1e-3, rolling: 1e-3 } };
    let dynamics = Wheel { regularisation: Some(smooth), ..base }.dynamics().unwrap();
    let error = Itinerary::default().run(&dynamics).unwrap_err().to_string();
    assert!(error.contains("regularisation"), "{error}");
}

#[test]
fn stick_through_the_middle_of_the_slit_turns_the_moment_round() {
    use EventKind::{EndTime, Landing, LineArrival, StickLimitPlus, StickSignFlip};
    use ModeName::{Sliding, SlipPlus, Stopped};
    let wheel = Wheel {
        slider_mass: 0.6,
        gyration_radius: 0.28,
        slit_offset: 0.9,
        spring_stiffness: Some(1.24),
        rest_position: 0.09,
        disc_damping: 0.037,
        slider_damping: 0.025,
        turntable_speed: -1.18,
        wheel_angle: 1.34,
        friction_force: 2.1,
        moment_arm: Some(0.72),
        ..Wheel::default()
    };
    let dynamics = wheel.dynamics().unwrap();
    let run = request(WheelStart::State { r: -0.19, v: -0.75, omega: -2.8 }, 20.0).run(&dynamics).unwrap();
    let reference = [
        (Landing, Sliding, [1.802673614371, 0.155896653114, -0.340421206768, -1.274599820070, -2.480620863458]),
        (LineArrival, Sliding, [4.152472280234, 0.546049557236, -0.487175852262, 0.0, -1.18]),
        (StickSignFlip, Sliding, [8.588135692843, 1.032687028727, 0.0, 3.102195581537, 2.266883979485]),
        (StickLimitPlus, SlipPlus, [14.873952023778, 3.226715365230, 1.850593755972, 0.591638521157, 0.091955225829]),
        (EndTime, Stopped, [20.0, 15.935114411181, 2.108582010009, -0.027962547649, -0.346072178729]),
    ];
    compare(&run, &reference, &[0, 1, 2, 3, 4]);
    assert_eq!(run.events.len(), 5);
}

#[test]
fn a_slider_that_runs_away_is_an_error_and_not_a_hang() {
    // the turntable is so fast that the spring cannot hold the slider
    let weak = Wheel { spring_stiffness: Some(0.2), moment_arm: Some(0.3), friction_force: 3.0, ..Wheel::default() };
    let fast = Wheel { turntable_speed: -2.0, ..weak };
    let error = request(WheelStart::State { r: 0.5, v: 0.4, omega: -2.5 }, 60.0).run(&fast.dynamics().unwrap());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("run away"), "{error}");
}

#[test]
fn random_wheels_of_every_kind_have_an_itinerary() {
    // an unsigned moment does not watch the sign of g in stick: it must be read again where stick ends
    let mut limits = 0;
    for index in 0..120 {
        let mut stream = Stream::new(77, index, 1);
        let mut between = |low: f64, high: f64| low + (high - low) * stream.uniform();
        let wheel = Wheel {
            slider_mass: between(0.3, 3.0),
            gyration_radius: between(0.02, 0.5),
            slit_offset: between(0.0, 2.0),
            spring_stiffness: Some(between(5.0, 20.0)),
            rest_position: between(-0.5, 0.5),
            disc_damping: between(0.0, 0.1),
            slider_damping: between(0.0, 0.1),
            turntable_speed: between(-1.5, 1.5),
            wheel_angle: between(-3.1, 3.1),
            friction_force: between(0.2, 3.0),
            moment_arm: Some(between(0.02, 1.0)),
            stick_moment: if index % 2 == 0 { StickMoment::Unsigned } else { StickMoment::Signed },
            ..Wheel::default()
        };
        let start = WheelStart::State { r: between(-0.8, 0.8), v: between(-1.0, 1.0), omega: between(-3.0, 2.0) };
        let request = Itinerary { max_events: 200, ..request(start, 30.0) };
        match request.run(&wheel.dynamics().unwrap()) {
            Ok(run) => {
                let limit = |kind| matches!(kind, EventKind::StickLimitPlus | EventKind::StickLimitMinus);
                limits += run.events.iter().filter(|event| limit(event.kind)).count();
                // a wrong sign shows as a reversal at the very moment of the limit
                for pair in run.events.windows(2) {
                    let wrong = limit(pair[0].kind) && pair[1].kind == EventKind::RollingReversal;
                    assert!(!wrong || pair[1].tau > pair[0].tau, "{wheel:?} {pair:?}");
                    assert!(pair[1].tau >= pair[0].tau - 1e-6 && pair[1].time >= pair[0].time - 1e-6, "{pair:?}");
                }
            }
            Err(error) => assert!(error.to_string().contains("run away"), "{wheel:?} {start:?}: {error}"),
        }
    }
    assert!(limits > 100, "{limits}");
}

#[test]
fn radii_and_steps_of_a_wrong_size_are_refused() {
    let told = |request: Itinerary| request.check().map_err(|error| error.to_string());
    let refused = |request: Itinerary, key: &str| assert!(told(request).unwrap_err().starts_with(key), "{key}");
    refused(Itinerary { line_radius: 1.0, ..Itinerary::default() }, "line_radius: ");
    refused(Itinerary { two_fold_radius: 1e300, ..Itinerary::default() }, "two_fold_radius: ");
    let solver = Solver { max_step: Some(1e-300), ..Itinerary::solver() };
    refused(Itinerary { solver, ..Itinerary::default() }, "solver.max_step: ");
    assert_eq!(told(Itinerary { duration_tau: Some(1e300), ..Itinerary::default() }), Ok(()));
}

#[test]
fn a_motion_does_not_depend_on_the_unit_of_mass() {
    let run = |mass: f64| {
        let plain = Wheel::default();
        let wheel = Wheel {
            slider_mass: mass * plain.slider_mass,
            disc_damping: mass * plain.disc_damping,
            slider_damping: mass * plain.slider_damping,
            friction_force: mass * plain.friction_force,
            ..plain
        };
        Itinerary::default().run(&wheel.dynamics().unwrap()).unwrap()
    };
    let one = run(1.0);
    assert!(!one.events.is_empty());
    // powers of four: what is scaled by them, and their roots, are exact
    for mass in [1.0 / 4096.0, 256.0] {
        let other = run(mass);
        assert_eq!(kinds(&one), kinds(&other));
        for (a, b) in one.events.iter().zip(&other.events) {
            assert_eq!([a.r, a.v, a.omega, a.tau, a.time], [b.r, b.v, b.omega, mass * b.tau, b.time]);
        }
    }
}
