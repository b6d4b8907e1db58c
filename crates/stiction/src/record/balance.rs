//! The balance of energy along a motion: a check that knows nothing of how the motion was computed.

use super::watch::{StretchView, Watcher};
use crate::integrate::Flow;
use crate::num::gauss::Rule;

/// Nodes of a piece of a stretch.
const NODES: usize = 10;

/// Most pieces of a stretch; longer ones are phases in closed form in which nothing happens any more.
const MOST_PIECES: f64 = 1e4;

/// Adds up what drives supply and what friction and dampers take, and compares it with what is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct EnergyBalance {
    rule: Rule,
    unit: f64,
    /// Stored energy at the start and now \[J\]; none if the system has no balance of energy.
    pub(crate) stored: Option<[f64; 2]>,
    /// Work of drives and forces \[J\].
    pub(crate) supplied: f64,
    /// What friction and dampers took \[J\].
    pub(crate) lost: f64,
}

impl EnergyBalance {
    /// For a motion whose powers vary within times of about `unit` \[s\].
    pub(crate) fn new(unit: f64) -> Self {
        Self { rule: Rule::gauss_legendre(NODES), unit, stored: None, supplied: 0.0, lost: 0.0 }
    }

    /// |gain − supplied + lost| over the largest of the terms [-], 0 if all of them vanish; none if the system has no balance of
    /// energy.
    pub fn residual(&self) -> Option<f64> {
        let [start, end] = self.stored?;
        let terms = [start, end, self.supplied, self.lost];
        let largest = terms.into_iter().fold(0.0, |most: f64, term| most.max(term.abs()));
        let missing = (end - start - self.supplied + self.lost).abs();
        missing.is_finite().then(|| if largest > 0.0 { missing / largest } else { 0.0 })
    }
}

impl Watcher for EnergyBalance {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        let (first, last) = ((stretch.energy)(stretch.from), (stretch.energy)(stretch.to));
        let (Some(first), Some(last)) = (first, last) else { return Flow::Continue };
        self.stored = Some([self.stored.map_or(first.stored, |[start, _]| start), last.stored]);
        let pieces = ((stretch.to - stretch.from) / self.unit).ceil().clamp(1.0, MOST_PIECES);
        let length = (stretch.to - stretch.from) / pieces;
        for piece in 0..pieces as usize {
            let start = stretch.from + piece as f64 * length;
            for (time, weight) in self.rule.on(start, start + length) {
                if let Some(energy) = (stretch.energy)(time) {
                    self.supplied += weight * energy.supplied;
                    self.lost += weight * energy.lost;
                }
            }
        }
        Flow::Continue
    }
}
