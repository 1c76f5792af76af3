//! `--hogs N`: busy threads that never touch the lock.

use crate::clock::spin;

use super::control::Control;
use super::worker::Count;

/// Iterations of the arithmetic between two looks at the stop word: about a microsecond.
const LOOPS: u64 = 1000;

/// Computes until asked to stop, and publishes its rounds, which show how much of the machine is left for other threads.
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
            // Only for a broken hog: it must be stopped for the test to fail.
            let deadline = Instant::now() + Duration::from_secs(60);
            while published.get() < 3 && Instant::now() < deadline {
                yield_now();
            }
            let stopped_by_itself = hog.is_finished();
            control.stop();
            assert!(!stopped_by_itself);
        });
        // The scope has waited for it to end.
        assert!(published.get() >= 3);
    }
}
