//! Another choice of units: every number of a scenario and of its answer is multiplied by the factor of its unit.
//!
//! The units come from the descriptions of the keys and from the quantities themselves, so that a wrong one shows up, too.

use stiction_lab::scenario::unit_of_key;
use toml::{Table, Value};

/// How many new units make an old one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Units {
    pub(crate) mass: f64,
    pub(crate) length: f64,
    pub(crate) time: f64,
}

impl Units {
    /// The factors of the entries of a list with units such as `m, m/s, rad/s per τ`: the last word counts for all.
    pub(crate) fn factors(&self, unit: &str) -> Option<Vec<f64>> {
        let (units, rate) = unit
            .split_once(" per ")
            .map_or((unit, 1.0), |(units, time)| (units, self.factor(time).unwrap_or(f64::NAN)));
        let factors = units.split(", ").map(|unit| Some(self.factor(unit)? / rate));
        factors.collect::<Option<Vec<f64>>>().filter(|_| !rate.is_nan())
    }

    /// The factor of a unit such as `N s/m` or `s/(kg m²)`; none if it is not made of SI units.
    fn factor(&self, unit: &str) -> Option<f64> {
        if let Some((unit, time)) = unit.split_once(" per ") {
            return Some(self.factor(unit)? / self.factor(time)?);
        }
        let mut factor = 1.0;
        let mut sign = 1;
        let mut inside = false;
        let spaced = unit.replace('/', " / ").replace('(', " ( ").replace(')', " ) ");
        for word in spaced.split_whitespace() {
            match word {
                "/" => sign = -1,
                "(" => inside = true,
                ")" => (inside, sign) = (false, 1),
                word => {
                    factor *= self.power(word)?.powi(sign);
                    sign = if inside { sign } else { 1 };
                }
            }
        }
        Some(factor)
    }

    /// The factor of one symbol with its exponent.
    fn power(&self, word: &str) -> Option<f64> {
        let exponent = match word.chars().last()? {
            '²' => 2,
            '³' => 3,
            '⁴' => 4,
            _ => 1,
        };
        if let Some(square) = word.strip_prefix('√') {
            return self.power(square).map(f64::sqrt);
        }
        let symbol = word.trim_end_matches(['²', '³', '⁴']);
        let Self { mass, length, time } = *self;
        let newton = mass * length / (time * time);
        let one = match symbol {
            "kg" => mass,
            "m" => length,
            "s" => time,
            "N" => newton,
            "J" => newton * length,
            "W" => newton * length / time,
            "Pa" => newton / (length * length),
            "Hz" => 1.0 / time,
            // the wheel's rescaled time
            "τ" => time / (mass * length * length),
            "rad" | "1" | "-" | "deg" => 1.0,
            _ => return None,
        };
        Some(one.powi(exponent))
    }

    /// The same scenario in the new units; none if a number has a unit that is not understood, or none that is stated.
    pub(crate) fn scenario(&self, scenario: &Table) -> Option<Table> {
        let mut scaled = scenario.clone();
        let mechanism = scenario.get("system")?.as_table()?.keys().next()?.clone();
        for part in ["system", "study", "solver", "campaign"] {
            if let Some(value) = scaled.get_mut(part) {
                self.value(value, part, &mechanism)?;
            }
        }
        Some(scaled)
    }

    /// Every number below by the same factor.
    fn all(&self, value: &mut Value, factor: f64) {
        match value {
            Value::Float(number) => *number *= factor,
            Value::Array(items) => items.iter_mut().for_each(|item| self.all(item, factor)),
            Value::Table(table) => table.iter_mut().for_each(|(_, value)| self.all(value, factor)),
            _ => {}
        }
    }

    fn value(&self, value: &mut Value, path: &str, mechanism: &str) -> Option<()> {
        match value {
            Value::Float(number) => *number *= self.factor(&unit_of_key(path))?,
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.value(item, &format!("{path}.{index}"), mechanism)?;
                }
            }
            Value::Table(table) => {
                // a range or a distribution of a parameter has the unit of the parameter
                let parameter = ["parameter", "along", "key"].iter().find_map(|key| table.get(*key)?.as_str());
                let whole = |key: &str| key.starts_with("system.") || key.starts_with("study.");
                let parameter = parameter.map(|key| match whole(key) {
                    true => key.to_owned(),
                    false => format!("system.{mechanism}.{key}"),
                });
                for (key, below) in table.iter_mut() {
                    let own = format!("{path}.{key}");
                    match (key.as_str(), &parameter) {
                        ("from" | "to", Some(parameter)) => self.value(below, parameter, mechanism)?,
                        ("distribution" | "values", Some(parameter)) => {
                            self.all(below, self.factor(&unit_of_key(parameter))?);
                        }
                        // names of parameters and their values
                        _ if path.ends_with(".set") => {
                            self.value(below, &format!("system.{mechanism}.{key}"), mechanism)?;
                        }
                        _ => self.value(below, &own, mechanism)?,
                    }
                }
            }
            _ => {}
        }
        Some(())
    }
}
