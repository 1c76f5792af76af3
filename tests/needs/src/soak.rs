//! Whether tests take their time.

use std::cell::Cell;
use std::env;

use crate::notes::{self, Note};

/// The variable that asks for the long variant of each test that has one, where it is `1`.
pub const SOAK: &str = "LOCKTOLL_TEST_SOAK";

thread_local! {
    /// Whether the test of this thread is noted already.
    static NOTED: Cell<bool> = const { Cell::new(false) };
}

/// Whether each test that has a long variant is to run that one. The short one has the same cases, with fewer repetitions or
/// a shorter load in each. It is noted, so that `cargo xtask skipped-tests` can run the long one later.
#[must_use]
pub fn soak() -> bool {
    let long = env::var(SOAK).is_ok_and(|value| value == "1");
    if !long && !NOTED.replace(true) {
        notes::add(&Note::short());
    }
    long
}
