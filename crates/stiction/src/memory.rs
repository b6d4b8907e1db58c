//! The one owner of memory: what a run may keep, and how much it keeps so far.
//!
//! Samples, events, tables, maps and strips of a field are estimated before they are made ([`Memory::admit`]); what nobody can
//! foresee, such as the events of a motion, is counted while it grows ([`Memory::keep`]). The limit decides whether there is an
//! answer, never which one: no method, grid or generator is chosen by it.

use crate::keys::{Key, with_short_numbers};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a run may keep by default \[bytes\]: 2 GiB.
pub const DEFAULT: u64 = 2 << 30;

/// Least limit that is accepted \[bytes\]: 1 MiB.
pub const LEAST: u64 = 1 << 20;

/// Bytes of a short word in a column of a table, with its place in the heap.
pub const WORD: f64 = 56.0;

/// More than this is not recommended to anybody \[bytes\]: 64 GiB.
const POSSIBLE: f64 = (64_u64 << 30) as f64;

/// Memory that a run may use, shared by all of its threads.
#[derive(Debug)]
pub struct Memory<'m> {
    limit: u64,
    kept: AtomicU64,
    whole: Option<&'m Memory<'m>>,
}

/// No limit: for callers that look after memory themselves.
pub static UNBOUNDED: Memory<'static> = Memory { limit: u64::MAX, kept: AtomicU64::new(0), whole: None };

impl Memory<'static> {
    /// At most `limit` bytes.
    pub fn of(limit: u64) -> Self {
        Self { limit, kept: AtomicU64::new(0), whole: None }
    }
}

impl<'m> Memory<'m> {
    /// A part of the run, such as an item of a study: what it keeps counts for the whole until the part is dropped.
    pub fn part(whole: &'m Memory<'m>) -> Self {
        Self { limit: whole.limit, kept: AtomicU64::new(0), whole: Some(whole) }
    }

    /// The limit \[bytes\].
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The memory of the whole run, of which this may be a part.
    pub fn of_run(&self) -> &Memory<'m> {
        self.whole.map_or(self, |whole| whole.of_run())
    }

    /// Counts `bytes` more; false if they do not fit any more.
    #[must_use]
    pub fn keep(&self, bytes: u64) -> bool {
        if self.limit == u64::MAX {
            return true;
        }
        let mine = self.kept.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= self.limit;
        self.whole.is_none_or(|whole| whole.keep(bytes)) && mine
    }

    /// Sets aside what is needed, before it is made.
    ///
    /// # Errors
    /// [`Excess`] if it does not fit, with the value of the key that would.
    pub fn admit(&self, need: &Need) -> Result<(), Excess> {
        let total = need.total();
        // a need that is no number is none that can be met
        if total <= self.limit as f64 && self.keep(total as u64) {
            return Ok(());
        }
        Err(need.excess(self.limit as f64))
    }

    /// What is wrong where memory is full in the middle of the work: `known` says how far that is, `remedy` what would help.
    pub fn full(&self, key: Key, known: &str, remedy: &str) -> Excess {
        let message = format!("{known} fill `memory`, {}; {remedy}, or raise `memory`", shown(self.limit as f64));
        Excess { key, message: with_short_numbers(&message) }
    }
}

/// Things that grow with the time that a motion is followed, and nobody knows how many they will be.
///
/// A motion that would fill the memory several times over is ended as soon as its rate shows that: after a sixteenth of the
/// memory, if at this rate more than twice the memory would be needed.
#[derive(Debug)]
pub struct Growth<'m> {
    memory: &'m Memory<'m>,
    duration: f64,
    count: u64,
    bytes: u64,
    /// When it was too much \[s\].
    full: Option<f64>,
}

impl<'m> Growth<'m> {
    /// Of a motion that lasts `duration` \[s\].
    pub fn over(duration: f64, memory: &'m Memory<'m>) -> Self {
        Self { memory, duration, count: 0, bytes: 0, full: None }
    }

    /// Counts `count` more things of `bytes` altogether at `time` \[s\]; false if it is too much.
    pub fn keep(&mut self, count: u64, bytes: u64, time: f64) -> bool {
        self.count += count;
        self.bytes += bytes;
        let limit = self.memory.limit as f64;
        let fits = self.memory.keep(bytes);
        let foreseen = self.bytes as f64 * (self.duration / time.max(0.0)).max(1.0);
        if !fits || (self.bytes as f64 > limit / 16.0 && foreseen > 2.0 * limit) {
            self.full.get_or_insert(time);
        }
        self.full.is_none()
    }

    /// What is wrong, if it was too much: `things` were counted, and `key` is that of the duration.
    ///
    /// # Errors
    /// With what they take at the rate so far, and a duration that fits.
    pub fn check(&self, key: Key, things: &'static str) -> Result<(), Excess> {
        let Some(time) = self.full else { return Ok(()) };
        let more = (self.duration / time.max(0.0)).max(1.0);
        let each = self.bytes as f64 / self.count.max(1) as f64;
        let need = Need::new(key, self.duration, self.count as f64 * more, things, each);
        Err(need.excess(self.memory.limit as f64))
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        if let Some(whole) = self.whole {
            whole.release(*self.kept.get_mut());
        }
    }
}

impl Memory<'_> {
    fn release(&self, bytes: u64) {
        if self.limit != u64::MAX {
            self.kept.fetch_sub(bytes, Ordering::Relaxed);
            if let Some(whole) = self.whole {
                whole.release(bytes);
            }
        }
    }
}

/// What a part of a run will keep: so many things of so many bytes, because of the value of a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    key: Key,
    value: f64,
    falls: bool,
    squared: bool,
    count: f64,
    things: &'static str,
    bytes: f64,
    /// Other keys of the same table with which the number grows, and their values.
    others: Vec<(&'static str, f64)>,
}

impl Need {
    /// `count` `things` of `bytes` each, a number that grows with the value of the key.
    pub fn new(key: Key, value: f64, count: f64, things: &'static str, bytes: f64) -> Self {
        Self { key, value, falls: false, squared: false, count, things, bytes, others: Vec::new() }
    }

    /// The same where the number grows with another key of the same table as well: either can be changed.
    #[must_use]
    pub fn or(mut self, name: &'static str, value: f64) -> Self {
        self.others.push((name, value));
        self
    }

    /// The same where the number falls with the value of the key: a step, a spacing.
    #[must_use]
    pub fn by_step(mut self) -> Self {
        self.falls = true;
        self
    }

    /// The same where the number grows with the square of the value: points along each of two sides.
    #[must_use]
    pub fn squared(mut self) -> Self {
        self.squared = true;
        self
    }

    /// All bytes.
    pub fn total(&self) -> f64 {
        self.count * self.bytes
    }

    fn excess(&self, limit: f64) -> Excess {
        let (total, share) = (self.total(), limit / self.total());
        let part = if self.squared { share.sqrt() } else { share };
        let mut ways: Vec<String> = fitting(self.value, part, self.falls)
            .map(|fits| format!("give {} {fits}", if self.falls { "at least" } else { "at most" }))
            .into_iter()
            .collect();
        let either =
            |(name, value): &(&str, f64)| Some(format!("give `{name}` at most {}", fitting(*value, share, false)?));
        ways.extend(self.others.iter().filter_map(either));
        if total <= POSSIBLE {
            let above =
                if share < 1.0 { format!(" above {}", shown(total)) } else { " or use fewer threads".to_owned() };
            ways.push(format!("raise `memory`{above}"));
        }
        if ways.is_empty() {
            ways.push(format!("give a much {} value", if self.falls { "larger" } else { "smaller" }));
        }
        let (count, things) = (self.count, self.things);
        let number = if count < 1e6 { count.to_string() } else { format!("{count:.2e}") };
        let message = format!(
            "is {}: {number} {things} take {}, but `memory` is {}; {}",
            crate::keys::number_text(self.value),
            shown(total),
            shown(limit),
            ways.join(", or ")
        );
        Excess { key: self.key.clone(), message }
    }
}

/// A value that needs only `part` of what this one needs, if there is one that makes sense.
fn fitting(value: f64, part: f64, falls: bool) -> Option<f64> {
    let near = rounded(if falls { value / part } else { value * part }, falls);
    // a number of things stays one
    let fits = if !falls && value.fract() == 0.0 { near.floor() } else { near };
    (part < 1.0 && fits.is_finite() && fits > 0.0 && (falls || fits >= 1.0 || value < 1.0)).then_some(fits)
}

/// Two digits that are on the safe side.
fn rounded(value: f64, up: bool) -> f64 {
    let text = format!("{value:.1e}");
    let near: f64 = text.parse().unwrap_or(value);
    let unit: f64 = text.split('e').nth(1).and_then(|exponent| format!("1e{exponent}").parse().ok()).unwrap_or(0.0);
    let fine = 0.1 * unit;
    let moved = match up {
        true if near < value => near + fine,
        false if near > value => near - fine,
        _ => near,
    };
    format!("{moved:.1e}").parse().unwrap_or(value)
}

/// More than the run may keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excess {
    /// The key to change.
    pub key: Key,
    /// Its value, what it would take, and what to do.
    pub message: String,
}

/// Bytes for a person: `1.5 GiB`.
pub fn shown(bytes: f64) -> String {
    const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = if value >= 1e5 { format!("{value:.1e}") } else { ((value * 1e3).round() / 1e3).to_string() };
    format!("{digits} {}", UNITS[unit])
}

/// The bytes that a text such as `2 GiB`, `500 MB`, `4G` or `1048576` means; K, M, G and T alone are powers of 1024.
///
/// # Errors
/// What is wrong, and what would be right.
pub fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let wrong = || format!("is `{text}`, but must be a number of bytes, or one with a unit: `2 GiB`, `500 MB`");
    let end = text.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(text.len());
    let number: f64 = text[..end].trim().parse().map_err(|_| wrong())?;
    let unit = match text[end..].to_ascii_lowercase().as_str() {
        "" | "b" | "bytes" => 1.0,
        "k" | "kib" => 1024.0,
        "kb" => 1e3,
        "m" | "mib" => 1024.0 * 1024.0,
        "mb" => 1e6,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "gb" => 1e9,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "tb" => 1e12,
        _ => return Err(wrong()),
    };
    checked(number * unit).map_err(|message| format!("is `{text}`, but {message}"))
}

/// A number of bytes as a limit.
///
/// # Errors
/// What is wrong with it.
pub fn checked(bytes: f64) -> Result<u64, String> {
    // 2^63 bytes are more than any machine has
    if (LEAST as f64..9.2e18).contains(&bytes) {
        return Ok(bytes as u64);
    }
    Err(format!("must be at least {}, and a finite number", shown(LEAST as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key::study("samples")
    }

    #[test]
    fn parts_count_for_the_whole_until_they_are_dropped() {
        let whole = Memory::of(1000);
        {
            let (one, other) = (Memory::part(&whole), Memory::part(&whole));
            assert!(one.keep(600) && other.keep(400));
            assert!(!other.keep(1), "the whole is full");
        }
        assert!(Memory::part(&whole).keep(1000));
        assert!(whole.keep(1000) && !whole.keep(1));
        assert!(UNBOUNDED.keep(u64::MAX) && UNBOUNDED.keep(u64::MAX));
        let whole = Memory::of(1000);
        {
            let part = Memory::part(&whole);
            assert!(
                Memory::part(&part).of_run().keep(700) && part.keep(300),
                "what the run keeps is not that of a part"
            );
        }
        assert!(whole.keep(300) && !whole.keep(1));
    }

    #[test]
    fn a_refusal_names_value_estimate_limit_and_a_value_that_fits() {
        let memory = Memory::of(DEFAULT);
        let need = |count: f64| Need::new(key(), count, count, "samples", 80.0);
        assert!(memory.admit(&need(1e6)).is_ok());
        let told = memory.admit(&need(1e9)).unwrap_err().message;
        assert_eq!(told, "is 1000000000: 1.00e9 samples take 74.506 GiB, but `memory` is 2 GiB; give at most 26000000");
        let told = memory.admit(&need(1e8)).unwrap_err().message;
        assert!(told.ends_with("give at most 26000000, or raise `memory` above 7.451 GiB"), "{told}");
        let step = Need::new(key(), 1e-9, 1e12, "points", 8.0).by_step();
        let told = memory.admit(&step).unwrap_err().message;
        assert!(
            told.starts_with("is 1e-9: 1.00e12 points take 7.276 TiB") && told.ends_with("give at least 0.0000038"),
            "{told}"
        );
        for count in [f64::INFINITY, f64::NAN, 1e300] {
            assert!(memory.admit(&need(count)).is_err());
        }
    }

    #[test]
    fn a_need_of_two_keys_recommends_either() {
        let memory = Memory::of(DEFAULT);
        let map = |columns: f64, rows: f64| Need::new(key(), columns, columns * rows, "points", 100.0).or("rows", rows);
        let told = memory.admit(&map(1e4, 1e5)).unwrap_err().message;
        assert!(told.ends_with("; give at most 210, or give `rows` at most 2100"), "{told}");
        assert!(memory.admit(&map(210.0, 1e5)).is_ok() && memory.admit(&map(1e4, 2100.0)).is_err(), "one at a time");
        assert!(Memory::of(DEFAULT).admit(&map(1e4, 2100.0)).is_ok());
        // a key that does not help is not recommended
        let told = Memory::of(DEFAULT).admit(&map(1e9, 3.0)).unwrap_err().message;
        assert!(told.ends_with("; give at most 7100000") && !told.contains("rows"), "{told}");
        let step = Need::new(key(), 1e-3, 1e10, "samples", 8.0).by_step().or("duration", 0.5);
        let told = Memory::of(DEFAULT).admit(&step).unwrap_err().message;
        assert!(told.contains("give at least 0.038, or give `duration` at most 0.013"), "{told}");
    }

    #[test]
    fn a_motion_that_would_fill_the_memory_several_times_ends_early_and_others_do_not() {
        let memory = Memory::of(1 << 20);
        let mut growth = Growth::over(1000.0, &memory);
        let end = (1..=1000).find(|second| !growth.keep(10, 10_000, f64::from(*second)));
        assert_eq!(end, Some(7), "after a sixteenth of the memory");
        let told = growth.check(key(), "events").unwrap_err().message;
        assert!(
            told.starts_with("is 1000: 10000 events take 9.537 MiB, but `memory` is 1 MiB; give at most 100"),
            "{told}"
        );
        // just too much: nobody can know before
        let memory = Memory::of(1 << 20);
        let mut growth = Growth::over(1000.0, &memory);
        assert_eq!((1..=1000).find(|second| !growth.keep(1, 1100, f64::from(*second))), Some(954));
        assert!(growth.check(key(), "events").is_err());
        let mut growth = Growth::over(1000.0, &UNBOUNDED);
        assert!((1..=1000).all(|second| growth.keep(1, 1 << 50, f64::from(second))));
        assert!(growth.check(key(), "events").is_ok());
    }

    #[test]
    fn the_value_that_is_recommended_fits() {
        for value in [1e9, 12345678.0, 9.99e15, 3e300] {
            let need = |count: f64| Need::new(key(), count, count, "rows", 300.0);
            let told = Memory::of(DEFAULT).admit(&need(value));
            let Err(Excess { message, .. }) = told else { continue };
            let fits: f64 = message.rsplit("at most ").next().unwrap().split(',').next().unwrap().parse().unwrap();
            assert!(Memory::of(DEFAULT).admit(&need(fits)).is_ok(), "{message}");
            assert!(fits > 0.9 * DEFAULT as f64 / 300.0, "{message}");
        }
    }

    #[test]
    fn sizes_are_read_with_and_without_units() {
        for (text, bytes) in [
            ("2 GiB", 2 << 30),
            ("2GiB", 2 << 30),
            ("500 MB", 500_000_000),
            ("4G", 4 << 30),
            ("1.5 gib", 3 << 29),
            ("1048576", 1 << 20),
            ("2e9", 2_000_000_000),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "much", "2 GiBs", "-1 GB", "1 kB", "NaN GB", "1e40 TB", "inf"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!((shown(2e9), shown(1e40)), ("1.863 GiB".to_owned(), "8.9e24 PiB".to_owned()));
    }
}
