//! What follows a two-fold: exits, return map, ensembles, smooth friction and noise.

use stiction::analysis::Silent;
use stiction::analysis::wheel::EscapingRegion;
use stiction::analysis::wheel::escaping::Departure;
use stiction::analysis::wheel::exits::{ExitOutcome, ensemble, grid, return_map, sampled};
use stiction::analysis::wheel::itinerary::{ExitDistribution, ExitSampled, Go, Itinerary, LinePolicy, WheelStart};
use stiction::analysis::wheel::smooth::{NoisyRequest, SmoothWheel, noisy_exits};
use stiction::integrate::{Dop853, Span, Stop, Tolerance, integrate};
use stiction::system::Wheel;
use stiction::system::filippov::{Automaton, Filippov, Lie, Side, Signs};
use stiction::system::wheel::{Additive, Dynamics, Regularisation, State, Widths};

fn wheel() -> Dynamics {
    Wheel::default().dynamics().unwrap()
}

fn request(duration_tau: f64) -> Itinerary {
    Itinerary { duration_tau: Some(duration_tau), ..Itinerary::default() }
}

#[test]
fn only_a_corner_of_the_escaping_region_is_fed_by_the_two_fold() {
    let dynamics = wheel();
    let region = EscapingRegion::next_to_two_fold(&dynamics).unwrap();
    // from where the region meets the line to the two-fold
    assert!((region.positions.0 - 0.102_881_095_000_746_95).abs() < 1e-12 && region.positions.1 == region.two_fold.r);
    // the divide touches the line where the sticking motion on it turns round, 0.18217
    assert!(region.reach.0 > 0.17 && region.reach.0 < 0.182_171, "{:?}", region.reach);
    let tau = |r: f64, omega: f64| region.time_from_two_fold(&dynamics, r, omega).unwrap();
    let (fed, _) = tau(0.184_783_725_642_823, -1.025_564_603_162).unwrap();
    assert!((fed - 1.200_812_1).abs() < 1e-5);
    assert!(tau(0.144, -1.0113).is_none() && tau(0.18175, -1.0319).is_none());
    assert!(region.contains(&dynamics, 0.144, -1.0113) && !region.contains(&dynamics, 0.144, -1.05));
}

#[test]
fn returns_agree_with_the_independent_implementation() {
    let exit = |r, omega, side| Departure { r, omega, since: (0.0, 0.0), wait: 0.0, side };
    let (r, omega) = (0.144_390_547_500_374, -1.011_332_465_747_917);
    let exits = [
        exit(r, omega, Side::Plus),
        exit(r, omega, Side::Minus),
        exit(0.184_783_725_642_823, -1.025_564_603_162, Side::Minus),
    ];
    let map = return_map(&wheel(), &request(300.0), &exits, &Silent).unwrap();
    let expected = [
        (4, 0, 2, 62.145_296_130_853, 2.810_699_979_021),
        (5, 1, 2, 62.449_952_177_861, 2.819_440_474_682),
        (245, 122, 121, 133.719_889_289_662, 4.851_090_548_363),
    ];
    for (row, (events, crossings, line_events, tau, time)) in map.rows.iter().zip(expected) {
        assert_eq!(row.outcome, ExitOutcome::Returned);
        assert_eq!((row.events, row.crossings, row.line_events), (events, crossings, line_events));
        assert!((row.tau - tau).abs() < 1e-6 && (row.time - time).abs() < 1e-7, "{row:?}");
    }
    assert_eq!(map.probability, 1.0);
}

#[test]
fn the_return_depends_on_the_policy() {
    let how = ExitSampled { distribution: ExitDistribution::Area, side_probability: 0.5, rate: 1.0 };
    let exits = sampled(&wheel(), how, 6, 2, &Silent).unwrap();
    let share = |line_policy| {
        let request = Itinerary { line_policy, ..request(80.0) };
        return_map(&wheel(), &request, &exits, &Silent).unwrap()
    };
    let locked = share(LinePolicy::Lock);
    assert_eq!(locked.probability, 0.0);
    assert!(locked.tau_quantiles.is_none() && locked.rows.iter().all(|row| row.outcome == ExitOutcome::Locked));
    assert!(share(LinePolicy::Stick).rows.iter().all(|row| row.line_events >= 1));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let how = ExitSampled { distribution: ExitDistribution::Hazard, side_probability: 0.3, rate: 1.5 };
    let bytes = |threads: usize| {
        let pool = rayon_pool(threads);
        pool.install(|| {
            let exits = sampled(&wheel(), how, 8, 11, &Silent).unwrap();
            let request = Itinerary { line_policy: LinePolicy::Sampled, seed: 4, ..request(30.0) };
            serde_json::to_string(&return_map(&wheel(), &request, &exits, &Silent).unwrap()).unwrap()
        })
    };
    let one = bytes(1);
    assert_eq!(one, bytes(2));
    assert_eq!(one, bytes(5));
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn drawn_exits_lie_where_they_should() {
    let dynamics = wheel();
    let region = EscapingRegion::next_to_two_fold(&dynamics).unwrap();
    for distribution in [ExitDistribution::Area, ExitDistribution::Hazard] {
        let how = ExitSampled { distribution, side_probability: 0.25, rate: 3.0 };
        let exits = sampled(&dynamics, how, 60, 5, &Silent).unwrap();
        for exit in &exits {
            assert!(region.contains(&dynamics, exit.r, exit.omega), "{exit:?}");
            let (tau, _) = region.time_from_two_fold(&dynamics, exit.r, exit.omega).unwrap().unwrap();
            assert!((tau - exit.since.0).abs() < 1e-6, "{tau} {exit:?}");
        }
        let plus = exits.iter().filter(|exit| exit.side == Side::Plus).count();
        // 60 draws with probability 1/4: within four standard deviations of 15
        assert!((2..=28).contains(&plus), "{plus}");
    }
}

#[test]
fn a_tube_contains_its_members() {
    let exits = grid(&wheel(), 3, 2).unwrap();
    assert_eq!(exits.len(), 12);
    let found = ensemble(&wheel(), &request(10.0), &exits, 0.5, &Silent).unwrap();
    assert_eq!(found.members.len(), 12);
    assert_eq!(found.tube.len(), 21);
    for member in &found.members {
        for (y, envelope) in member.iter().zip(&found.tube) {
            assert!((y[3] - envelope.at).abs() < 1e-9, "{} {}", y[3], envelope.at);
            let limits = envelope.lowest.iter().zip(&envelope.highest);
            assert!(y.iter().zip(limits).all(|(y, (low, high))| y >= low && y <= high));
        }
    }
}

/// The wheel without its chart: stick in three dimensions, projected along the gradient.
struct Unprojected(Dynamics);

impl Filippov for Unprojected {
    type State = State;
    const DIMENSION: usize = 3;
    const SIGNS: usize = 1;

    fn zero(&self) -> State {
        [0.0; 5]
    }
    fn switching(&self, y: &State) -> f64 {
        self.0.switching(y)
    }
    fn gradient(&self, y: &State, gradient: &mut State) {
        self.0.gradient(y, gradient);
    }
    fn field(&self, side: Side, signs: Signs, y: &State, slope: &mut State) {
        self.0.field(side, signs, y, slope);
    }
    fn limit_field(&self, side: Side, signs: Signs, y: &State, slope: &mut State) {
        self.0.limit_field(side, signs, y, slope);
    }
    fn lie(&self, signs: Signs, y: &State) -> Lie {
        Filippov::lie(&self.0, signs, y)
    }
    fn sign_function(&self, index: usize, y: &State) -> f64 {
        self.0.sign_function(index, y)
    }
    fn scale(&self) -> f64 {
        0.02
    }
}

#[test]
fn stick_in_the_chart_and_projected_stick_agree() {
    let dynamics = wheel();
    let mut start = [0.27, 0.0, -1.25, 0.0, 0.0];
    dynamics.project(&mut start);
    let tolerance = Tolerance { relative: 1e-12, absolute: 1e-15 };
    let model = Unprojected(dynamics.clone());
    // the sum for v may leave a rounding error of h: the start is on the surface by definition
    let mode = Automaton::mode(&model, stiction::system::filippov::Phase::Sliding, Signs::default(), &start);
    let projected = Automaton::new(&model, (mode, start)).until(3, 8.0);
    let mut method = Dop853::new(&projected, tolerance);
    let finish = integrate(&projected, &mut method, Span::until(1e3), &mut ()).unwrap();
    assert_eq!(finish.stop, Stop::System);
    let run = Itinerary { start: WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Stick }, ..request(8.0) };
    let end = run.run(&dynamics).unwrap().events[0].clone();
    for (a, b) in finish.state.iter().zip([end.r, end.v, end.omega, end.tau, end.time]) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    // without known two-folds the automaton finds the same one by its certificate
    let search = Automaton::new(&model, (mode, start));
    let finish = integrate(&search, &mut Dop853::new(&search, tolerance), Span::until(1e4), &mut ()).unwrap();
    assert!((finish.state[0] - 0.1859).abs() < 1e-5 && (finish.state[2] + 1.037).abs() < 1e-4, "{:?}", finish.state);
}

fn same(tolerance: f64) -> Tolerance {
    Tolerance { relative: tolerance, absolute: tolerance }
}

fn smooth(lateral: f64) -> SmoothWheel {
    let tanh = Widths { lateral, rolling: lateral };
    SmoothWheel::new(&Wheel { regularisation: Some(Regularisation { tanh }), ..Wheel::default() }).unwrap()
}

#[test]
fn smooth_friction_tends_to_the_automaton_before_the_two_fold() {
    let start = WheelStart::Surface { r: 0.27, omega: -1.25, go: Go::Stick };
    let exact = Itinerary { start, ..request(6.0) }.run(&wheel()).unwrap().events[0].clone();
    let v = wheel().surface_v(0.27, -1.25);
    let errors: Vec<f64> = [1e-3, 1e-4, 1e-5]
        .iter()
        .map(|width| {
            let end = *smooth(*width).run([0.27, v, -1.25], (6.0, 6.0), same(1e-10), &Silent).unwrap().last().unwrap();
            (end[0] - exact.r).abs() + (end[2] - exact.omega).abs()
        })
        .collect();
    // the error of a smooth sign is of the order of its width
    assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.2 * errors[1] && errors[2] < 1e-4, "{errors:?}");
}

#[test]
fn noise_leaves_to_both_sides_and_can_be_replayed() {
    let wheel = smooth(1e-6);
    let noise = Additive { velocity: 5e-5, speed: 5e-5 };
    let v = self::wheel().surface_v(0.1862, -1.039);
    let request = NoisyRequest {
        start: [0.1862, v, -1.039],
        two_fold: 0.1859,
        threshold: 2e-5,
        step: 2e-5,
        duration_tau: 2.0,
        seed: 9,
    };
    // strong noise: weak noise follows the windings, which are larger on the plus side, and leaves there
    let exits = noisy_exits(&wheel, noise, &request, 40, &Silent).unwrap();
    assert_eq!(exits, noisy_exits(&wheel, noise, &request, 40, &Silent).unwrap());
    let alone = noisy_exits(&wheel, noise, &request, 3, &Silent).unwrap();
    assert_eq!(alone[2], exits[2]);
    let left = exits.iter().filter(|exit| exit.side != 0.0).count();
    assert!(left >= 20, "{left}: {exits:?}");
    let plus = exits.iter().filter(|exit| exit.side > 0.0).count();
    assert!(plus > 0 && plus < left, "{plus} of {left}");
    assert!(exits.iter().all(|exit| exit.delay >= 0.0 && exit.r.is_finite()));
    assert!(noisy_exits(&wheel, noise, &NoisyRequest { step: 0.0, ..request }, 1, &Silent).is_err());
}

#[test]
fn smooth_friction_of_any_width_can_be_followed() {
    let v = wheel().surface_v(0.1865, -1.0405);
    let ends: Vec<[f64; 3]> = [5e-6, 3e-6, 2e-6, 1e-6]
        .iter()
        .map(|width| {
            *smooth(*width).run([0.1865, v, -1.0405], (0.4, 0.02), same(1e-9), &Silent).unwrap().last().unwrap()
        })
        .collect();
    // before the two-fold, at 0.5 in this time, they differ by no more than a hundred widths
    for pair in ends.windows(2) {
        let apart = pair[0].iter().zip(pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 5e-4, "{ends:?}");
    }
}
