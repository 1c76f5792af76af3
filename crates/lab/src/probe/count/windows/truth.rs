//! Whether the system counts switches at all: Wine lists every thread with none.

use std::sync::OnceLock;
use std::time::Duration;

use super::listed::switches_of_this_thread;

/// Number of sleeps, each of which gives up the processor at least once.
const SLEEPS: u64 = 8;

/// Whether the system counts the switches of a thread that sleeps. Determined once, in some 10 to 130 ms.
pub(super) fn is_counted() -> bool {
    static COUNTED: OnceLock<bool> = OnceLock::new();
    *COUNTED.get_or_init(|| {
        let counted = || {
            let before = switches_of_this_thread()?;
            for _ in 0..SLEEPS {
                std::thread::sleep(Duration::from_millis(1));
            }
            Some(bears_out(before, switches_of_this_thread()?))
        };
        counted().unwrap_or(false)
    })
}

/// Whether the counts before and after are those of a thread that slept.
fn bears_out(before: u64, after: u64) -> bool {
    after.wrapping_sub(before) >= SLEEPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::stand_in;

    #[test]
    fn a_count_that_stands_still_is_none() {
        assert!(!bears_out(0, 0) && !bears_out(5, 5 + SLEEPS - 1));
        assert!(bears_out(5, 5 + SLEEPS));
    }

    #[test]
    fn windows_itself_counts() {
        assert!(is_counted() || stand_in().is_some());
    }
}
