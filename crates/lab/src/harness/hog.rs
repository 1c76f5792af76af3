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
