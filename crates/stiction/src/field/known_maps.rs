//! Measured maps that a run has read: each file once, however many items of the run use it.

use super::{FieldModel, InterpolationChoice, Lattice, Surface};
use crate::memory::Memory;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A measured map: its points, and the function between them.
#[derive(Debug)]
pub struct MeasuredField {
    /// The points.
    pub lattice: Lattice,
    /// The function.
    pub surface: Surface,
}

/// The maps that a run has read; clones share them.
#[derive(Debug, Clone, Default)]
pub struct KnownMaps(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    maps: Vec<(MapKeys, Arc<Slot>)>,
    /// What the maps take \[bytes\].
    bytes: u64,
}

/// Whoever reads a map holds its slot, so that others wait for it instead of reading it as well.
type Slot = Mutex<Option<Arc<MeasuredField>>>;

/// The keys of a field that decide what its map is: file, bits of the step, interpolation, whether it is a loop.
type MapKeys = (String, Option<u64>, Option<InterpolationChoice>, bool);

/// Bytes of a point of a map: its value, and the coefficients of a spline.
const POINT_BYTES: u64 = 24;

/// Maps are kept up to this part of the memory of the run; more are read again by each item that uses them.
const SHARE: u64 = 4;

/// What was read already is no property of a field.
impl PartialEq for KnownMaps {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl KnownMaps {
    /// The map of a field, made by `read` unless it is known. What is kept for others is counted in the memory of the run.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn of<E>(
        &self,
        model: &FieldModel,
        memory: &Memory<'_>,
        read: impl FnOnce() -> Result<MeasuredField, E>,
    ) -> Result<Arc<MeasuredField>, E> {
        let slot = self.slot(model);
        let mut known = locked(&slot);
        if let Some(map) = &*known {
            return Ok(Arc::clone(map));
        }
        let map = Arc::new(read()?);
        if self.has_room(POINT_BYTES * map.lattice.values().len() as u64, memory.of_run()) {
            *known = Some(Arc::clone(&map));
        }
        Ok(map)
    }

    fn slot(&self, model: &FieldModel) -> Arc<Slot> {
        let FieldModel { file, grid_step, interpolation, periodic, .. } = model;
        let keys = (file.clone().unwrap_or_default(), grid_step.map(f64::to_bits), *interpolation, *periodic);
        let mut known = locked(&self.0);
        if let Some((_, slot)) = known.maps.iter().find(|(others, _)| *others == keys) {
            return Arc::clone(slot);
        }
        let slot = Arc::default();
        known.maps.push((keys, Arc::clone(&slot)));
        slot
    }

    fn has_room(&self, bytes: u64, memory: &Memory<'_>) -> bool {
        let mut known = locked(&self.0);
        let fits = known.bytes.saturating_add(bytes) <= memory.limit() / SHARE && memory.keep(bytes);
        known.bytes += if fits { bytes } else { 0 };
        fits
    }
}

/// Nobody leaves a map half-read behind: a slot is filled at once.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn map() -> MeasuredField {
        let lattice = Lattice::measured_rows(&[vec![0.5, 0.6], vec![0.7, 0.8]], 1.0).unwrap();
        let surface = Surface::positive(&lattice, InterpolationChoice::Bilinear).unwrap();
        MeasuredField { lattice, surface }
    }

    fn file(name: &str) -> FieldModel {
        FieldModel { file: Some(name.to_owned()), ..FieldModel::default() }
    }

    #[test]
    fn a_map_is_read_once_by_any_number_of_threads_and_again_for_other_keys() {
        let (maps, memory, reads) = (KnownMaps::default(), Memory::of(1 << 20), AtomicU64::new(0));
        let of = |model: &FieldModel| {
            let read = || {
                reads.fetch_add(1, Ordering::Relaxed);
                Ok::<_, ()>(map())
            };
            maps.clone().of(model, &Memory::part(&memory), read).unwrap()
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..10).for_each(|_| drop(of(&file("a")))));
            }
        });
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        of(&file("b"));
        of(&FieldModel { periodic: true, ..file("a") });
        of(&FieldModel { grid_step: Some(2.0), ..file("a") });
        of(&FieldModel { interpolation: Some(InterpolationChoice::Cubic), ..file("a") });
        assert_eq!(reads.load(Ordering::Relaxed), 5);
    }

    #[test]
    fn what_is_kept_counts_for_the_run_and_what_does_not_fit_is_read_again() {
        let (maps, memory) = (KnownMaps::default(), Memory::of(1000));
        let known = |name: &str| {
            let mut known = true;
            let read = || {
                known = false;
                Ok::<_, ()>(map())
            };
            maps.of(&file(name), &Memory::part(&memory), read).unwrap();
            known
        };
        // four points, 96 bytes: two maps fit into a quarter
        assert!(!known("a") && !known("b") && !known("c"));
        assert!(known("a") && known("b") && !known("c"));
        assert!(memory.keep(1000 - 2 * 96) && !memory.keep(1));
        assert_eq!(maps.of(&file("wrong"), &memory, || Err("no such file")).unwrap_err(), "no such file");
    }
}
