//! A thread's state, and the record of its life.

use super::*;

fn thread(slot: u32) -> &'static Thread {
    // SAFETY: zeros are a thread that has not started.
    let thread = Box::leak(unsafe { Box::<Thread>::new_zeroed().assume_init() });
    assert!(!thread.is_started());
    // SAFETY: T2: nobody else has it.
    unsafe { thread.start(slot) };
    thread
}

#[test]
fn a_thread_is_busy_and_keeps_a_wait_back_independently() {
    let thread = thread(5);
    assert!(thread.is_started() && thread.slot() == 5);
    assert!(thread.has_nothing_pending() && !thread.is_busy());
    thread.set_busy(true);
    assert!(thread.is_busy() && !thread.has_nothing_pending());
    assert!(thread.keep_back(Waited::made_up(7)) && !thread.keep_back(Waited::made_up(8)));
    assert!(thread.is_busy());
    thread.set_busy(false);
    assert!(!thread.is_busy() && !thread.has_nothing_pending());
    assert!(thread.take_kept_back(Some(8)).is_none());
    assert!(!thread.has_nothing_pending(), "it was another wait");
    thread.set_busy(true);
    let taken = thread.take_kept_back(Some(7)).map(|wait| wait.key.lock);
    assert_eq!((taken, thread.is_busy()), (Some(7), true));
    thread.set_busy(false);
    assert!(thread.has_nothing_pending());
}

#[test]
fn threads_have_random_numbers_of_their_own() {
    let numbers = |slot| [(); 200].map(|()| thread(slot)).map(|it| it.random())[0];
    assert_ne!(numbers(1), numbers(2));
    let thread = thread(1);
    let drawn: Vec<u64> = (0..200).map(|_| thread.random()).collect();
    let distinct: std::collections::BTreeSet<u64> = drawn.iter().copied().collect();
    assert_eq!(distinct.len(), drawn.len());
    // Every bit is set about half the time.
    for bit in 0..64 {
        let set = drawn.iter().filter(|it| **it >> bit & 1 == 1).count();
        assert!((60..140).contains(&set), "bit {bit}: {set} of 200");
    }
}

#[test]
fn the_record_of_a_life_says_what_the_thread_waits_for() {
    let thread = thread(1);
    // Without a record, nothing is noted.
    thread.begin_wait(0x1000, EntryPoint::Lock, 3, 77);
    thread.end_wait(5, true);
    // SAFETY: zeros are a valid record.
    let life: &ThreadRecord = Box::leak(Box::new(unsafe { core::mem::zeroed() }));
    thread.life.set(life);
    assert!(thread.life().is_some());
    thread.waits_for(42, 9);
    thread.begin_wait(0x1000, EntryPoint::TimedLock, 3, 77);
    assert_eq!(life.waiting_lock.load(Relaxed), 0x1000);
    assert_eq!(life.waiting_site.load(Relaxed), 3);
    let entry = u32::from(EntryPoint::TimedLock.number());
    assert_eq!(life.waiting_entry.load(Relaxed), entry);
    assert_eq!(life.waiting_since_ns.load(Relaxed), 77);
    assert_eq!(life.waiting_holder.load(Relaxed), 0, "not yet known");
    thread.waits_for(42, 9);
    assert_eq!(life.waiting_holder.load(Relaxed), 42);
    assert_eq!(life.waiting_holder_site.load(Relaxed), 9);
    for (waited_ns, for_lock) in [(5, true), (6, true), (40, false)] {
        thread.end_wait(waited_ns, for_lock);
    }
    assert_eq!(life.waiting_since_ns.load(Relaxed), 0);
    assert_eq!(life.lock_wait_ns.load(Relaxed), 11);
    assert_eq!(life.signal_wait_ns.load(Relaxed), 40);
}
