//! The output of every verb's result, by the flags that every verb has.

use crate::arguments::OutputArgs;
use crate::present::{Goes, Target};
use locktoll_shown::{Shown, Subject};
use locktoll_terminal::failure::{Failure, Outcome};

/// Why `--top` is refused with the other forms of a comparison.
pub const TOP_IS_FOR_TEXT: &str = "--top is for text; json and html have all rows";

/// Looks at the place before anything is measured, so that a wrong one costs nothing.
///
/// # Errors
/// [`Failure::Usage`] for a place that would not do.
pub fn check(output: &OutputArgs) -> Result<(), Failure> {
    if let Some(refusal) = output.refusal() {
        return Err(Failure::Usage(refusal));
    }
    Target::of(output.output.as_deref()).check(None, Goes::default())
}

/// Puts the result where it was asked for.
///
/// # Errors
/// If it cannot be written there.
pub fn put(output: &OutputArgs, result: &dyn Shown) -> Outcome {
    let target = Target::of(output.output.as_deref());
    target.put_in(output.format(), Subject::Result(result))
}
