//! Questions about the wheel on a turntable: itineraries, what is not determined, and what can follow.
//!
//! | file | answers |
//! |---|---|
//! | [`itinerary`] | which events a motion meets, in order, and what was chosen where nothing is determined |
//! | [`escaping`] | the escaping region next to a two-fold: its extent, and what of it can be reached |
//! | [`exits`] | motions past a two-fold: ensembles, tubes, the return map |
//! | [`two_fold_map`] | where in (r*, ω*) a design loses determinism, with borders as curves |
//! | [`surface`] | regions of the switching surface and the motion on it |
//! | [`line_structure`] | the line of rest over r: rays, thresholds, lock |
//! | [`smooth`] | friction without jumps, and with noise |

pub mod escaping;
pub mod exits;
pub mod itinerary;
pub mod line_structure;
pub mod smooth;
pub mod surface;
pub mod two_fold_map;

pub use escaping::EscapingRegion;
pub use itinerary::{Itinerary, ItineraryRun};
