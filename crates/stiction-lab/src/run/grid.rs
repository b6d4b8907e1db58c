//! From the number of an item to the scenario that it asks.
//!
//! Item i is realisation i / points at point i mod points: all points have their first realisation before any has its second,
//! so that running means grow everywhere together.

use crate::campaign::{Campaign, Combine, Given};
use crate::scenario::Scenario;
use serde_json::Value as Json;
use stiction::keys::KeyPath;
use stiction::num::purpose::{Germ, Purpose};

/// The items of a campaign.
#[derive(Debug, Clone)]
pub(super) struct Grid<'a> {
    campaign: &'a Campaign,
    /// The scenario without campaign, pictures and claims.
    base: Scenario,
    tree: Json,
    paths: Vec<KeyPath>,
    points: u64,
}

/// The seed of a realisation: that of the scenario for realisation 0, otherwise 63 bits of the stream of the scenario's seed
/// that belongs to the realisation (TOML has no larger whole numbers).
pub fn seed_of(seed: u64, realisation: u64) -> u64 {
    if realisation == 0 {
        return seed;
    }
    let mut word = [0];
    Germ::new(seed, realisation).stream(Purpose::CampaignSeeds).fill_words(&mut word);
    word[0] >> 1
}

impl<'a> Grid<'a> {
    pub(super) fn new(scenario: &Scenario, campaign: &'a Campaign) -> Result<Self, serde_json::Error> {
        let mut base = scenario.clone();
        (base.campaign, base.figure, base.claim, base.input) = (None, Vec::new(), Vec::new(), Vec::new());
        let tree = serde_json::to_value(&base)?;
        let paths = campaign.keys().map(KeyPath::from).collect();
        Ok(Self { campaign, base, tree, paths, points: campaign.points().max(1) })
    }

    pub(super) fn seed(&self) -> u64 {
        self.base.seed
    }

    pub(super) fn points(&self) -> u64 {
        self.points
    }

    /// Number of keys that vary from point to point.
    pub(super) fn varying(&self) -> usize {
        self.campaign.vary.len()
    }

    pub(super) fn realisation(&self, item: u64) -> u64 {
        item / self.points
    }

    pub(super) fn point(&self, item: u64) -> u64 {
        item % self.points
    }

    /// The values of all keys of an item, in their order.
    pub(super) fn values(&self, item: u64) -> Vec<Given> {
        let mut values = self.varied(self.point(item));
        values.extend(self.campaign.drawn(self.base.seed, self.realisation(item)));
        values
    }

    /// The values of the keys that vary at a point, in their order.
    pub(super) fn varied(&self, point: u64) -> Vec<Given> {
        let mut rest = point;
        let mut values: Vec<Given> = Vec::new();
        for vary in self.campaign.vary.iter().rev() {
            let count = vary.count().max(1);
            match self.campaign.combine {
                Combine::Grid => {
                    values.push(vary.value(rest % count));
                    rest /= count;
                }
                Combine::List => values.push(vary.value(point)),
            }
        }
        values.reverse();
        values
    }

    /// The scenario of an item, or what is wrong with its values.
    pub(super) fn scenario(&self, item: u64) -> Result<Scenario, String> {
        let seed = seed_of(self.base.seed, self.realisation(item));
        if self.paths.is_empty() {
            return Ok(Scenario { seed, ..self.base.clone() });
        }
        let mut tree = self.tree.clone();
        KeyPath::from("seed").put(&mut tree, seed.into());
        for (path, value) in self.paths.iter().zip(self.values(item)) {
            let value = fitting(path.get(&tree), value.json());
            path.put(&mut tree, value);
        }
        let mut scenario: Scenario = serde_json::from_value(tree).map_err(|error| error.to_string())?;
        scenario.memory = self.base.memory.clone();
        match scenario.problems().into_iter().next() {
            Some(problem) => Err(format!("{}: {}", problem.key, problem.message)),
            None => Ok(scenario),
        }
    }
}

/// The value in the form of the one before it: a whole number stays one where there was one.
fn fitting(before: Option<&Json>, value: Json) -> Json {
    let whole = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
    match whole {
        // a key that was not given may be one of whole numbers, and a whole number fits both kinds
        Some(whole) if before.is_none_or(|before| before.is_u64() || before.is_i64()) => Json::from(whole as i64),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Size, Source, read};

    fn campaign(text: &str) -> Scenario {
        let base = crate::scenario::builtin("elmer1997/coulomb").unwrap().text;
        read(Source::new("t", format!("{base}\n{text}")), &[], Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    #[test]
    fn every_point_comes_once_and_the_last_key_varies_fastest() {
        let scenario = campaign(
            "[campaign]\nrealisations = 2\n[[campaign.vary]]\nkey = \"system.spring_block.mass\"\nvalues = [1, 2.5]\n\
             [[campaign.vary]]\nkey = \"system.spring_block.drive_speed\"\nfrom = 0.1\nto = 0.4\npoints = 3\nscale = \"log\"\n",
        );
        let grid = Grid::new(&scenario, scenario.campaign.as_ref().unwrap()).unwrap();
        assert_eq!((grid.points(), scenario.campaign.as_ref().unwrap().items()), (6, 12));
        let told: Vec<(String, String)> =
            (0..6).map(|point| grid.values(point)).map(|values| (values[0].word(), values[1].word())).collect();
        let expected = [("1", "0.1"), ("1", "0.2"), ("1", "0.4"), ("2.5", "0.1"), ("2.5", "0.2"), ("2.5", "0.4")];
        assert_eq!(told, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        let item = grid.scenario(10).unwrap();
        let system = serde_json::to_value(&item.system).unwrap();
        assert_eq!(
            (&system["spring_block"]["mass"], &system["spring_block"]["drive_speed"]),
            (&2.5.into(), &0.2.into())
        );
        assert_eq!((item.seed, item.campaign.is_none(), item.figure.len()), (seed_of(1, 1), true, 0));
        assert_eq!((grid.scenario(4).unwrap().seed, grid.scenario(11).unwrap().seed), (1, seed_of(1, 1)));
    }

    #[test]
    fn seeds_are_different_fit_toml_and_never_change() {
        let seeds: Vec<u64> = (0..1000).map(|realisation| seed_of(1, realisation)).collect();
        let mut sorted = seeds.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 1000);
        assert!(seeds.iter().all(|seed| i64::try_from(*seed).is_ok()));
        assert_ne!(seed_of(1, 7), seed_of(2, 7));
    }

    #[test]
    fn a_whole_number_stays_whole() {
        let (whole, real) = (Json::from(3), Json::from(1.0));
        assert_eq!(fitting(Some(&whole), 5.0.into()), Json::from(5));
        assert_eq!(fitting(Some(&real), 2.0.into()), Json::from(2.0));
        assert_eq!(fitting(None, 2.0.into()), Json::from(2));
        assert_eq!(fitting(None, true.into()), Json::from(true));
    }
}
