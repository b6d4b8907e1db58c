//! Colours by meaning: what is stable is blue and what is unstable is vermilion, in every figure.
//!
//! The two sides of a switching surface, the attractors of a block on a belt and the classes of stick-slip have colours
//! of their own as well, so that a reader who has seen one figure can read the next.

use super::source::readable;
use super::theme::{AMBER, BLUE, DARK, GREEN, PALE, PLUM, PURPLE, SKY, VERMILION};

/// Words that mean the same wherever they come, in the order in which a legend has them, and their colours.
const WORDS: &[(&str, usize)] = &[
    // stability: what attracts, what repels, what lies between, what is neither
    ("stable", BLUE),
    ("attracting", BLUE),
    ("stick", BLUE),
    ("sliding", BLUE),
    ("S: stick", BLUE),
    ("unstable", VERMILION),
    ("repelling", VERMILION),
    ("escaping", VERMILION),
    ("E: escape", VERMILION),
    ("boundary", DARK),
    ("captured", PALE),
    ("C: crossing", PALE),
    // the two sides of a switching surface
    ("plus", AMBER),
    ("slip plus", AMBER),
    ("slip with h > 0", AMBER),
    ("crossing plus", AMBER),
    ("C+: crossing to h > 0", AMBER),
    ("minus", PURPLE),
    ("slip minus", PURPLE),
    ("slip with h < 0", PURPLE),
    ("crossing minus", PURPLE),
    ("C−: crossing to h < 0", PURPLE),
    // attractors of a block on a belt: continuous sliding, oscillation without sticking, stick-slip
    ("CS", GREEN),
    ("OS", SKY),
    ("SS", PURPLE),
    ("SS, first contact", PLUM),
    ("through", AMBER),
    ("special boundary", DARK),
    // how much of a motion is stick-slip
    ("none", GREEN),
    ("partial", AMBER),
    ("sustained", PURPLE),
    ("undecided", PALE),
    // whether a condition holds, and what becomes of determinism
    ("holds", GREEN),
    ("k₂ > 0 and κ > 0", GREEN),
    ("fails", PALE),
    ("neither", PALE),
    ("case 1", VERMILION),
    ("case 2", AMBER),
    ("case 3", SKY),
    ("other two-folds", GREEN),
    ("no two-fold", PALE),
    ("J imaginary", SKY),
    // a tyre: its force and its aligning moment
    ("force F", VERMILION),
    ("moment M", BLUE),
];

/// The colour of a word, or of a layer of that name, that means the same wherever it comes.
pub(super) fn color(word: &str) -> Option<usize> {
    Some(WORDS.get(rank(word)?)?.1)
}

/// The place of such a word among its like in a legend.
pub(super) fn rank(word: &str) -> Option<usize> {
    let word = readable(word.strip_prefix("layer ").unwrap_or(word));
    WORDS.iter().position(|(known, _)| *known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_and_unstable_have_colours_of_their_own() {
        assert_eq!(color("stable"), Some(BLUE));
        assert_eq!(color("unstable"), Some(VERMILION));
        assert_eq!(color("layer unstable"), Some(VERMILION));
        assert_eq!(color("mean"), None);
    }

    #[test]
    fn a_word_is_the_same_with_a_space_or_an_underscore() {
        assert_eq!(color("slip_minus"), color("slip minus"));
    }

    #[test]
    fn words_that_come_together_differ() {
        for together in [
            ["stable", "unstable", "captured", "boundary"],
            ["CS", "OS", "SS", "special boundary"],
            ["none", "partial", "sustained", "undecided"],
            ["S: stick", "E: escape", "C+: crossing to h > 0", "C−: crossing to h < 0"],
            ["sliding", "slip plus", "slip minus", "escaping"],
            ["case 1", "case 3", "other two-folds", "no two-fold"],
        ] {
            let colors: std::collections::BTreeSet<_> = together.into_iter().map(color).collect();
            assert!(colors.len() == together.len() && !colors.contains(&None), "{together:?}");
        }
    }
}
