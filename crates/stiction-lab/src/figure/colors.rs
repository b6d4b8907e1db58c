//! Which word has which colour: by its meaning where it has one, and the same in all panels of a figure.

use super::meaning;
use super::theme::{COLORS, FIRST_ROUND};
use std::collections::{BTreeMap, BTreeSet};

/// Most words whose colours are chosen with care.
const MOST: usize = 200;

/// What is drawn in a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Lines, points or areas on white, and the cells of a map.
    Plain,
    /// Lines and points over the pale cells of a map: a dark colour is seen on all of them.
    OverMap,
}

/// A word that has been asked for.
#[derive(Debug)]
struct Asked {
    order: usize,
    usage: Use,
    panels: BTreeSet<usize>,
    color: usize,
}

/// Which word has which colour. The panels are looked up to learn which words meet in a panel, and once more if
/// [`Colors::settle`] chooses other colours.
#[derive(Debug, Default)]
pub(super) struct Colors {
    asked: BTreeMap<String, Asked>,
    panel: usize,
}

impl Colors {
    /// From now on another panel asks.
    pub(super) fn next_panel(&mut self) {
        self.panel += 1;
    }

    /// The colour of a word.
    pub(super) fn of(&mut self, word: &str, usage: Use) -> usize {
        if let Some(asked) = self.asked.get_mut(word) {
            asked.panels.insert(self.panel);
            return asked.color;
        }
        let order = self.asked.len();
        let color = meaning::color(word).unwrap_or(order);
        self.asked.insert(word.to_owned(), Asked { order, usage, panels: BTreeSet::from([self.panel]), color });
        color
    }

    /// Chooses the colours of all words that have been asked for. A word with a meaning has its own colour everywhere. Any
    /// other word has the first colour that nothing else in the figure has; when the colours that are told apart without
    /// effort are used up, words that never meet in a panel share one. Whether a colour is another than before.
    pub(super) fn settle(&mut self) -> bool {
        let mut changed = false;
        let mut words: Vec<String> = self.asked.keys().cloned().collect();
        words
            .sort_by_cached_key(|word| (meaning::color(word).is_none(), self.asked.get(word).map(|asked| asked.order)));
        let mut taken: Vec<(usize, BTreeSet<usize>)> = Vec::new();
        for word in words {
            let Some(asked) = self.asked.get_mut(&word) else { continue };
            let anywhere = |color: &usize| taken.iter().all(|(other, _)| other != color);
            let here =
                |color: &usize| taken.iter().all(|(other, panels)| other != color || panels.is_disjoint(&asked.panels));
            let candidates = || {
                let first = if asked.usage == Use::OverMap { FIRST_ROUND } else { 0 };
                (0..COLORS).map(move |index| (first + index) % COLORS)
            };
            let free = || candidates().take(FIRST_ROUND).find(anywhere).or_else(|| candidates().find(here));
            // colours repeat long before: nobody tells so many apart, and the search takes the square of their number
            let free = || if taken.len() < MOST { free() } else { None };
            let color = meaning::color(&word).or_else(free).unwrap_or(asked.order);
            changed |= color != asked.color;
            asked.color = color;
            taken.push((color, asked.panels.clone()));
        }
        self.panel = 0;
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(panels: &[&[&str]]) -> Colors {
        let mut colors = Colors::default();
        for words in panels {
            for word in *words {
                colors.of(word, Use::Plain);
            }
            colors.next_panel();
        }
        colors.settle();
        colors
    }

    #[test]
    fn a_meaning_keeps_its_colour_whatever_comes_before_it() {
        let mut late = settled(&[&["a", "captured", "unstable", "stable"]]);
        let mut early = settled(&[&["stable", "unstable"], &["captured"]]);
        for word in ["stable", "unstable", "captured"] {
            assert_eq!(late.of(word, Use::Plain), early.of(word, Use::Plain), "{word}");
        }
        // and no other word has it
        assert_eq!(late.of("a", Use::Plain), 2);
        // nothing is left to choose
        assert!(!late.settle() && !early.settle());
    }

    #[test]
    fn words_that_meet_differ_and_words_that_never_meet_may_share() {
        let first: Vec<String> = (0..7).map(|index| format!("a{index}")).collect();
        let first: Vec<&str> = first.iter().map(String::as_str).collect();
        let mut colors = settled(&[&first, &["b", "c"], &["a1", "d"]]);
        let of = |colors: &mut Colors, word: &str| colors.of(word, Use::Plain);
        let all: BTreeSet<usize> = first.iter().map(|word| of(&mut colors, word)).collect();
        assert_eq!(all, (0..7).collect());
        assert_eq!((of(&mut colors, "b"), of(&mut colors, "c")), (0, 1));
        assert_ne!(of(&mut colors, "a1"), of(&mut colors, "d"));
    }

    #[test]
    fn very_many_words_are_settled_at_once() {
        let mut colors = Colors::default();
        (0..100_000).for_each(|index| _ = colors.of(&index.to_string(), Use::Plain));
        // with care for every word this would take hours
        colors.settle();
        assert_eq!((colors.of("0", Use::Plain), colors.of("99999", Use::Plain)), (0, 99_999));
    }

    #[test]
    fn lines_over_a_map_are_dark() {
        let mut colors = Colors::default();
        colors.of("cell", Use::Plain);
        colors.of("border", Use::OverMap);
        colors.settle();
        assert_eq!((colors.of("cell", Use::Plain), colors.of("border", Use::OverMap)), (0, FIRST_ROUND));
    }
}
