//! The record that a hold is entered into.

use core::ptr::from_ref;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{CountRecord, EntryPoint, HoldRecord, LockKind, POOLED};

use crate::index::Key;
use crate::recorder::Recorder;
use crate::thread::{RECENT_HOLDS, Thread};

/// The number of hold records that a thread makes for single locks.
const SINGLE_RECORDS: u32 = 512;

/// Returns the record that a hold of `count` is entered into.
pub fn record(
    thread: &Thread,
    count: &'static CountRecord,
    recorder: &'static Recorder,
) -> Option<&'static HoldRecord> {
    let recent =
        &thread.recent_holds[from_ref(count).addr() / size_of::<CountRecord>() % RECENT_HOLDS];
    let (recent_count, recent_hold) = recent.get();
    if core::ptr::eq(recent_count, count) {
        // SAFETY: set below, to a record that stays mapped.
        let hold = unsafe { recent_hold.as_ref() };
        // Either record may have been reused for another lock since.
        if hold.is_some_and(|hold| is_of(hold, count)) {
            return hold;
        }
    }
    let hold = look_up(thread, count, recorder)?;
    recent.set((count, hold));
    Some(hold)
}

/// Whether `hold` is the record that holds of `count` are entered into.
fn is_of(hold: &HoldRecord, count: &CountRecord) -> bool {
    let (lock, generation) = (hold.lock.load(Relaxed), hold.generation.load(Relaxed));
    let wanted = if lock == POOLED {
        (POOLED, count.birth.load(Relaxed))
    } else {
        (count.lock.load(Relaxed), count.generation.load(Relaxed))
    };
    (lock, generation) == wanted
}

#[cold]
fn look_up(
    thread: &Thread,
    count: &CountRecord,
    recorder: &'static Recorder,
) -> Option<&'static HoldRecord> {
    let birth = count.birth.load(Relaxed);
    let mut key = Key {
        lock: count.lock.load(Relaxed) as usize,
        generation: count.generation.load(Relaxed),
        site: recorder.addresses.get(count.site.load(Relaxed)),
        entry: EntryPoint::from_number(count.entry.load(Relaxed))?,
        kind: LockKind::from_number(count.kind.load(Relaxed))?,
        birth,
        other: 0,
    };
    if thread.hold_records() >= SINGLE_RECORDS {
        if let Some(single) = thread.hold(key, &recorder.addresses) {
            return Some(single);
        }
        key.lock = POOLED as usize;
        key.generation = birth;
    }
    thread.make_hold(key, recorder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_of_one_lock_or_of_all_of_one_birth() {
        // SAFETY: zeros are a valid record.
        let (hold, count): (HoldRecord, CountRecord) = unsafe { core::mem::zeroed() };
        for (lock, generation, expected) in [
            (0x1000, 5, true),
            (0x1000, 9, false),
            (0x2000, 5, false),
            (POOLED, 9, true),
            (POOLED, 5, false),
        ] {
            count.lock.store(0x1000, Relaxed);
            count.generation.store(5, Relaxed);
            count.birth.store(9, Relaxed);
            hold.lock.store(lock, Relaxed);
            hold.generation.store(generation, Relaxed);
            assert_eq!(is_of(&hold, &count), expected, "{lock:#x}, {generation}");
        }
    }
}
