//! The one loop of large studies: items in parallel, results in the order of their numbers.

use super::{Chunk, Halt, KeepError, Keeper, Part, Stage};
use crate::analysis::{Cancelled, Progress};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the loop works with.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The items.
    pub stage: Stage<'a>,
    /// Keeps what is finished.
    pub keeper: &'a dyn Keeper,
    /// Hears how far the work is, and whether to stop.
    pub progress: &'a dyn Progress,
}

/// Makes every item of a stage, or finds it kept, and hands the results to `reduce` in the order of their numbers.
///
/// `item` must depend on the number alone. `failed` says of a result whether it is that of an item that failed; such a
/// result is kept and reduced as any other. `reduce` may end the stage early by [`ControlFlow::Break`]: further items then
/// count as never made. Memory is that of one block of items, however many there are.
///
/// # Errors
/// That of the item with the lowest number whose `item` gives one, those of `reduce`, or a [`Halt`]. What was finished before
/// is kept.
pub fn ordered<T, E>(
    work: &Work<'_>,
    item: impl Fn(u64) -> Result<T, E> + Sync,
    failed: impl Fn(&T) -> bool + Sync,
    mut reduce: impl FnMut(u64, T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E>
where
    T: Serialize + DeserializeOwned + Send,
    E: From<Halt> + Send,
{
    let Work { stage, keeper, progress } = *work;
    let part = keeper.part(&stage)?;
    let range = match &part {
        Part::Only(range) => range.start.min(stage.items)..range.end.min(stage.items),
        Part::Whole | Part::Kept => 0..stage.items,
    };
    progress.begin(stage.name, range.end.saturating_sub(range.start));
    let mut head = range.start;
    let mut finished = 0;
    while head < range.end {
        let block = head..range.end.min(head.saturating_add(keeper.block(finished).max(1)));
        let mut slots: Vec<Option<T>> = Vec::new();
        slots.resize_with((block.end - block.start) as usize, || None);
        let mut found = 0;
        let read = keeper.kept(stage.name, block.clone(), &mut |number, bytes| {
            let slot = number.checked_sub(block.start).and_then(|place| slots.get_mut(place as usize));
            // bytes that do not make a result are those of another program: the item is made again
            if let (Some(slot @ None), Ok(result)) = (slot, postcard::from_bytes(bytes)) {
                *slot = Some(result);
                found += 1;
            }
        });
        read.map_err(Halt::from)?;
        progress.found(found);
        let made = match part {
            Part::Kept => Ok(()),
            Part::Whole | Part::Only(_) => make(work, &mut slots, block.start, &item, &failed),
        };
        if made.is_err() {
            // the first error is the one to tell
            let _ = keeper.settle();
        }
        made?;
        finished = block.end - block.start - found;
        head = block.end;
        if let Part::Only(_) = part {
            continue;
        }
        for (number, slot) in block.zip(slots) {
            let Some(result) = slot else {
                return Err(Halt::from(KeepError::Missing { stage: stage.name.to_owned(), item: number }).into());
            };
            if reduce(number, result)?.is_break() {
                return Ok(());
            }
        }
    }
    if let Part::Only(range) = part {
        keeper.settle().map_err(Halt::from)?;
        return Err(Halt::Parted { stage: stage.name.to_owned(), items: stage.items, range }.into());
    }
    Ok(())
}

/// Makes the items of a block that are not there, in parallel.
fn make<T, E>(
    work: &Work<'_>,
    slots: &mut [Option<T>],
    first: u64,
    item: &(impl Fn(u64) -> Result<T, E> + Sync),
    failed: &(impl Fn(&T) -> bool + Sync),
) -> Result<(), E>
where
    T: Serialize + Send,
    E: From<Halt> + Send,
{
    // the lowest number that gave an error: items above it need not be made, those below decide which error is told
    let wrong = AtomicU64::new(u64::MAX);
    let length = (slots.len() / (16 * rayon::current_num_threads())).max(1);
    let made: Vec<Option<(u64, E)>> = slots
        .par_chunks_mut(length)
        .enumerate()
        .map(|(index, slots)| {
            let start = first + (index * length) as u64;
            let error = piece(work, slots, start, &wrong, item, failed).err();
            error.inspect(|(number, _)| {
                wrong.fetch_min(*number, Ordering::Relaxed);
            })
        })
        .collect();
    let first_error = made.into_iter().flatten().min_by_key(|(number, _)| *number);
    first_error.map_or(Ok(()), |(_, error)| Err(error))
}

/// Makes neighbouring items one after the other, and keeps what is finished even if the next one gives an error.
fn piece<T, E>(
    work: &Work<'_>,
    slots: &mut [Option<T>],
    start: u64,
    wrong: &AtomicU64,
    item: &(impl Fn(u64) -> Result<T, E> + Sync),
    failed: &(impl Fn(&T) -> bool + Sync),
) -> Result<(), (u64, E)>
where
    T: Serialize,
    E: From<Halt>,
{
    let Work { stage, keeper, progress } = *work;
    let mut chunk = Chunk::at(start);
    let halt = |number: u64, halt: Halt| (number, E::from(halt));
    let keep = |chunk: Chunk, number: u64| match chunk.items() {
        0 => Ok(()),
        _ => keeper.keep(stage.name, chunk).map_err(|error| halt(number, error.into())),
    };
    let mut outcome = Ok(());
    let mut made = 0;
    for (number, slot) in numbered(start, slots) {
        if slot.is_some() {
            keep(std::mem::replace(&mut chunk, Chunk::at(number + 1)), number)?;
            continue;
        }
        if wrong.load(Ordering::Relaxed) < number {
            break;
        }
        if progress.cancelled() {
            outcome = Err(halt(number, Cancelled.into()));
            break;
        }
        let result = match item(number) {
            Ok(result) => result,
            Err(error) => {
                outcome = Err((number, error));
                break;
            }
        };
        if chunk.push(&result, failed(&result)).is_none() {
            outcome = Err(halt(number, KeepError::Unwritable { stage: stage.name.to_owned(), item: number }.into()));
            break;
        }
        *slot = Some(result);
        made += 1;
    }
    progress.advance(made);
    let last = chunk.end();
    keep(chunk, last)?;
    outcome
}

fn numbered<T>(start: u64, slots: &mut [Option<T>]) -> impl Iterator<Item = (u64, &mut Option<T>)> {
    let numbers: Range<u64> = start..u64::MAX;
    numbers.zip(slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Silent;
    use crate::analysis::campaign::Forgetful;
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    /// Keeps items in memory, as files would.
    #[derive(Default)]
    struct Memory {
        kept: Mutex<BTreeMap<u64, Vec<u8>>>,
        part: Option<Part>,
        block: u64,
    }

    impl Keeper for Memory {
        fn part(&self, _stage: &Stage<'_>) -> Result<Part, Halt> {
            Ok(self.part.clone().unwrap_or(Part::Whole))
        }
        fn kept(&self, _stage: &str, range: Range<u64>, found: &mut dyn FnMut(u64, &[u8])) -> Result<(), KeepError> {
            self.kept.lock().unwrap().range(range).for_each(|(number, bytes)| found(*number, bytes));
            Ok(())
        }
        fn keep(&self, _stage: &str, chunk: Chunk) -> Result<(), KeepError> {
            let mut rest = chunk.bytes.as_slice();
            for (number, length) in (chunk.first..).zip(&chunk.lengths) {
                let (item, behind) = rest.split_at(*length as usize);
                self.kept.lock().unwrap().insert(number, item.to_vec());
                rest = behind;
            }
            Ok(())
        }
        fn settle(&self) -> Result<(), KeepError> {
            Ok(())
        }
        fn block(&self, _finished: u64) -> u64 {
            self.block
        }
    }

    fn square(number: u64) -> Result<f64, Halt> {
        Ok((number * number) as f64)
    }

    fn sum(keeper: &dyn Keeper, items: u64) -> Result<(Vec<u64>, f64), Halt> {
        let (mut order, mut sum) = (Vec::new(), 0.0);
        let work = Work { stage: Stage::new("squares", items), keeper, progress: &Silent };
        ordered(
            &work,
            square,
            |_| false,
            |number, value: f64| {
                order.push(number);
                sum += value / 3.0;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok((order, sum))
    }

    #[test]
    fn results_come_in_the_order_of_their_numbers_whoever_made_them() {
        let (order, alone) = sum(&Forgetful, 1000).unwrap();
        assert_eq!(order, (0..1000).collect::<Vec<u64>>());
        let mut keeper = Memory { block: 37, ..Memory::default() };
        for (first, end) in [(500, 700), (0, 90), (650, 1000), (90, 500)] {
            keeper.part = Some(Part::Only(first..end));
            assert!(matches!(sum(&keeper, 1000), Err(Halt::Parted { items: 1000, .. })));
        }
        keeper.part = Some(Part::Kept);
        let (order, merged) = sum(&keeper, 1000).unwrap();
        assert_eq!((order.len(), merged.to_bits()), (1000, alone.to_bits()));
        keeper.kept.lock().unwrap().remove(&712);
        assert_eq!(
            sum(&keeper, 1000).unwrap_err(),
            Halt::Keep(KeepError::Missing { stage: "squares".into(), item: 712 })
        );
        keeper.part = None;
        assert_eq!(sum(&keeper, 1000).unwrap().1.to_bits(), alone.to_bits());
        assert_eq!(keeper.kept.lock().unwrap().len(), 1000);
    }

    #[test]
    fn the_error_of_the_lowest_item_is_told_and_what_was_finished_is_kept() {
        let keeper = Memory { block: 256, ..Memory::default() };
        let work = Work { stage: Stage::new("items", 1000), keeper: &keeper, progress: &Silent };
        let bad = |number: u64| {
            if number >= 100 && number % 7 == 3 {
                Err(Halt::Keep(KeepError::Missing { stage: "x".into(), item: number }))
            } else {
                square(number)
            }
        };
        for _ in 0..20 {
            let told = ordered(&work, bad, |_| false, |_, _: f64| Ok(ControlFlow::Continue(()))).unwrap_err();
            assert_eq!(told, Halt::Keep(KeepError::Missing { stage: "x".into(), item: 101 }));
        }
        assert!(keeper.kept.lock().unwrap().range(..101).count() == 101);
    }

    #[test]
    fn a_stage_that_is_ended_early_sees_no_item_behind_its_end() {
        let mut seen = 0;
        let work = Work { stage: Stage::new("items", u64::MAX), keeper: &Forgetful, progress: &Silent };
        ordered(
            &work,
            square,
            |_| false,
            |number, _: f64| {
                seen += 1;
                Ok::<_, Halt>(if number == 123 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )
        .unwrap();
        assert_eq!(seen, 124);
    }
}
