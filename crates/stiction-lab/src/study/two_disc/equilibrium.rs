//! Every equilibrium of the discs, and the eigenvalues of the one that continues from small loads.

use super::rotation;
use crate::dataset::{Outcome, Table, number};
use crate::study::StudyError;
use stiction::analysis::two_disc::{
    LinearMotion, Linearisation, Spectrum, linear_motion, spectra, stability, uniform_ends,
};
use stiction::mechanism::Mechanism;
use stiction::system::two_disc::{Equilibrium, Quadrature, TwoDisc};

/// Every equilibrium with slip, and the eigenvalues of the one that continues from small loads.
#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct DiscEquilibrium {
    /// Which linearisation decides about stability; the eigenvalues of both are reported.
    pub(in crate::study) linearisation: Linearisation,
}

const COORDINATES: [(&str, &str, &str); 6] = [
    ("upper_x", "m", "X_1"),
    ("upper_y", "m", "Y_1"),
    ("upper_rotation", "rad", "Θ"),
    ("lower_x", "m", "X_2"),
    ("lower_y", "m", "Y_2"),
    ("lower_rotation", "rad", "Φ"),
];

impl DiscEquilibrium {
    pub(in crate::study) fn answer(&self, discs: &TwoDisc) -> Result<Outcome, StudyError> {
        let found = discs.equilibria().map_err(stiction::analysis::AnalysisError::from)?;
        let mut outcome = Outcome::default();
        let first = found.all.first();
        self.describe(&mut outcome, discs, first)?;
        outcome.push("equilibria", "", found.all.len());
        outcome.push("captured_equilibria", "", found.all.iter().filter(|one| one.is_captured()).count());
        outcome.push("follows_from_small_loads", "", found.is_followed);
        let all: Vec<f64> = found.all.iter().map(rotation).collect();
        outcome.push("upper_rotations", "rad", all);
        mesh_free(&mut outcome, discs, self.linearisation)?;
        ends(&mut outcome, discs)?;
        if found.all.is_empty() {
            let message =
                "no equilibrium with slip was found under this load at this speed: there is nothing to be judged";
            outcome.warnings.push(message.to_owned());
        }
        if found.all.len() > 1 {
            let which = if found.is_followed { "the one that continues from small loads" } else { "one of them" };
            let count = found.all.len();
            outcome.warnings.push(format!("there are {count} equilibria; the quantities describe {which}"));
        }
        if first.is_some_and(Equilibrium::is_captured) {
            let message = "the centre of rotation sits on a cell, which sticks: a captured equilibrium has no linearisation, and its \
                           stability is not decided (another mesh, or contact.quadrature = \"centred\", has none)";
            outcome.warnings.push(message.to_owned());
        }
        outcome.tables.push(table(&found.all));
        if let Some((equilibrium, motion)) = first.and_then(|one| Some((one, linear_motion(discs, one)?))) {
            outcome.tables.push(matrices(&motion));
            if let Some(spectra) = spectra(discs, equilibrium)? {
                outcome.tables.push(modes(&motion, &spectra.reduced));
            }
        }
        Ok(outcome)
    }

    /// The first equilibrium and its eigenvalues.
    fn describe(&self, outcome: &mut Outcome, discs: &TwoDisc, first: Option<&Equilibrium>) -> Result<(), StudyError> {
        for (index, (name, unit, _)) in COORDINATES.into_iter().enumerate() {
            outcome.push(name, unit, first.map(|one| one.coordinates[index]));
        }
        // by the columns of a motion: coordinates, then their rates, which are zero
        for (index, column) in discs.columns().iter().enumerate().filter(|(_, column)| column.entry().is_some()) {
            let value = first.map(|one| one.coordinates.get(index).copied().unwrap_or(0.0));
            outcome.push(&format!("state_{}", column.name), column.unit, value);
        }
        outcome.push("pole_x", "m", first.map(|one| one.pole[0]));
        outcome.push("pole_y", "m", first.map(|one| one.pole[1]));
        outcome.push("clearance", "m", first.map(|one| one.clearance));
        outcome.push("residual", "N", first.map(|one| one.residual));
        let spectra = match first {
            Some(equilibrium) => spectra(discs, equilibrium)?,
            None => None,
        };
        let judged = spectra.as_ref().map(|both| match self.linearisation {
            Linearisation::Reduced => &both.reduced,
            Linearisation::Full => &both.full,
        });
        let reduced = spectra.as_ref().map(|both| &both.reduced);
        let full = spectra.as_ref().map(|both| &both.full);
        let list = |of: Option<&Spectrum>, part: fn(&Spectrum) -> Vec<f64>| of.map(part).unwrap_or_default();
        let real = |spectrum: &Spectrum| spectrum.values.iter().map(|value| value.re).collect();
        let imaginary = |spectrum: &Spectrum| spectrum.values.iter().map(|value| value.im).collect();
        outcome.push("eigenvalues_real", "1/s", list(reduced, real));
        outcome.push("eigenvalues_imag", "rad/s", list(reduced, imaginary));
        outcome.push("full_eigenvalues_real", "1/s", list(full, real));
        outcome.push("full_eigenvalues_imag", "rad/s", list(full, imaginary));
        outcome.push("growth", "1/s", judged.map(Spectrum::growth));
        outcome.push("frequency", "rad/s", judged.map(Spectrum::frequency));
        outcome.push("stable", "", judged.map(|spectrum| spectrum.growth() < 0.0));
        outcome.push("captured", "", first.map(Equilibrium::is_captured));
        outcome.push("kind", "", first.map_or("none", kind));
        Ok(())
    }
}

fn kind(equilibrium: &Equilibrium) -> &'static str {
    if equilibrium.is_captured() { "captured" } else { "smooth" }
}

/// The same by the rule that is free of the mesh.
fn mesh_free(outcome: &mut Outcome, discs: &TwoDisc, linearisation: Linearisation) -> Result<(), StudyError> {
    // under such a load the springs would yield by a thousand radii: the branch is too long to be followed without a mesh
    let yielding = discs.normal_load * (1.0 / discs.upper.stiffness + 1.0 / discs.lower.stiffness);
    let is_too_long = discs.law.lugre().static_coefficient * yielding > 1e3 * discs.upper.radius;
    // cells of the user are the face
    if is_too_long || !discs.contact.cells.is_empty() {
        outcome.push("mesh_free_rotation", "rad", crate::dataset::Value::Missing);
        outcome.push("mesh_free_growth", "1/s", crate::dataset::Value::Missing);
        return Ok(());
    }
    let mut centred = discs.clone();
    centred.contact.quadrature = Quadrature::Centred;
    let found = stability(&centred, linearisation)?;
    outcome.push("mesh_free_rotation", "rad", super::level(&found));
    outcome.push("mesh_free_growth", "1/s", found.growth);
    if let (Some(fine), Some(crate::dataset::Value::Number(coarse))) = (found.growth, outcome.quantity("growth"))
        && (fine < 0.0) != (*coarse < 0.0)
    {
        let message = format!(
            "the verdict depends on the mesh: growth {} 1/s on the rings, {} 1/s without a mesh",
            number(*coarse),
            number(fine)
        );
        outcome.warnings.push(message);
    }
    Ok(())
}

/// The equilibrium at both ends of the field's interval.
fn ends(outcome: &mut Outcome, discs: &TwoDisc) -> Result<(), StudyError> {
    let Some(ends) = uniform_ends(discs) else { return Ok(()) };
    for (name, end) in ["lowest_friction_rotation", "highest_friction_rotation"].into_iter().zip(ends) {
        let found = end.equilibrium().map_err(stiction::analysis::AnalysisError::from)?;
        outcome.push(name, "rad", found.as_ref().map(rotation));
    }
    Ok(())
}

/// M₁, C₁ and K₁ of Eq. 7, whose entries Appendix C of the paper lists.
fn matrices(motion: &LinearMotion) -> Table {
    let diagonal = |i: usize, j: usize| if i == j { motion.inertia[i] } else { 0.0 };
    let entries = || (0..6).flat_map(|i| (0..6).map(move |j| (i, j)));
    let names = ["M_1", "C_1", "K_1"];
    let of = |pick: fn((usize, usize)) -> usize| {
        names.iter().flat_map(|_| entries().map(|entry| COORDINATES[pick(entry)].0.to_owned())).collect::<Vec<_>>()
    };
    let values = entries().map(|(i, j)| diagonal(i, j));
    let values = values.chain(entries().map(|(i, j)| motion.damping[i][j]));
    let values = values.chain(entries().map(|(i, j)| motion.stiffness[i][j]));
    Table::new("matrices", "M_1, C_1 and K_1 of the linearised motion, bristles eliminated; in N, m, rad, s")
        .words("matrix", "matrix", names.iter().flat_map(|name| entries().map(|_| (*name).to_owned())).collect())
        .words("row", "row", of(|entry| entry.0))
        .words("column", "column", of(|entry| entry.1))
        .numbers("value", "", "entry", values.collect())
}

/// Shapes of the modes of the reduced eigenvalues, one of each pair.
fn modes(motion: &LinearMotion, spectrum: &Spectrum) -> Table {
    let upper = spectrum.values.iter().filter(|value| value.im >= 0.0);
    let shapes = upper.enumerate().filter_map(|(index, value)| Some((index as i64 + 1, value, motion.shape(*value)?)));
    let rows: Vec<_> = shapes
        .flat_map(|(mode, value, shape)| COORDINATES.iter().zip(shape).map(move |(name, q)| (mode, value, name.0, q)))
        .collect();
    Table::new("modes", "shapes of the modes, by falling growth; the largest coordinate of each is 1 (m, rad)")
        .integers("mode", "mode", rows.iter().map(|row| row.0).collect())
        .numbers("growth", "1/s", "growth Re λ", rows.iter().map(|row| row.1.re).collect())
        .numbers("frequency", "rad/s", "frequency Im λ", rows.iter().map(|row| row.1.im).collect())
        .words("coordinate", "coordinate", rows.iter().map(|row| row.2.to_owned()).collect())
        .numbers("real", "", "real part", rows.iter().map(|row| row.3.re).collect())
        .numbers("imaginary", "", "imaginary part", rows.iter().map(|row| row.3.im).collect())
}

fn table(all: &[Equilibrium]) -> Table {
    let mut table = Table::new("equilibria", "every equilibrium that was found; the one that is described first")
        .integers("number", "number", (1..=all.len() as i64).collect())
        .words("kind", "kind", all.iter().map(|one| kind(one).to_owned()).collect());
    for (index, (name, unit, label)) in COORDINATES.into_iter().enumerate() {
        table = table.numbers(name, unit, label, all.iter().map(|one| one.coordinates[index]).collect());
    }
    table
        .numbers("pole_x", "m", "centre of rotation, x", all.iter().map(|one| one.pole[0]).collect())
        .numbers("pole_y", "m", "centre of rotation, y", all.iter().map(|one| one.pole[1]).collect())
        .numbers("clearance", "m", "distance to the nearest cell", all.iter().map(|one| one.clearance).collect())
        .numbers("residual", "N", "unbalanced force", all.iter().map(|one| one.residual).collect())
}
