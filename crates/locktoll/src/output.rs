//! Results go to standard output, whole, and nowhere else.

use std::io::Write;

use crate::exit::{Ending, Outcome};

/// Prints a result. Styles are taken out where standard output is no terminal or `NO_COLOR` is set.
pub fn print(text: &str) -> Outcome {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Ending::Done)
}
