//! One entry or a list of entries: `lines = { .. }` and `lines = [{ .. }, { .. }]` are both read.

use schemars::JsonSchema;
use serde::Deserialize;

/// Whether a value need not be written.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// One entry, or a list of entries.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub(super) enum OneOrMany<T> {
    /// One entry.
    One(T),
    /// Several entries.
    Many(Vec<T>),
}

/// Reads one entry or a list of entries. An untagged enum would do the same, but would lose the reason of an error.
pub(super) fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Entries<T>(std::marker::PhantomData<T>);
    impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Entries<T> {
        type Value = Vec<T>;
        fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
            formatter.write_str("one entry or a list of entries")
        }
        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![T::deserialize(serde::de::value::StrDeserializer::new(text))?])
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Ok(vec![T::deserialize(serde::de::value::MapAccessDeserializer::new(map))?])
        }
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(entries))
        }
    }
    deserializer.deserialize_any(Entries(std::marker::PhantomData))
}
