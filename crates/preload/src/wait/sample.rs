//! The waits that are examined.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::LockKind;

use crate::index::Key;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// One wait in this many is examined for processor time and context switches, which takes two system calls.
const EXAMINED_ONE_IN: u32 = 8;

/// The number of waits of a thread at one place that are all looked into.
const ALL_LOOKED_INTO: u64 = 1024;
/// After that, one wait in this many is looked into.
const LOOKED_INTO_ONE_IN: u64 = 8;

/// Returns how many waits a wait that begins now represents, or zero if it is not looked into.
pub fn stands_for(thread: &Thread, key: Key, recorder: &'static Recorder) -> u64 {
    // Each wait for a semaphore shows whether the semaphore is a lock.
    if recorder.is_exact() || key.kind == LockKind::Semaphore {
        return 1;
    }
    let waits = thread
        .contention(key, &recorder.addresses)
        .map_or(0, |contention| contention.contended.load(Relaxed));
    if waits < ALL_LOOKED_INTO {
        return 1;
    }
    let chosen = thread.random() >> 32;
    if chosen.is_multiple_of(LOOKED_INTO_ONE_IN) {
        LOOKED_INTO_ONE_IN
    } else {
        0
    }
}

pub fn is_examined(thread: &Thread, recorder: &Recorder) -> bool {
    if recorder.is_exact() {
        return true;
    }
    let left = thread.until_examined.get();
    if left > 0 {
        thread.until_examined.set(left - 1);
        return false;
    }
    // At random, so that a rhythm of the program does not decide which waits are examined.
    let gap = thread.random() % u64::from(2 * EXAMINED_ONE_IN - 1);
    thread.until_examined.set(gap as u32);
    true
}
