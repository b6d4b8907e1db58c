//! Maxima and minima of the kinetic coefficient: where steady sliding changes its stability.

use super::{FrictionLaw, Law};
use crate::num::real::pow;
use crate::num::roots::roots_on;

/// What kind of extremum it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtremumKind {
    /// Friction is largest: it falls at higher speeds.
    Maximum,
    /// Friction is smallest: it rises at higher speeds.
    Minimum,
    /// The slope touches zero without changing its sign.
    Inflection,
}

/// A speed at which the slope of the kinetic coefficient vanishes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extremum {
    /// Speed [m/s].
    pub speed: f64,
    /// Kinetic coefficient there [-].
    pub value: f64,
    /// Second derivative there [s²/m²].
    pub second: f64,
    /// Third derivative there [s³/m³]; its sign decides whether the Hopf bifurcation is soft or hard.
    pub third: f64,
    /// Maximum, minimum or neither.
    pub kind: ExtremumKind,
}

impl Law {
    /// All extrema of the kinetic coefficient at speeds from just above zero to `fastest` [m/s], ascending.
    ///
    /// The slope is scanned with many points per octave and around the speeds at which the law changes; each root is
    /// then found to the last bits. A constant law has none.
    pub fn extrema(&self, fastest: f64) -> Vec<Extremum> {
        if !(fastest.is_finite() && fastest > 0.0) {
            return Vec::new();
        }
        let slope = |speed: f64| self.kinetic_with_slope(speed).1;
        // a slope that vanishes over a range is a constant law, or one that has faded away there: no extremum
        let grid = without_plateaus(&self.scan_of_speeds(fastest), slope);
        let found = roots_on(&grid, slope).into_iter().filter(|&speed| speed > 0.0);
        found
            .map(|speed| {
                let [value, _, second, third] = self.kinetic_derivatives(speed);
                // by the second derivative, or where it vanishes, too, by the sign of the slope on both sides
                let beside = 1e-6 * speed;
                let kind = if second.abs() > third.abs() * beside {
                    if second < 0.0 { ExtremumKind::Maximum } else { ExtremumKind::Minimum }
                } else {
                    match (slope(speed - beside) > 0.0, slope(speed + beside) > 0.0) {
                        (true, false) => ExtremumKind::Maximum,
                        (false, true) => ExtremumKind::Minimum,
                        _ => ExtremumKind::Inflection,
                    }
                };
                Extremum { speed, value, second, third, kind }
            })
            .collect()
    }

    /// A speed far above every speed at which the law changes [m/s]; 1000 m/s for a formula.
    pub(crate) fn fastest_feature(&self) -> f64 {
        let features = self.features().into_iter().map(|(speed, width)| speed.abs() + width);
        let largest = features.fold(0.0, f64::max);
        if largest > 0.0 { 1e3 * largest } else { 1e3 }
    }

    /// Speeds around which the law changes, and over which range [m/s].
    fn features(&self) -> Vec<(f64, f64)> {
        match self {
            Law::Coulomb(_) | Law::Linear(_) | Law::Expression(_) => Vec::new(),
            Law::Stribeck(law) => vec![(law.stribeck_speed, law.stribeck_speed)],
            Law::TwoSlope(law) => vec![(law.crossover_speed, law.crossover_width)],
            Law::Cubic(law) => vec![(law.speed, if law.speed == 0.0 { 1.0 } else { law.speed.abs() })],
        }
    }

    fn scan_of_speeds(&self, fastest: f64) -> Vec<f64> {
        // 32 points per octave over 40 octaves, even points, and eight per octave outward from each feature
        let octaves = (0..32 * 40).map(|k| fastest * pow(2.0, -f64::from(k) / 32.0));
        let even = (1..=512).map(|k| fastest * f64::from(k) / 512.0);
        let mut grid: Vec<f64> = octaves.chain(even).collect();
        for (speed, width) in self.features() {
            grid.push(speed);
            for k in -64..=240 {
                let distance = width * pow(2.0, f64::from(k) / 8.0);
                grid.extend([speed - distance, speed + distance]);
            }
        }
        grid.retain(|&speed| speed > 0.0 && speed <= fastest);
        grid.sort_by(f64::total_cmp);
        grid.dedup();
        grid
    }
}

/// The grid without the points at which a function is zero as it is at a neighbour.
fn without_plateaus(grid: &[f64], function: impl Fn(f64) -> f64) -> Vec<f64> {
    let zero: Vec<bool> = grid.iter().map(|&x| function(x) == 0.0).collect();
    let beside = |place: Option<usize>| place.and_then(|place| zero.get(place)).is_none_or(|zero| *zero);
    let flat = |place: usize| zero[place] && (beside(place.checked_sub(1)) || beside(Some(place + 1)));
    grid.iter().enumerate().filter(|(place, _)| !flat(*place)).map(|(_, &x)| x).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Coulomb, Cubic, Stribeck, TwoSlope};
    use super::*;
    use crate::num::real::ln;

    #[test]
    fn a_stribeck_law_has_one_minimum_where_its_closed_form_says() {
        let law = Law::Stribeck(Stribeck {
            static_coefficient: 1.0,
            kinetic_coefficient: 0.4,
            stribeck_speed: 0.2,
            exponent: 1.0,
            viscous: 0.3,
        });
        let [minimum] = law.extrema(10.0)[..] else { panic!("one extremum") };
        // v = v_s ln((μ_S − μ_C)/(η v_s))
        assert!((minimum.speed - 0.2 * ln(0.6 / (0.3 * 0.2))).abs() < 1e-15);
        assert_eq!(minimum.kind, ExtremumKind::Minimum);
        assert!((minimum.second - 0.3 / 0.2).abs() < 1e-13);
        assert_eq!(law.extrema(law.fastest_feature()).len(), 1);
    }

    #[test]
    fn the_two_slope_law_has_a_maximum_and_a_minimum_however_narrow() {
        for width in [0.05, 1e-3, 1e-6] {
            let law = Law::TwoSlope(TwoSlope {
                static_coefficient: 1.0,
                low_speed_slope: 3.0,
                high_speed_slope: 0.1,
                crossover_speed: 0.2,
                crossover_width: width,
            });
            let extrema = law.extrema(law.fastest_feature());
            let kinds: Vec<_> = extrema.iter().map(|e| e.kind).collect();
            assert_eq!(kinds, [ExtremumKind::Maximum, ExtremumKind::Minimum], "{width}");
            assert!(extrema.iter().all(|e| law.kinetic_with_slope(e.speed).1.abs() < 1e-9));
        }
    }

    #[test]
    fn constant_and_cubic_laws_have_their_known_extrema() {
        assert!(Law::Coulomb(Coulomb { static_coefficient: 1.0, kinetic_coefficient: 0.5 }).extrema(1e3).is_empty());
        // slope (u² − 1)/2 about 2: at 1 and 3
        let cubic = Cubic { value: 1.0, f1: -0.5, f2: 0.0, f3: 1.0, speed: 2.0, static_coefficient: Some(9.0) };
        let extrema = Law::Cubic(cubic).extrema(10.0);
        let speeds: Vec<f64> = extrema.iter().map(|e| e.speed).collect();
        assert!((speeds[0] - 1.0).abs() < 1e-15 && (speeds[1] - 3.0).abs() < 1e-15 && speeds.len() == 2);
        assert_eq!((extrema[0].kind, extrema[1].kind), (ExtremumKind::Maximum, ExtremumKind::Minimum));
        assert!(Law::Cubic(cubic).extrema(f64::NAN).is_empty());
        // slope u²/2: it touches zero at 2
        let flat = Law::Cubic(Cubic { f1: 0.0, ..cubic }).extrema(10.0);
        assert!(flat.len() == 1 && flat[0].kind == ExtremumKind::Inflection && (flat[0].speed - 2.0).abs() < 1e-7);
    }

    #[test]
    fn a_law_that_fades_away_has_no_extrema_where_nothing_is_left() {
        let law = Law::Stribeck(Stribeck {
            static_coefficient: 0.1,
            kinetic_coefficient: 0.0,
            stribeck_speed: 1e3,
            exponent: 50.0,
            viscous: 0.0,
        });
        assert!(law.extrema(1.2e4).is_empty(), "{:?}", law.extrema(1.2e4));
    }
}
