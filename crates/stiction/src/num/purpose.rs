//! What random numbers are drawn for.
//!
//! Every realisation has one stream of random numbers for each purpose, and each is a function of (seed, realisation,
//! purpose) alone. The numbers of the purposes are a contract: they never change, so that a seed gives the same field in
//! every version. The numbers drawn are the germ of the realisation.

use super::random::Stream;

/// What a stream of random numbers is for: the one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A parameter that is drawn from a distribution, by its place in the list of parameters.
    Parameter(u32),
    /// The noise of a random field.
    Field,
    /// The random constant that the `cutoff` generator adds to its field.
    FieldConstant,
    /// Coordinates of an interval field.
    Coordinates,
    /// White noise on the smooth motion of a wheel.
    MotionNoise,
    /// The way out of a line of the wheel's surface where several are open.
    LineChoice,
    /// Where an itinerary leaves the escaping region.
    ItineraryExit,
    /// Where a motion of an ensemble leaves the escaping region.
    EnsembleExit,
    /// Seeds of the realisations of a campaign.
    CampaignSeeds,
}

impl Purpose {
    /// The number of the purpose. A new one is a kind of its own in the upper half: 3 and 4 were given away once, those below
    /// 2³² are older than the rule.
    pub(crate) fn number(self) -> u64 {
        match self {
            Purpose::Parameter(index) => u64::from(index),
            Purpose::Field => 1 << 32,
            Purpose::FieldConstant => 2 << 32,
            Purpose::Coordinates => 0x6469_7363,
            Purpose::MotionNoise => 0x6e6f_6973,
            Purpose::LineChoice => 0x6c69_6e65,
            Purpose::ItineraryExit => 0x6578_6974,
            Purpose::EnsembleExit => 0x6472_6177,
            Purpose::CampaignSeeds => u64::from_le_bytes(*b"campaign"),
        }
    }
}

/// Where all random numbers of one realisation come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Germ {
    /// Seed of the whole study.
    pub(crate) seed: u64,
    /// Index of the realisation.
    pub(crate) realisation: u64,
    /// Whether realisation 2i + 1 uses the negated noise of 2i.
    pub(crate) antithetic: bool,
}

impl Germ {
    /// The germ of an independent realisation.
    pub fn new(seed: u64, realisation: u64) -> Self {
        Self { seed, realisation, antithetic: false }
    }

    /// The germ of one realisation of an antithetic pair: (0, 1), (2, 3), and so on.
    pub(crate) fn antithetic(seed: u64, realisation: u64) -> Self {
        Self { seed, realisation, antithetic: true }
    }

    /// The random numbers for this purpose; those of both partners of an antithetic pair are the same, see `Germ::sign`.
    pub fn stream(&self, purpose: Purpose) -> Stream {
        let realisation = if self.antithetic { self.realisation & !1 } else { self.realisation };
        Stream::new(self.seed, realisation, purpose.number())
    }

    /// The factor of all normal numbers [-]: −1 for the second partner of an antithetic pair, else 1.
    pub(crate) fn sign(&self) -> f64 {
        if self.antithetic && self.realisation & 1 == 1 { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_keep_their_numbers() {
        let numbers = [
            (Purpose::Parameter(3), 3),
            (Purpose::Field, 0x1_0000_0000),
            (Purpose::FieldConstant, 0x2_0000_0000),
            (Purpose::Coordinates, 0x6469_7363),
            (Purpose::MotionNoise, 0x6e6f_6973),
            (Purpose::LineChoice, 0x6c69_6e65),
            (Purpose::ItineraryExit, 0x6578_6974),
            (Purpose::EnsembleExit, 0x6472_6177),
            (Purpose::CampaignSeeds, 0x6e67_6961_706d_6163),
        ];
        for (purpose, number) in numbers {
            assert_eq!(purpose.number(), number, "{purpose:?}");
        }
    }

    #[test]
    fn partners_share_their_numbers_and_differ_in_sign() {
        let draw = |germ: Germ| germ.sign() * germ.stream(Purpose::Field).normal();
        assert_eq!(draw(Germ::antithetic(5, 6)), -draw(Germ::antithetic(5, 7)));
        assert_eq!(draw(Germ::antithetic(5, 6)), draw(Germ::new(5, 6)));
        assert_ne!(draw(Germ::antithetic(5, 8)).abs(), draw(Germ::antithetic(5, 6)).abs());
    }
}
