//! The same work on many items, in parallel, with results in the order of the items: the number of threads never changes a
//! bit of the result.

use rayon::prelude::*;

/// Applies `work` to every item; the first error in the order of the items is returned.
///
/// # Errors
/// Those of `work`.
pub(crate) fn map<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    items.par_iter().map(work).collect()
}
