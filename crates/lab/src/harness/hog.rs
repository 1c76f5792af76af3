//! `--hogs N`: busy threads that never touch the lock.

use crate::clock::spin;

use super::control::Control;
use super::worker::Count;

/// Arithmetic between two looks at the stop word: about a microsecond.
const LOOPS: u64 = 1000;

/// Computes until told to stop, publishing its rounds: what is left of the machine for others.
pub(super) fn hog(control: &Control, published: &Count) {
    let mut rounds = 0;
    while !Control::is_stop(control.turn()) {
        spin(LOOPS);
        rounds += 1;
        published.set(rounds);
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{scope, yield_now};
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_hog_publishes_its_rounds_until_it_is_told_to_stop() {
        let (control, published) = (Control::new(false), Count::default());
        scope(|scope| {
            let hog = scope.spawn(|| hog(&control, &published));
            // Only for a hog that is broken: it must be stopped for the test to fail.
            let deadline = Instant::now() + Duration::from_secs(60);
            while published.get() < 3 && Instant::now() < deadline {
                yield_now();
            }
            let stopped_by_itself = hog.is_finished();
            control.stop();
            assert!(!stopped_by_itself);
        });
        // The scope has waited for its end.
        assert!(published.get() >= 3);
    }
}
