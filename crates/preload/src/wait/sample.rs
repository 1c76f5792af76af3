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

#[cfg(test)]
mod tests {
    use locktoll_recording::layout::{ContentionRecord, EntryPoint};

    use super::*;

    fn new() -> (&'static Recorder, &'static Thread) {
        // SAFETY: zeros are a recorder that has not started.
        let recorder = Box::leak(unsafe { Box::<Recorder>::new_zeroed().assume_init() });
        // SAFETY: zeros are a thread that has not started.
        let thread = Box::leak(unsafe { Box::<Thread>::new_zeroed().assume_init() });
        // SAFETY: T2: nobody else has it.
        unsafe { thread.start(1) };
        (recorder, thread)
    }

    #[test]
    fn the_first_wait_is_examined_and_then_one_in_eight() {
        let (recorder, thread) = new();
        assert!(is_examined(thread, recorder));
        let examined = (0..8_000).filter(|_| is_examined(thread, recorder)).count();
        assert!((900..1_100).contains(&examined), "{examined} of 8000");
    }

    #[test]
    fn after_many_waits_at_a_place_one_in_eight_stands_for_eight() {
        let (recorder, thread) = new();
        let key = |kind| Key {
            lock: 0x1000,
            generation: 0,
            site: 0,
            entry: EntryPoint::Lock,
            kind,
            birth: 0,
            other: 0,
        };
        let mutex = key(LockKind::Mutex);
        assert_eq!(stands_for(thread, mutex, recorder), 1, "the first wait");
        // SAFETY: zeros are a valid record.
        let waits: &ContentionRecord = Box::leak(Box::new(unsafe { core::mem::zeroed() }));
        waits.lock.store(0x1000, Relaxed);
        waits.entry.store(EntryPoint::Lock.number(), Relaxed);
        thread.contentions.index.insert(mutex, waits);
        waits.contended.store(ALL_LOOKED_INTO - 1, Relaxed);
        assert!((0..100).all(|_| stands_for(thread, mutex, recorder) == 1));
        waits.contended.store(ALL_LOOKED_INTO, Relaxed);
        let drawn = (0..8_000).map(|_| stands_for(thread, mutex, recorder));
        let drawn: Vec<u64> = drawn.collect();
        assert!(drawn.iter().all(|it| [0, LOOKED_INTO_ONE_IN].contains(it)));
        let sum: u64 = drawn.iter().sum();
        assert!((7_000..9_000).contains(&sum), "{sum} for 8000");
        let semaphore = key(LockKind::Semaphore);
        assert!((0..100).all(|_| stands_for(thread, semaphore, recorder) == 1));
    }
}
