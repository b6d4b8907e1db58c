//! Ageing: how the static coefficient grows with the time at rest.

/// What a mechanism asks of an ageing law: the growth of the static coefficient since the contact came to rest.
pub trait AgingLaw {
    /// Growth of the static coefficient after resting for `time` [s], `time >= 0`; zero at zero [-].
    fn growth(&self, time: f64) -> f64;
    /// Rate of growth after resting for `time` [1/s].
    fn growth_rate(&self, time: f64) -> f64;
}
