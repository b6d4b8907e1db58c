//! Answers as JSON: numbers with all their digits, nothing made up for those that do not exist.

use super::{Outcome, Table, Value};
use serde_json::{Map, Value as Json};

/// Most events in `summary.json`; a longer list is in the table `events`.
pub const MOST_EVENTS: usize = 1000;

/// Name of the table with all events.
pub(crate) const EVENTS: &str = "events";

/// An outcome as JSON, part by part.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeJson {
    /// Name to number, word, flag, list or null.
    pub quantities: Map<String, Json>,
    /// Name to unit.
    pub units: Map<String, Json>,
    /// One object an event, of the first [`MOST_EVENTS`].
    pub events: Vec<Json>,
    /// The warnings, and one more for every quantity or kind of event that holds a number that is not finite.
    pub warnings: Vec<String>,
    /// Name of a table to its description, number of rows and columns with unit and label.
    pub tables: Map<String, Json>,
}

impl Outcome {
    /// The outcome as JSON. A number that is not finite is null, and a warning names it.
    pub fn to_json(&self) -> OutcomeJson {
        let mut warnings = self.warnings.clone();
        let (mut quantities, mut units) = (Map::new(), Map::new());
        for quantity in &self.quantities {
            let mut lost = Vec::new();
            quantities.insert(quantity.name.clone(), value_json(&quantity.value, &mut lost));
            units.insert(quantity.name.clone(), Json::String(quantity.unit.clone()));
            warnings.extend(warning(&format!("quantity `{}`", quantity.name), &lost));
        }
        let mut lost_in_events: Vec<(String, Vec<f64>)> = Vec::new();
        let mut events = Vec::new();
        for event in &self.events {
            let mut object = Map::new();
            for (name, value) in event {
                let mut lost = Vec::new();
                object.insert(name.clone(), value_json(value, &mut lost));
                match lost_in_events.iter_mut().find(|(known, _)| known == name) {
                    Some((_, all)) => all.extend(lost),
                    None if lost.is_empty() => {}
                    None => lost_in_events.push((name.clone(), lost)),
                }
            }
            if events.len() < MOST_EVENTS {
                events.push(Json::Object(object));
            }
        }
        for (name, lost) in &lost_in_events {
            warnings.extend(warning(&format!("`{name}` of the events"), lost));
        }
        let short = self.tables.iter().map(|table| (table.name.clone(), table_json(table, table.rows() as u64)));
        let long = self.long.iter().map(|long| (long.header.name.clone(), table_json(&long.header, long.rows)));
        let tables = short.chain(long).collect();
        OutcomeJson { quantities, units, events, warnings, tables }
    }
}

impl Outcome {
    /// The events as a table, if there are more than the summary takes and the study has none of that name.
    pub(crate) fn missing_event_table(&self) -> Option<Table> {
        if self.events.len() <= MOST_EVENTS || self.tables.iter().any(|table| table.name == EVENTS) {
            return None;
        }
        let mut names: Vec<&String> = Vec::new();
        for (name, _) in self.events.iter().flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let table = Table::new(EVENTS, "what happened, in order of time: one row an event");
        Some(names.into_iter().fold(table, |table, name| {
            let value =
                |event: &Vec<(String, Value)>| event.iter().find(|(known, _)| known == name).map(|(_, v)| v.clone());
            let values: Vec<Option<Value>> = self.events.iter().map(value).collect();
            let number = |value: &Option<Value>| match value {
                Some(Value::Number(number)) => Some(*number),
                Some(Value::Integer(number)) => Some(*number as f64),
                Some(Value::Missing) | None => Some(f64::NAN),
                _ => None,
            };
            let label = name.replace('_', " ");
            match values.iter().map(number).collect() {
                Some(numbers) => table.numbers(name, "", &label, numbers),
                None => {
                    let word = |value: Option<Value>| match value {
                        Some(Value::Word(word)) => word,
                        Some(other) => other.to_json().to_string(),
                        None => String::new(),
                    };
                    table.words(name, &label, values.into_iter().map(word).collect())
                }
            }
        }))
    }

    /// The warnings, and one more for every quantity that holds a number that is not finite.
    pub(crate) fn quantity_warnings(&self) -> Vec<String> {
        let of = |quantity: &super::Quantity| {
            let mut lost = Vec::new();
            value_json(&quantity.value, &mut lost);
            warning(&format!("quantity `{}`", quantity.name), &lost)
        };
        self.warnings.iter().cloned().chain(self.quantities.iter().filter_map(of)).collect()
    }
}

impl Value {
    /// The value as JSON; a number that is not finite is null.
    pub fn to_json(&self) -> Json {
        value_json(self, &mut Vec::new())
    }
}

fn warning(what: &str, lost: &[f64]) -> Option<String> {
    match lost {
        [] => None,
        [only] => Some(format!("{what} is not finite ({only}); it is written as null")),
        [first, ..] => Some(format!(
            "{what} has {} numbers that are not finite (the first is {first}); each is written as null",
            lost.len()
        )),
    }
}

fn value_json(value: &Value, lost: &mut Vec<f64>) -> Json {
    match value {
        Value::Number(number) => match serde_json::Number::from_f64(*number) {
            Some(number) => Json::Number(number),
            None => {
                lost.push(*number);
                Json::Null
            }
        },
        Value::Integer(number) => Json::from(*number),
        Value::Word(word) => Json::String(word.clone()),
        Value::Flag(flag) => Json::Bool(*flag),
        Value::List(values) => Json::Array(values.iter().map(|value| value_json(value, lost)).collect()),
        Value::Record(parts) => {
            Json::Object(parts.iter().map(|(name, value)| (name.clone(), value_json(value, lost))).collect())
        }
        Value::Missing => Json::Null,
    }
}

fn table_json(table: &Table, rows: u64) -> Json {
    let columns: Map<String, Json> = table
        .columns
        .iter()
        .map(|column| {
            let told = serde_json::json!({ "unit": column.unit, "label": column.label, "type": column.data.kind() });
            (column.name.clone(), told)
        })
        .collect();
    serde_json::json!({ "description": table.description, "rows": rows, "columns": columns })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_null_and_named() {
        let mut outcome = Outcome::default();
        outcome.push("period", "s", 0.1 + 0.2);
        outcome.push("exponent", "", f64::NAN);
        outcome.push("speeds", "m/s", vec![1.0, f64::INFINITY]);
        outcome.push("critical_speed", "m/s", None::<f64>);
        outcome.events.push(vec![("time".into(), f64::NAN.into()), ("kind".into(), "stick".into())]);
        let json = outcome.to_json();
        assert_eq!(
            serde_json::to_string(&json.quantities).unwrap(),
            r#"{"period":0.30000000000000004,"exponent":null,"speeds":[1.0,null],"critical_speed":null}"#
        );
        assert_eq!(json.warnings.len(), 3, "{:?}", json.warnings);
        assert!(json.warnings[0].contains("`exponent`") && json.warnings[1].contains("`speeds`"));
        assert_eq!(json.events[0]["kind"], "stick");
        assert_eq!(json.units["speeds"], "m/s");
    }
}
