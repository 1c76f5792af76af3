//! Results go to standard output as a whole, and nowhere else; all other text goes to standard error.

use std::io::Write;

use crate::failure::{Ending, Outcome};

/// Prints a result. Styles are removed if standard output is not a terminal or `NO_COLOR` is set.
pub fn print(text: &str) -> Outcome {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Ending::Done)
}

/// Writes a line to standard error. If that is closed, nobody wants to read it.
pub fn say(words: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{words}");
}
