//! The colour bar beside a map of numbers.

use super::error::Mistake;
use super::font::{Weight, cut, width};
use super::label::bracket;
use super::map::image;
use super::scale::Range;
use super::simplify::Rect;
use super::svg::{Anchor, Svg, TextStyle, number};
use super::theme::{FRAME, INK, LEADING, SMALL, TEXT, TICK, gradient};
use super::ticks::Ticks;

/// Width of the colour bar and its distance from the axes \[pt\].
const BAR: (f64, f64) = (8.0, 7.0);

/// Width of all that stands beside the axes \[pt\].
pub(super) fn room(ticks: &Ticks) -> f64 {
    let measure = |label: &str| width(label, SMALL, Weight::Regular);
    BAR.0 + BAR.1 + TICK + 2.0 + ticks.widest(&measure) + 4.0 + TEXT * LEADING
}

/// Draws the bar beside the axes.
pub(super) fn draw(
    svg: &mut Svg,
    (name, unit, range): &(String, String, Range),
    bar_ticks: &Ticks,
    axes: Rect,
) -> Result<(), Mistake> {
    let Rect { width: wide, height, .. } = axes;
    let left = wide + BAR.1;
    let mut palette = vec![[255, 255, 255]];
    palette.extend((0..200).map(|shade| gradient(1.0 - f64::from(shade) / 199.0)));
    let place = Rect { left, top: 0.0, width: BAR.0, height };
    svg.raw(&image(place, &(1..=200).collect::<Vec<u8>>(), (1, 200), &palette)?);
    let mut ticks = format!("M{} 0h{}v{}h-{}z", number(left), number(BAR.0), number(height), number(BAR.0));
    let right = left + BAR.0;
    for tick in &bar_ticks.major {
        let place = (1.0 - range.share(tick.value)) * height;
        ticks.push_str(&format!("M{} {}h{}", number(right), number(place), number(TICK)));
        svg.text(right + TICK + 2.0, place + 0.36 * SMALL, &tick.label, TextStyle::new(SMALL));
    }
    svg.path(&ticks, INK, FRAME, "");
    let measure = |label: &str| width(label, SMALL, Weight::Regular);
    let beside = right + TICK + 2.0 + bar_ticks.widest(&measure) + 4.0 + 0.85 * TEXT;
    let label = format!("{name}\u{a0}\u{a0}{}", bracket(unit, bar_ticks.factor));
    let label = cut(&label, TEXT, Weight::Regular, height + 10.0);
    svg.text(beside, 0.5 * height, &label, TextStyle::new(TEXT).anchor(Anchor::Middle).upwards());
    Ok(())
}
