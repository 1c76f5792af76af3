//! Finds the list of held locks of a thread, from the owner's id that a lock stores.

use core::ptr::{from_ref, null_mut};
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU32};

use crate::thread::Thread;

/// The number of slots that are known. Threads in further slots cannot be found.
const SLOTS: usize = 1 << 15;
/// The length of the table by thread id.
const TABLE: usize = 1 << 16;
/// How far an entry may be from its home position.
const PROBES: usize = 16;
/// The number of threads that are asked one after another if a lock does not store its holder.
const ASKED: usize = 256;

/// All threads that have a slot. Valid when zeroed: then there are none.
pub struct Holders {
    by_slot: [AtomicPtr<Thread>; SLOTS],
    /// Slot numbers, by thread id.
    table: [AtomicU32; TABLE],
    last_slot: AtomicU32,
}

impl Holders {
    fn thread(&self, slot: u32) -> Option<&'static Thread> {
        // Acquire: a reader that sees the pointer sees a thread that has started.
        let thread = self.by_slot.get(slot as usize)?.load(Acquire);
        // SAFETY: O1.
        unsafe { thread.as_ref() }
    }

    fn places(tid: u32) -> impl Iterator<Item = usize> {
        let first = tid.wrapping_mul(0x9E37_79B9) as usize >> 16;
        (0..PROBES).map(move |step| (first + step) % TABLE)
    }

    /// Returns the slot of the thread `tid`, if it has one.
    pub fn find(&self, tid: u32) -> Option<&'static Thread> {
        if tid == 0 {
            return None;
        }
        // Relaxed: the result is checked against the thread's own word.
        Self::places(tid)
            .filter_map(|place| self.thread(self.table[place].load(Relaxed)))
            .find(|thread| thread.tid.load(Relaxed) == tid)
    }

    /// Iterates over threads that have a slot, limited to as many as can be asked quickly.
    pub fn iter(&self) -> impl Iterator<Item = &'static Thread> + '_ {
        let last = self.last_slot.load(Relaxed) as usize;
        (1..=last.min(ASKED)).filter_map(|slot| self.thread(slot as u32))
    }

    /// Iterates over every thread that has a slot.
    pub fn all(&self) -> impl Iterator<Item = &'static Thread> + '_ {
        let last = self.last_slot.load(Relaxed);
        (1..=last).filter_map(|slot| self.thread(slot))
    }

    /// Notes that the calling thread, `tid`, now has `thread` as its slot. O2.
    pub fn enter(&self, thread: &'static Thread, tid: u32) {
        let slot = thread.slot();
        let Some(by_slot) = self.by_slot.get(slot as usize) else {
            return;
        };
        // Release: see `thread`.
        by_slot.store(from_ref(thread).cast_mut(), Release);
        self.last_slot.fetch_max(slot, Relaxed);
        thread.tid.store(tid, Relaxed);
        let free = Self::places(tid).find(|&place| {
            let there = self.table[place].load(Relaxed);
            // A slot that has passed on to another thread is also entered elsewhere.
            there == 0 || there == slot || {
                let other = self.thread(there);
                other.is_none_or(|other| !self.is_found_at(other, place))
            }
        });
        if let Some(place) = free {
            self.table[place].store(slot, Relaxed);
        }
    }

    /// Whether `place` is on the probe path of `thread` as it is now.
    fn is_found_at(&self, thread: &Thread, place: usize) -> bool {
        let tid = thread.tid.load(Relaxed);
        tid != 0 && Self::places(tid).any(|on_the_way| on_the_way == place)
    }

    /// Notes that the thread of this slot has ended. O2.
    pub fn leave(&self, thread: &Thread) {
        thread.tid.store(0, Relaxed);
        if let Some(by_slot) = self.by_slot.get(thread.slot() as usize) {
            by_slot.store(null_mut(), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_found_as_long_as_they_live() {
        // SAFETY: zeros are valid values of all of them.
        let (holders, threads) = unsafe {
            (
                Box::<Holders>::new_zeroed().assume_init(),
                (1..=200)
                    .map(|_| &*Box::leak(Box::<Thread>::new_zeroed().assume_init()))
                    .collect::<Vec<&'static Thread>>(),
            )
        };
        for (slot, thread) in (1..).zip(&threads) {
            // SAFETY: it belongs to nobody.
            unsafe { thread.start(slot) };
        }
        // Many threads live in few slots.
        for life in 0..50_000_u32 {
            let thread = threads[life as usize % threads.len()];
            let tid = 1000 + life * 3;
            holders.leave(thread);
            holders.enter(thread, tid);
            let found = holders.find(tid).expect("it lives");
            assert!(core::ptr::eq(found, thread));
            let gone = tid.wrapping_sub(3 * threads.len() as u32);
            assert!(holders.find(gone).is_none());
        }
        assert_eq!(holders.all().count(), threads.len());
        assert!(holders.find(0).is_none());
    }
}
