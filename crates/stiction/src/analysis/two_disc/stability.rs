//! Stability of the equilibrium that continues from small loads, at one place and over a plane of two parameters.

use super::eigenvalues::{Linearisation, Spectrum, linearised};
use super::{PlaneFamily, in_parallel};
use crate::analysis::{AnalysisError, Progress};
use crate::num::followed_eigenvalues::Follower;
use crate::system::two_disc::{Contact, ContactPlace, DiscBalance, DiscLinear, Discs, Equilibrium, Face, Quadrature};
use crate::system::{Stiff, System, TwoDisc};
use serde::{Deserialize, Serialize};

/// What is known of the stability at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    /// All real parts are negative.
    Stable,
    /// A real part is positive.
    Unstable,
    /// The centre of rotation sits on a cell: an equilibrium without linearisation.
    Captured,
    /// No equilibrium was found.
    None,
    /// There is an equilibrium, but its eigenvalues did not converge.
    Undecided,
}

impl Class {
    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Class::Stable => "stable",
            Class::Unstable => "unstable",
            Class::Captured => "captured",
            Class::None => "none",
            Class::Undecided => "undecided",
        }
    }
}

/// Stability at one place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// The verdict.
    pub class: Class,
    /// The equilibrium, if there is one.
    pub equilibrium: Option<Equilibrium>,
    /// The largest real part [1/s], where it is defined.
    pub growth: Option<f64>,
    /// Angular frequency of the leading eigenvalue [rad/s].
    pub frequency: Option<f64>,
}

impl Stability {
    /// Where there is no equilibrium.
    const NOTHING: Stability = Stability { class: Class::None, equilibrium: None, growth: None, frequency: None };
}

/// Stability over a plane; the rows have the second parameter, and no cell is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// Values of the first parameter.
    pub x: Vec<f64>,
    /// Values of the second parameter.
    pub y: Vec<f64>,
    /// Cells, those of equal y together.
    pub cells: Vec<Stability>,
}

impl Map {
    /// The cell at x number `i` and y number `j`.
    pub fn at(&self, i: usize, j: usize) -> Option<&Stability> {
        if i < self.x.len() { self.cells.get(j * self.x.len() + i) } else { None }
    }
}

/// Stability of the equilibrium that continues from small loads.
///
/// # Errors
/// If a parameter makes no sense.
pub fn stability(discs: &TwoDisc, linearisation: Linearisation) -> Result<Stability, AnalysisError> {
    let balance = DiscBalance::new(discs, None)?;
    let spot = balance.followed(discs.normal_load);
    Ok(of_spot(discs, &balance, spot, linearisation, None))
}

pub(crate) fn of_spot(
    discs: &TwoDisc,
    balance: &DiscBalance,
    spot: Option<ContactPlace>,
    linearisation: Linearisation,
    face: Option<&Face>,
) -> Stability {
    let Some(spot) = spot else { return Stability::NOTHING };
    let equilibrium = balance.equilibrium(discs.normal_load, spot);
    let known = Stability { equilibrium: Some(equilibrium), ..Stability::NOTHING };
    if equilibrium.is_captured() {
        return Stability { class: Class::Captured, ..known };
    }
    let spectrum =
        linearised(discs, &equilibrium, face).and_then(|(system, linear)| linearisation.spectrum(&system, &linear));
    judged(known, spectrum)
}

fn judged(known: Stability, spectrum: Option<Spectrum>) -> Stability {
    match spectrum {
        Some(spectrum) if spectrum.growth().is_finite() => Stability {
            class: if spectrum.growth() < 0.0 { Class::Stable } else { Class::Unstable },
            growth: Some(spectrum.growth()),
            frequency: Some(spectrum.frequency()),
            ..known
        },
        _ => Stability { class: Class::Undecided, ..known },
    }
}

/// Follows the equilibrium along a line of discs that change little from one to the next. What does not change is kept.
#[derive(Debug, Default)]
pub(crate) struct SweepStability {
    last: Option<(f64, ContactPlace)>,
    kept: Option<LastPoint>,
}

#[derive(Debug)]
struct LastPoint {
    /// Contact face, its outermost point \[m\] and whether the drive turns backwards: what the mesh depends on.
    mesh: (Contact, f64, bool),
    balance: DiscBalance,
    system: Discs,
    linear: DiscLinear,
    state: Vec<f64>,
    slope: Vec<f64>,
    follower: Follower<12>,
}

impl LastPoint {
    fn new(discs: &TwoDisc) -> Result<Self, AnalysisError> {
        let face = Face::of(discs);
        let balance = DiscBalance::new(discs, Some(&face))?;
        let system = discs.assembled(&face, None);
        let state = system.start().1;
        let outer = discs.contact.outer(discs.upper.radius);
        Ok(Self {
            mesh: (discs.contact.clone(), outer, discs.drive_speed < 0.0),
            balance,
            linear: system.new_linear(),
            slope: state.clone(),
            state,
            system,
            follower: Follower::default(),
        })
    }

    /// Whether these discs have the same mesh.
    fn suits(&self, discs: &TwoDisc) -> bool {
        let (contact, outer, is_backward) = &self.mesh;
        *contact == discs.contact
            && *outer == discs.contact.outer(discs.upper.radius)
            && *is_backward == (discs.drive_speed < 0.0)
    }

    fn stability(&mut self, discs: &TwoDisc, spot: Option<ContactPlace>, linearisation: Linearisation) -> Stability {
        let Some(spot @ ContactPlace::Slipping(_)) = spot.filter(|_| discs.contact.quadrature == Quadrature::Rings)
        else {
            return of_spot(discs, &self.balance, spot, linearisation, None);
        };
        let equilibrium = self.balance.equilibrium(discs.normal_load, spot);
        discs.refit(&mut self.system);
        self.system.write_state_at(&equilibrium, &mut self.state);
        self.system.linearise_at(&self.state, &mut self.linear, &mut self.slope);
        let known = Stability { equilibrium: Some(equilibrium), ..Stability::NOTHING };
        judged(known, linearisation.followed(&self.system, &self.linear, &mut self.follower))
    }
}

impl SweepStability {
    /// Stability of the next discs on the line.
    pub(crate) fn next(&mut self, discs: &TwoDisc, linearisation: Linearisation) -> Result<Stability, AnalysisError> {
        if discs.drive_speed == 0.0 {
            // a line may pass through a drive that stands still
            self.last = None;
            return Ok(Stability::NOTHING);
        }
        let mut kept = match self.kept.take() {
            Some(mut kept) if kept.suits(discs) => {
                kept.balance.refit(discs)?;
                kept
            }
            _ => LastPoint::new(discs)?,
        };
        let load = discs.normal_load;
        let spot = match self.last {
            // along the load the branch itself is followed; elsewhere the last centre is a good guess
            Some((from, spot)) if from != load => kept.balance.step(spot, from, load),
            Some((_, spot)) => kept.balance.nearby(spot, load),
            None => None,
        };
        let spot = spot.or_else(|| kept.balance.followed(load));
        self.last = spot.map(|spot| (load, spot));
        let stability = kept.stability(discs, spot, linearisation);
        self.kept = Some(kept);
        Ok(stability)
    }
}

/// Stability over a plane of two parameters.
///
/// # Errors
/// If a parameter makes no sense, or on request.
pub fn stability_map(
    family: PlaneFamily<'_>,
    x: &[f64],
    y: &[f64],
    linearisation: Linearisation,
    progress: &dyn Progress,
) -> Result<Map, AnalysisError> {
    let rows = in_parallel("stability", y, progress, |_, &y| {
        let mut walker = SweepStability::default();
        x.iter().map(|&x| walker.next(&family(x, y)?, linearisation)).collect::<Result<Vec<_>, AnalysisError>>()
    })?;
    Ok(Map { x: x.to_vec(), y: y.to_vec(), cells: rows.into_iter().flatten().collect() })
}
