//! What random numbers are drawn for.
//!
//! Every realisation has one stream of random numbers for each purpose, and each is a function of (seed, realisation,
//! purpose) alone. The numbers of the purposes are a contract: they never change, so that a seed gives the same field in
//! every version. The numbers drawn are the germ of the realisation.

use crate::num::random::Stream;

/// What a stream of random numbers is for; the number in brackets tells several of a kind apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A parameter that is drawn from a distribution, by its place in the list of parameters.
    Parameter(u32),
    /// The noise of a random field.
    Field(u32),
    /// The random constant that the `cutoff` generator adds to its field.
    FieldConstant(u32),
    /// Where a motion starts.
    InitialState(u32),
    /// A choice where the mechanics leave several ways open.
    Policy(u32),
}

impl Purpose {
    /// The number of the purpose: its kind in the upper, its index in the lower half.
    pub fn number(self) -> u64 {
        let (kind, index) = match self {
            Purpose::Parameter(index) => (0_u64, index),
            Purpose::Field(index) => (1, index),
            Purpose::FieldConstant(index) => (2, index),
            Purpose::InitialState(index) => (3, index),
            Purpose::Policy(index) => (4, index),
        };
        kind << 32 | u64::from(index)
    }
}

/// Where all random numbers of one realisation come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Germ {
    /// Seed of the whole study.
    pub seed: u64,
    /// Index of the realisation.
    pub realisation: u64,
    /// Whether realisation 2i + 1 uses the negated noise of 2i.
    pub antithetic: bool,
}

impl Germ {
    /// The germ of an independent realisation.
    pub fn new(seed: u64, realisation: u64) -> Self {
        Self { seed, realisation, antithetic: false }
    }

    /// The germ of one realisation of an antithetic pair: (0, 1), (2, 3), and so on.
    pub fn antithetic(seed: u64, realisation: u64) -> Self {
        Self { seed, realisation, antithetic: true }
    }

    /// The random numbers for this purpose; those of both partners of an antithetic pair are the same, see [`Germ::sign`].
    pub fn stream(&self, purpose: Purpose) -> Stream {
        let realisation = if self.antithetic { self.realisation & !1 } else { self.realisation };
        Stream::new(self.seed, realisation, purpose.number())
    }

    /// The factor of all normal numbers [-]: −1 for the second partner of an antithetic pair, else 1.
    pub fn sign(&self) -> f64 {
        if self.antithetic && self.realisation & 1 == 1 { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_keep_their_numbers() {
        let numbers = [
            Purpose::Parameter(3),
            Purpose::Field(0),
            Purpose::FieldConstant(0),
            Purpose::InitialState(7),
            Purpose::Policy(0),
        ]
        .map(Purpose::number);
        assert_eq!(numbers, [3, 0x1_0000_0000, 0x2_0000_0000, 0x3_0000_0007, 0x4_0000_0000]);
    }

    #[test]
    fn partners_share_their_numbers_and_differ_in_sign() {
        let draw = |germ: Germ| germ.sign() * germ.stream(Purpose::Field(0)).normal();
        assert_eq!(draw(Germ::antithetic(5, 6)), -draw(Germ::antithetic(5, 7)));
        assert_eq!(draw(Germ::antithetic(5, 6)), draw(Germ::new(5, 6)));
        assert_ne!(draw(Germ::antithetic(5, 8)).abs(), draw(Germ::antithetic(5, 6)).abs());
    }
}
