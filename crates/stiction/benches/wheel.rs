//! The wheel on a turntable: one long itinerary, the map of designs, a return map.

use divan::Bencher;
use stiction::analysis::Silent;
use stiction::analysis::wheel::exits::{return_map, sampled};
use stiction::analysis::wheel::itinerary::{ExitDistribution, ExitSampled, ExitSide, Itinerary, WheelStart};
use stiction::analysis::wheel::line_structure::thresholds;
use stiction::analysis::wheel::two_fold_map::{Convention, Plane, TwoFoldMap};
use stiction::system::Wheel;

fn main() {
    divan::main();
}

/// 204 events at a relative tolerance of 1e-12, half of them on the line of rest.
#[divan::bench(sample_count = 20)]
fn itinerary_of_200_events(bencher: Bencher<'_, '_>) {
    let dynamics = Wheel::default().dynamics().unwrap();
    let start = WheelStart::Exit { position_fraction: 0.9, height_fraction: 0.3, side: ExitSide::Plus };
    let request = Itinerary { start, duration_tau: Some(60.0), ..Itinerary::default() };
    assert_eq!(request.run(&dynamics).unwrap().events.len(), 204);
    bencher.bench(|| request.run(&dynamics).unwrap().events.len());
}

/// All conditions on 400 x 400 designs, and their borders as curves.
#[divan::bench(sample_count = 5)]
fn map_of_designs() -> usize {
    let map = TwoFoldMap::new(&Wheel::default(), Convention::Positive);
    let plane = Plane { positions: (-0.6, 0.8), speeds: (-2.2, 0.2), columns: 400, rows: 400 };
    map.grid(&plane).len() + map.border_curves(&plane).len()
}

/// A hundred exits by area, each followed back to the two-fold (about 245 events): a tenth of a full return map.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn return_map_of_100_exits() -> f64 {
    let dynamics = Wheel::default().dynamics().unwrap();
    let how = ExitSampled { distribution: ExitDistribution::Area, side_probability: 0.5, rate: 1.0 };
    let exits = sampled(&dynamics, how, 100, 1, &Silent).unwrap();
    let request = Itinerary { duration_tau: Some(300.0), ..Itinerary::default() };
    return_map(&dynamics, &request, &exits, &Silent).unwrap().probability
}

/// The structure of the line of rest over r.
#[divan::bench(sample_count = 20)]
fn structure_of_the_line(bencher: Bencher<'_, '_>) {
    let dynamics = Wheel::default().dynamics().unwrap();
    bencher.bench(|| thresholds(&dynamics, (-0.4, 1.0), 700).len());
}
