//! Equilibria and eigenvalues of two discs over loads and speeds.

use crate::measure::{fastest, line};
use serde_json::json;
use stiction::analysis::Silent;
use stiction::analysis::two_disc::{Class, Linearisation, stability_map};
use stiction::system::two_disc::TwoDisc;

pub(crate) fn lines() {
    let loads: Vec<f64> = (1..=100).map(f64::from).collect();
    let speeds: Vec<f64> = (1..=100).map(|i| 0.1 * f64::from(i)).collect();
    let family = |load: f64, speed: f64| Ok(TwoDisc::new(load, speed));
    let (map, seconds) =
        fastest(5, || stability_map(&family, &loads, &speeds, Linearisation::Reduced, &Silent).expect("a map"));
    let count = |class: Class| map.cells.iter().filter(|cell| cell.class == class).count();
    let (stable, unstable) = (count(Class::Stable), count(Class::Unstable));
    let growths = map.cells.iter().filter_map(|cell| cell.growth);
    let keys = json!({
        "grid": [loads.len(), speeds.len()], "cpu_per_point": seconds / map.cells.len() as f64, "converged": stable + unstable,
        "stable": stable, "unstable": unstable, "lam_sum": growths.map(|growth| growth.clamp(-1.0, 1.0)).sum::<f64>(),
    });
    line("P5", "stiction", seconds, keys);
}
