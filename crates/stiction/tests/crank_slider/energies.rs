//! Energies of many realisations of the crank: the table of the sliding work against one integration each.

use stiction::analysis::crank_slider::{
    CrankRow, Realisation, Statistics, Status, WorkTable, direct_energies, energies, moment_matched, run, table_for,
};
use stiction::analysis::{AnalysisError, Cancelled, Progress, Silent};
use stiction::integrate::Solver;
use stiction::system::CrankSlider;
use stiction::system::crank_slider::NormalForcePolicy;

const DURATION: f64 = 2.0;

fn paper(policy: NormalForcePolicy) -> CrankSlider {
    CrankSlider { normal_force_policy: policy, ..CrankSlider::default() }
}

fn realisation(mean_coefficient: f64, torque_coefficient: f64) -> Realisation {
    Realisation { mean_coefficient, torque_coefficient }
}

fn collapsed(crank: &CrankSlider, realisations: &[Realisation]) -> (WorkTable, Vec<CrankRow>) {
    let table = table_for(crank, realisations, DURATION, &Solver::default(), &Silent).unwrap();
    let rows = energies(&table, realisations, &Silent).unwrap();
    (table, rows)
}

#[test]
fn the_collapse_agrees_with_direct_runs_for_every_policy() {
    // the first wide enough to have runs that stick among them
    let (wide, narrow) = (moment_matched(0.9, 0.3, 0.05, 150, 11), moment_matched(0.5, 0.04, 0.01, 100, 12));
    for policy in NormalForcePolicy::ALL {
        let crank = paper(policy);
        let realisations = if policy == NormalForcePolicy::Bilateral { &wide } else { &narrow };
        let (table, quick) = collapsed(&crank, realisations);
        // cells around kinks have no polynomial; few samples notice
        assert!(table.unresolved() < 1e-3, "{}: {:e}", policy.name(), table.unresolved());
        let direct = direct_energies(&crank, realisations, DURATION, &Solver::default(), &Silent).unwrap();
        for (quick, direct) in quick.iter().zip(&direct) {
            assert_eq!(quick.realisation, direct.realisation);
            let (quick, direct) = (quick.energies.as_ref().unwrap(), direct.energies.as_ref().unwrap());
            assert_eq!(quick.status.name(), direct.status.name());
            let total = direct.bottom + direct.side;
            for (a, b) in [(quick.bottom, direct.bottom), (quick.side, direct.side), (quick.lifted, direct.lifted)] {
                assert!((a - b).abs() < 1e-8 * total, "{}: {a} instead of {b}", policy.name());
            }
            let (a, b) = (quick.status.time().unwrap_or(0.0), direct.status.time().unwrap_or(0.0));
            assert!((a - b).abs() < 1e-8, "{}: {a} instead of {b}", policy.name());
        }
        let stuck = Statistics::of(&quick).stuck_times.len();
        assert!(policy != NormalForcePolicy::Bilateral || stuck > 10, "only {stuck} stick");
    }
}

#[test]
fn a_row_is_the_run_with_its_numbers() {
    let realisations = [realisation(0.4, -0.03), realisation(0.6, 0.01)];
    let (_, rows) = collapsed(&CrankSlider::default(), &realisations);
    for row in rows {
        let Realisation { mean_coefficient, torque_coefficient } = row.realisation;
        let run =
            run(&CrankSlider::default(), mean_coefficient, torque_coefficient, DURATION, &Solver::default()).unwrap();
        let energies = row.energies.unwrap();
        assert!((energies.bottom / run.bottom_energy - 1.0).abs() < 1e-8);
        assert!((energies.side / run.side_energy - 1.0).abs() < 1e-8);
        assert!((energies.lifted / run.lifted_energy - 1.0).abs() < 1e-7);
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let realisations = moment_matched(0.5, 0.02, 0.01, 120, 3);
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (_, quick) = collapsed(&CrankSlider::default(), &realisations);
            let crank = CrankSlider::default();
            let direct = direct_energies(&crank, &realisations[..20], DURATION, &Solver::default(), &Silent).unwrap();
            let all = quick.iter().chain(&direct).map(|row| row.energies.clone().unwrap());
            all.map(|e| [e.bottom.to_bits(), e.side.to_bits(), e.lifted.to_bits()]).collect::<Vec<_>>()
        })
    };
    assert_eq!(bits(1), bits(3));
}

#[test]
fn a_field_without_spread_gives_the_deterministic_run_and_no_side_energy() {
    let realisations = moment_matched(0.5, 0.0, 0.0, 20, 1);
    let (table, rows) = collapsed(&CrankSlider::default(), &realisations);
    assert_eq!(table.runs(), 1);
    let expected = run(&CrankSlider::default(), 0.5, 0.0, DURATION, &Solver::default()).unwrap();
    let statistics = Statistics::of(&rows);
    let (bottom, side) = (statistics.bottom.unwrap(), statistics.side.unwrap());
    assert!((bottom.mean / expected.bottom_energy - 1.0).abs() < 1e-10);
    assert!(bottom.standard_deviation.unwrap() < 1e-12 && side.largest() == 0.0);
}

#[test]
fn no_realisation_is_lost() {
    let realisations = [
        realisation(1.1, 0.0),
        realisation(f64::NAN, 0.0),
        realisation(1.2, 0.0),
        realisation(-0.1, 0.0),
        realisation(1.05, 0.02),
    ];
    let (_, rows) = collapsed(&CrankSlider::default(), &realisations);
    let words: Vec<&str> = rows.iter().map(CrankRow::status).collect();
    assert_eq!(words, ["completed", "failed", "stuck", "failed", "completed"]);
    assert!(rows[1].energies.as_ref().unwrap_err().to_string().starts_with("mean_coefficient"));
    let statistics = Statistics::of(&rows);
    assert_eq!((statistics.count, statistics.completed, statistics.failed), (5, 2, 2));
    assert_eq!(statistics.stuck_times.len(), 1);
    // a slider that sticks has its final energies
    assert_eq!(statistics.bottom.unwrap().count(), 3);

    // lift-off everywhere: counted with their times, but without final energies
    let direct = |crank: &CrankSlider, realisations: &[Realisation]| {
        direct_energies(crank, realisations, DURATION, &Solver::default(), &Silent).unwrap()
    };
    let rows = direct(&paper(NormalForcePolicy::Unilateral), &[realisation(0.4, 0.0), realisation(0.5, 0.01)]);
    let statistics = Statistics::of(&rows);
    assert_eq!((statistics.lift_off_times.len(), statistics.bottom), (2, None));

    // a long crank jams where its friction has no single answer; the short one of the paper never does
    let long = CrankSlider { crank_radius: 0.48, ..CrankSlider::default() };
    let rows = direct(&long, &[realisation(0.1, 0.0), realisation(0.8, 0.0), realisation(0.85, 0.0)]);
    let statistics = Statistics::of(&rows);
    assert_eq!((statistics.completed, statistics.indeterminate_times.len()), (1, 2));
    let Ok(Status::Indeterminate { time, coefficient, .. }) = rows[1].energies.as_ref().map(|e| e.status) else {
        panic!()
    };
    assert!((time - 0.246_014_191_360_079_88).abs() < 1e-10 && coefficient == 0.8);
}

#[test]
fn outside_its_range_the_table_integrates() {
    let table = WorkTable::over(&CrankSlider::default(), (0.45, 0.55), DURATION, &Solver::default(), &Silent).unwrap();
    assert_eq!(table.range(), (0.45, 0.55));
    assert_eq!(
        (table.interpolated(0.449), table.interpolated(0.551), table.interpolated(f64::NAN)),
        (None, None, None)
    );
    let outside = table.outcome(1.0, &Silent).unwrap();
    assert!((outside.work / 11.350_358_078_118_841 - 1.0).abs() < 1e-10);
    assert!(table.outcome(f64::NAN, &Silent).is_err() && table.outcome(-1.0, &Silent).is_err());
}

#[test]
fn the_table_meets_the_reference() {
    let table = WorkTable::over(&CrankSlider::default(), (0.2, 1.2), DURATION, &Solver::default(), &Silent).unwrap();
    for (c, work) in [
        (0.2, 50.399_889_979_720_45),
        (0.35, 35.165_756_527_246_5),
        (0.5, 25.200_306_597_584_433),
        (0.6, 21.402_219_673_551_073),
        (0.8, 15.457_344_311_168_52),
        (1.0, 11.350_358_078_118_841),
        (1.2, 8.795_508_535_534_829),
    ] {
        let found = table.interpolated(c).unwrap();
        assert!((found.work / work - 1.0).abs() < 1e-8, "c = {c}: {found:?}");
    }
}

#[test]
fn matched_realisations_have_the_moments_asked_for() {
    let count = 20_000;
    let realisations = moment_matched(0.5, 0.1, 0.03, count, 5);
    let moment = |value: fn(&Realisation) -> f64| {
        let mean = realisations.iter().map(value).sum::<f64>() / count as f64;
        let variance = realisations.iter().map(|r| (value(r) - mean).powi(2)).sum::<f64>() / count as f64;
        (mean, variance.sqrt())
    };
    let (mean, deviation) = moment(|r| r.mean_coefficient);
    // five standard errors: σ/√n of the mean, about σ/√(2n) of the deviation
    let error = 5.0 / (count as f64).sqrt();
    assert!((mean - 0.5).abs() < 0.1 * error && (deviation - 0.1).abs() < 0.1 * error);
    let (mean, deviation) = moment(|r| r.torque_coefficient);
    assert!(mean.abs() < 0.03 * error && (deviation - 0.03).abs() < 0.03 * error);
    // the first of many are the few
    assert_eq!(realisations[..7], moment_matched(0.5, 0.1, 0.03, 7, 5)[..]);
}

#[test]
fn sets_of_fifty_have_their_largest_shares() {
    let realisations = moment_matched(0.5, 0.02, 0.01, 120, 2);
    let (_, rows) = collapsed(&CrankSlider::default(), &realisations);
    let largest = Statistics::largest_shares(&rows, 50);
    assert_eq!(largest.len(), 2);
    let share = |r: &Realisation| {
        let side = 0.5 * r.torque_coefficient.abs() / 0.3;
        side / (r.mean_coefficient + side)
    };
    let expected = realisations[..50].iter().map(share).fold(0.0, f64::max);
    assert!((largest[0] - expected).abs() < 1e-12);
}

#[test]
fn a_table_stops_on_request() {
    struct Impatient;
    impl Progress for Impatient {
        fn begin(&self, _what: &str, _items: u64) {}
        fn advance(&self, _items: u64) {}
        fn cancelled(&self) -> bool {
            true
        }
    }
    let realisations = moment_matched(0.5, 0.1, 0.03, 5, 5);
    let stopped = table_for(&CrankSlider::default(), &realisations, DURATION, &Solver::default(), &Impatient);
    assert_eq!(stopped.unwrap_err(), AnalysisError::Cancelled(Cancelled));
}
