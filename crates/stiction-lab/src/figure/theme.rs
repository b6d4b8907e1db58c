//! The one look of all pictures: sizes for print in a journal's column, colours that colour-blind readers can tell
//! apart, line styles as in bifurcation diagrams. All lengths are points (1/72 inch).

/// Points in a millimetre.
pub(super) const MM: f64 = 72.0 / 25.4;
/// Size of ordinary text.
pub(super) const TEXT: f64 = 8.0;
/// Size of tick labels, legends and marker labels.
pub(super) const SMALL: f64 = 7.0;
/// Size of the title.
pub(super) const TITLE: f64 = 9.0;
/// Size of the note at the bottom.
pub(super) const NOTE: f64 = 6.0;
/// Height of a line of text, as a multiple of its size.
pub(super) const LEADING: f64 = 1.25;
/// Free rim around the whole picture.
pub(super) const RIM: f64 = 4.0;
/// Height of the axes divided by their width, unless a panel says otherwise.
pub(super) const ASPECT: f64 = 0.72;
/// Width of a drawn line.
pub(super) const LINE: f64 = 1.0;
/// Width of the frame and of ticks.
pub(super) const FRAME: f64 = 0.6;
/// Width of an error bar.
pub(super) const WHISKER: f64 = 0.6;
/// Opacity of a bar of a histogram: two that overlap are both seen.
pub(super) const BAR: f64 = 0.35;
/// Opacity of a band.
pub(super) const BAND: f64 = 0.25;
/// Length of a major tick.
pub(super) const TICK: f64 = 3.0;
/// Colour of text and frame.
pub(super) const INK: &str = "#222222";
/// Colour of the grid.
pub(super) const GRID: &str = "#e4e4e4";
/// Colour of what is secondary: reference lines, notes, leaders.
pub(super) const GREY: &str = "#777777";

/// A colour as red, green, blue.
pub(super) type Rgb = [u8; 3];

/// Number of colours that colour-blind readers can tell apart without effort.
pub(super) const FIRST_ROUND: usize = 7;
/// Number of colours.
pub(super) const COLORS: usize = 2 * FIRST_ROUND;

/// The palette of Okabe and Ito without its yellow, which is too pale for lines on white; then a second round, darker
/// where the first has a pure hue.
const PALETTE: [Rgb; COLORS] = [
    [0x00, 0x72, 0xB2],
    [0xD5, 0x5E, 0x00],
    [0x00, 0x9E, 0x73],
    [0xCC, 0x79, 0xA7],
    [0xE6, 0x9F, 0x00],
    [0x56, 0xB4, 0xE9],
    [0x33, 0x33, 0x33],
    [0x00, 0x2A, 0x70],
    [0x7A, 0x2E, 0x00],
    [0x1B, 0x5E, 0x20],
    [0x7B, 0x1F, 0x6A],
    [0x85, 0x62, 0x00],
    [0x5B, 0x4F, 0xC4],
    [0x99, 0x99, 0x99],
];

/// Indices of colours that are chosen by name.
pub(super) const BLUE: usize = 0;
pub(super) const VERMILION: usize = 1;
pub(super) const GREEN: usize = 2;
pub(super) const PURPLE: usize = 3;
pub(super) const AMBER: usize = 4;
pub(super) const SKY: usize = 5;
/// Index of the dark grey.
pub(super) const DARK: usize = 6;
pub(super) const PLUM: usize = 10;
/// Index of the light grey: of what is neither one thing nor another, and of what is a background.
pub(super) const PALE: usize = 13;

/// Colour number `index` for lines and points; the palette starts again after its end.
pub(super) fn ink(index: usize) -> Rgb {
    let [first, ..] = PALETTE;
    PALETTE.get(index % PALETTE.len()).copied().unwrap_or(first)
}

/// The same colour, pale enough to lie below lines.
pub(super) fn area(index: usize) -> Rgb {
    // the second round of the palette stays distinct from the first when it is less pale
    paler(ink(index), if index < FIRST_ROUND { 0.55 } else { 0.35 })
}

/// A colour mixed with a share of white.
pub(super) fn paler(color: Rgb, white: f64) -> Rgb {
    color.map(|part| (f64::from(part) * (1.0 - white) + 255.0 * white + 0.5) as u8)
}

/// A colour as `#rrggbb`.
pub(super) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// How a line is broken into dashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dash {
    Solid,
    Dotted,
    Mixed,
    Dashed,
    LongDashed,
}

impl Dash {
    /// The style of a word; `others` counts the words without a meaning of their own that came before.
    pub(super) fn of_word(word: &str, others: usize) -> Self {
        const OTHERS: [Dash; 5] = [Dash::Solid, Dash::Dashed, Dash::Mixed, Dash::Dotted, Dash::LongDashed];
        match word {
            "stable" => Dash::Solid,
            "unstable" => Dash::Dotted,
            "boundary" => Dash::Mixed,
            "under another rule" => Dash::Dashed,
            _ => OTHERS.get(others % OTHERS.len()).copied().unwrap_or(Dash::Solid),
        }
    }

    /// Whether a word has a style by its meaning.
    pub(super) fn has_meaning(word: &str) -> bool {
        matches!(word, "stable" | "unstable" | "boundary" | "under another rule")
    }

    /// Attributes of an SVG stroke.
    pub(super) fn attributes(self) -> &'static str {
        match self {
            Dash::Solid => "",
            Dash::Dotted => r#" stroke-dasharray="1 1.5""#,
            Dash::Mixed => r#" stroke-dasharray="5 1.5 1 1.5""#,
            Dash::Dashed => r#" stroke-dasharray="4 2""#,
            Dash::LongDashed => r#" stroke-dasharray="8 2.5""#,
        }
    }
}

/// Anchors of the colour map viridis, equally spaced: even in lightness, and safe for colour-blind readers.
const VIRIDIS: [Rgb; 11] = [
    [68, 1, 84],
    [72, 36, 117],
    [65, 68, 135],
    [53, 95, 141],
    [42, 120, 142],
    [33, 145, 140],
    [34, 168, 132],
    [68, 191, 112],
    [122, 209, 81],
    [189, 223, 38],
    [253, 231, 37],
];

/// The colour of a share between 0 and 1 on the colour bar.
pub(super) fn gradient(share: f64) -> Rgb {
    let place = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let index = (place as usize).min(VIRIDIS.len() - 2);
    let weight = place - index as f64;
    let (Some(low), Some(high)) = (VIRIDIS.get(index), VIRIDIS.get(index + 1)) else { return [0, 0, 0] };
    let mix = |low: u8, high: u8| (f64::from(low) * (1.0 - weight) + f64::from(high) * weight + 0.5) as u8;
    [mix(low[0], high[0]), mix(low[1], high[1]), mix(low[2], high[2])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_meets_its_ends() {
        assert_eq!(gradient(-1.0), VIRIDIS[0]);
        assert_eq!(gradient(1.0), VIRIDIS[10]);
    }

    #[test]
    fn no_two_colours_of_the_palette_are_near() {
        let distance = |a: Rgb, b: Rgb| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum::<u32>();
        for i in 0..PALETTE.len() {
            for j in 0..i {
                assert!(distance(ink(i), ink(j)) > 45 * 45, "{i} and {j}");
                assert!(distance(area(i), area(j)) > 20 * 20, "areas {i} and {j}");
            }
        }
    }

    #[test]
    fn stable_is_solid_and_unstable_is_dotted_wherever_they_come() {
        assert_eq!(Dash::of_word("stable", 3), Dash::Solid);
        assert_eq!(Dash::of_word("unstable", 0), Dash::Dotted);
        assert_eq!(Dash::of_word("else", 1), Dash::Dashed);
    }
}
