//! The contacts that stick: which coordinates they eliminate, and the forces that hold them.

use super::network::{Network, Row};
use std::collections::BTreeMap;

/// Relative size below which a pivot is rounding: the contact is held by those before it.
const ROUNDING: f64 = 1e-12;

/// Contacts between the same ends: they hold together, and share the force.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    /// Direction of the first member.
    pub(super) row: Row,
    /// Contacts, and their directions in units of the first one.
    pub(super) members: Vec<(usize, f64)>,
}

/// A velocity that stuck contacts determine: v = Σ c v_k + Σ d s.
#[derive(Debug, Clone, PartialEq)]
struct Eliminated {
    coordinate: usize,
    by: Row,
}

/// The elimination of a set of stuck contacts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stick {
    pub(super) groups: Vec<Group>,
    eliminated: Vec<Eliminated>,
    /// Rows of Cholesky's factor of G = Wᵀ M⁻¹ W, each from its first entry to the diagonal; a diagonal of zero is a group that
    /// those before it hold already.
    factor: Vec<(usize, Vec<f64>)>,
    /// Forces that balance each other, one list for each group that others hold already.
    pub(super) loops: Vec<Vec<f64>>,
}

impl Stick {
    pub(super) fn of(network: &Network, stuck: impl Iterator<Item = usize>) -> Self {
        let groups = grouped(network, stuck);
        let eliminated = eliminated(&groups);
        let factor = factor(network, &groups);
        let mut stick = Self { groups, eliminated, factor, loops: Vec::new() };
        stick.loops = stick.dependent().map(|k| stick.balance(network, k)).collect();
        stick
    }

    fn dependent(&self) -> impl Iterator<Item = usize> + use<> {
        let dependent: Vec<usize> =
            (0..self.groups.len()).filter(|&k| self.factor[k].1.last().is_none_or(|pivot| *pivot == 0.0)).collect();
        dependent.into_iter()
    }

    /// Puts velocities or accelerations of the coordinates onto the stuck contacts; `drives` are speeds or accelerations.
    #[inline]
    pub(super) fn project(&self, coordinates: &mut [f64], drives: &[f64]) {
        for Eliminated { coordinate, by } in &self.eliminated {
            coordinates[*coordinate] = by.along(coordinates, drives);
        }
    }

    /// Forces of the groups that take away these accelerations: G λ = right, in place; 0 for groups that others hold already.
    pub(super) fn solve(&self, right: &mut [f64]) {
        for (i, (first, row)) in self.factor.iter().enumerate() {
            let Some((pivot, inner)) = row.split_last() else { continue };
            let known: f64 = inner.iter().zip(&right[*first..]).map(|(l, x)| l * x).sum();
            right[i] = if *pivot == 0.0 { 0.0 } else { (right[i] - known) / pivot };
        }
        for (i, (first, row)) in self.factor.iter().enumerate().rev() {
            let Some((pivot, inner)) = row.split_last() else { continue };
            right[i] = if *pivot == 0.0 { 0.0 } else { right[i] / pivot };
            let force = right[i];
            for (l, x) in inner.iter().zip(&mut right[*first..]) {
                *x -= l * force;
            }
        }
    }

    /// A force of 1 on a group that others hold already, and what they add to balance it.
    fn balance(&self, network: &Network, group: usize) -> Vec<f64> {
        let row = &self.groups[group].row;
        let mut forces: Vec<f64> = self.groups.iter().map(|other| -coupling(network, row, &other.row)).collect();
        self.solve(&mut forces);
        forces[group] = 1.0;
        forces
    }
}

/// Contacts with the same direction and the same drives, up to a factor, belong together.
fn grouped(network: &Network, stuck: impl Iterator<Item = usize>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_coordinates: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for contact in stuck {
        let row = &network.contacts[contact].row;
        let key: Vec<usize> = row.entries.iter().map(|(k, _)| *k).collect();
        let known = by_coordinates.entry(key).or_default();
        let found = known.iter().find_map(|&group| Some((group, factor_between(&groups[group].row, row)?)));
        match found {
            Some((group, factor)) => groups[group].members.push((contact, factor)),
            None => {
                known.push(groups.len());
                groups.push(Group { row: row.clone(), members: vec![(contact, 1.0)] });
            }
        }
    }
    groups
}

/// c with `second` = c `first`, if there is one.
fn factor_between(first: &Row, second: &Row) -> Option<f64> {
    let (&(_, a), &(_, b)) = (first.entries.first()?, second.entries.first()?);
    let factor = b / a;
    let alike = |x: &[(usize, f64)], y: &[(usize, f64)]| {
        x.len() == y.len()
            && x.iter().zip(y).all(|(p, q)| p.0 == q.0 && (q.1 - factor * p.1).abs() <= ROUNDING * q.1.abs())
    };
    (alike(&first.entries, &second.entries) && alike(&first.drives, &second.drives)).then_some(factor)
}

/// Solves the conditions w·v + d·s = 0 for one coordinate each.
fn eliminated(groups: &[Group]) -> Vec<Eliminated> {
    let mut known: Vec<Eliminated> = Vec::new();
    for group in groups {
        let mut row = group.row.clone();
        for earlier in &known {
            row = substituted(&row, earlier);
        }
        let largest = row.entries.iter().fold(0.0, |most: f64, (_, c)| most.max(c.abs()));
        let size = group.row.entries.iter().fold(0.0, |most: f64, (_, c)| most.max(c.abs()));
        let Some(&(coordinate, pivot)) =
            row.entries.iter().find(|(_, c)| c.abs() == largest && largest > ROUNDING * size)
        else {
            continue;
        };
        let scaled = |list: &[(usize, f64)]| -> Vec<(usize, f64)> {
            list.iter().filter(|(k, _)| *k != coordinate).map(|(k, c)| (*k, -c / pivot)).collect()
        };
        let drives = row.drives.iter().map(|(k, d)| (*k, -d / pivot)).collect();
        let new = Eliminated { coordinate, by: Row { entries: scaled(&row.entries), drives } };
        for earlier in known.iter_mut().filter(|earlier| !earlier.by.entries.is_empty()) {
            earlier.by = substituted(&earlier.by, &new);
        }
        known.push(new);
    }
    known
}

/// A row in which a coordinate is replaced by what determines it.
fn substituted(row: &Row, known: &Eliminated) -> Row {
    let Some(&(_, factor)) = row.entries.iter().find(|(k, _)| *k == known.coordinate) else { return row.clone() };
    let merged = |list: &[(usize, f64)], more: &[(usize, f64)]| -> Vec<(usize, f64)> {
        let mut sum: BTreeMap<usize, f64> = list.iter().copied().filter(|(k, _)| *k != known.coordinate).collect();
        for (k, c) in more {
            *sum.entry(*k).or_default() += factor * c;
        }
        sum.into_iter().filter(|(_, c)| c.abs() > ROUNDING).collect()
    };
    let mut drives: BTreeMap<usize, f64> = row.drives.iter().copied().collect();
    for (k, d) in &known.by.drives {
        *drives.entry(*k).or_default() += factor * d;
    }
    Row {
        entries: merged(&row.entries, &known.by.entries),
        drives: drives.into_iter().filter(|(_, d)| *d != 0.0).collect(),
    }
}

/// wᵢᵀ M⁻¹ wⱼ.
pub(super) fn coupling(network: &Network, first: &Row, second: &Row) -> f64 {
    let part = |&(k, c): &(usize, f64)| -> f64 {
        let others = second.entries.iter().filter(|(other, _)| *other == k);
        others.map(|(_, d)| c * d / network.coordinates[k].mass).sum()
    };
    first.entries.iter().map(part).sum()
}

/// Cholesky's factor row by row, from the first group that shares a coordinate.
fn factor(network: &Network, groups: &[Group]) -> Vec<(usize, Vec<f64>)> {
    let mut first_user: BTreeMap<usize, usize> = BTreeMap::new();
    let mut rows: Vec<(usize, Vec<f64>)> = Vec::with_capacity(groups.len());
    for (i, group) in groups.iter().enumerate() {
        let used = group.row.entries.iter().map(|(k, _)| *first_user.entry(*k).or_insert(i));
        let first = used.min().unwrap_or(i);
        let mut row = vec![0.0; i + 1 - first];
        for j in first..=i {
            let other: &[f64] = if j < i { &rows[j].1 } else { &[] };
            let from = if j < i { rows[j].0 } else { first };
            let shared = first.max(from);
            let known: f64 = if j < i {
                (shared..j).map(|k| row[k - first] * other[k - from]).sum()
            } else {
                row[..j - first].iter().map(|l| l * l).sum()
            };
            let entry = coupling(network, &group.row, &groups[j].row) - known;
            row[j - first] = if j < i {
                let pivot = other.last().copied().unwrap_or(0.0);
                if pivot == 0.0 { 0.0 } else { entry / pivot }
            } else if entry > ROUNDING * coupling(network, &group.row, &group.row) {
                entry.sqrt()
            } else {
                0.0
            };
        }
        rows.push((first, row));
    }
    rows
}
