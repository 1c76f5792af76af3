//! Waiting for what must happen.

use std::time::{Duration, Instant};

/// How long it may take on a machine that is busy with everything else.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until it is so.
pub fn until(what: &str, is: impl Fn() -> bool) {
    let give_up = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < give_up, "{what}: never");
        std::thread::sleep(Duration::from_millis(20));
    }
}
