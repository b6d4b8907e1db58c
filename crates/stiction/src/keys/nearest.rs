//! What was probably meant: the known word nearest to an unknown one.

/// The candidate nearest to `word`, if one is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_few(word, candidates, 1).first().copied()
}

/// Up to `count` candidates near enough to `word` to be meant, the nearest first.
pub fn nearest_few<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    // a longer word is no slip of the hand, and the distance takes time with its length
    if word.len() > 80 {
        return Vec::new();
    }
    let word = snake_case(word);
    let length = word.chars().count();
    let allowed = if length < 3 { 0 } else { length.div_ceil(3) };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let known = snake_case(candidate);
        let distance = strsim::damerau_levenshtein(&word, &known);
        if distance <= allowed {
            found.push((distance, candidate));
        } else if length >= 3 && (known.contains(&word) || (known.len() >= 3 && word.contains(&known))) {
            // `speed` for `drive_speed`: worse than any misspelling, better than nothing
            found.push((100 + distance, candidate));
        }
    }
    found.sort_by_key(|&(distance, _)| distance);
    found.truncate(count);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The word as it is compared: capitals and hyphens do not matter.
fn snake_case(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 4] = ["mass", "stiffness", "drive_speed", "normal_load"];

    #[test]
    fn a_misspelt_word_finds_its_neighbour() {
        for (word, meant) in [
            ("stiffnes", "stiffness"),
            ("Mass", "mass"),
            ("msas", "mass"),
            ("drive-speed", "drive_speed"),
            ("load", "normal_load"),
            ("speed", "drive_speed"),
        ] {
            assert_eq!(nearest(word, KEYS), Some(meant), "{word}");
        }
    }

    #[test]
    fn a_stranger_has_no_neighbour() {
        for word in ["", "x", "zzzz", "temperature", &"m".repeat(100_000)] {
            assert_eq!(nearest(word, KEYS), None, "{word:.20}");
        }
    }
}
