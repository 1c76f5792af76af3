//! Results go to standard output, whole, and nowhere else; all other text goes to standard error.

use std::io::Write;

use crate::failure::{Ending, Outcome};

/// Prints a result. Styles are taken out where standard output is no terminal or `NO_COLOR` is set.
pub fn print(text: &str) -> Outcome {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Ending::Done)
}

/// Says something on standard error. Where that is closed, nobody wanted to know.
pub fn say(words: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{words}");
}
