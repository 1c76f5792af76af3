//! The output of a verb's result, according to the flags that every verb has.

use crate::arguments::OutputArgs;
use crate::present::{Goes, Target};
use locktoll_shown::{Shown, Subject};
use locktoll_terminal::failure::{Failure, Outcome};

/// Why `--top` is refused with the other formats of a comparison.
pub const TOP_IS_FOR_TEXT: &str = "--top is for text; json and html have all rows";

/// Checks the destination before anything is measured, so that a wrong one costs nothing.
///
/// # Errors
/// [`Failure::Usage`] for a destination that cannot be used.
pub fn check(output: &OutputArgs) -> Result<(), Failure> {
    if let Some(refusal) = output.refusal() {
        return Err(Failure::Usage(refusal));
    }
    Target::of(output.output.as_deref()).check(None, Goes::default())
}

/// Writes the result to the destination that the flags ask for.
///
/// # Errors
/// If the result cannot be written there.
pub fn put(output: &OutputArgs, result: &dyn Shown) -> Outcome {
    let target = Target::of(output.output.as_deref());
    target.put_in(output.format(), Subject::Result(result))
}
