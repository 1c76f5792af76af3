//! The work on Windows.

use crate::inner::Inner;
use crate::slices;
use locktoll_terminal::failure::{Failure, Outcome};

/// Does what the program started itself for.
pub fn serve(inner: Inner) -> Outcome {
    match inner {
        Inner::Cell => slices::serve(),
        _ => Err(Failure::Unsupported(
            "the programs that Linux's verbs watch are not there".to_owned(),
        )),
    }
}
