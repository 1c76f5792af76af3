//! A small number for each living thread, reused after the thread has ended.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Returns the calling thread's number: the lowest that no other living thread has.
pub(super) fn current() -> usize {
    thread_local! {
        static SLOT: Slot = Slot::take();
    }
    SLOT.with(|slot| slot.0)
}

struct Slots {
    /// Numbers below `next` that ended threads gave back.
    free: BTreeSet<usize>,
    next: usize,
}

static SLOTS: Mutex<Slots> = Mutex::new(Slots {
    free: BTreeSet::new(),
    next: 0,
});

struct Slot(usize);

impl Slot {
    fn take() -> Slot {
        let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.free.pop_first().unwrap_or_else(|| {
            slots.next += 1;
            slots.next - 1
        });
        Slot(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
        slots.free.insert(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::Barrier;

    #[test]
    fn living_threads_differ() {
        let all_alive = Barrier::new(8);
        let slots: HashSet<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        let slot = current();
                        all_alive.wait();
                        assert_eq!(slot, current());
                        slot
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert_eq!(slots.len(), 8);
    }

    #[test]
    fn numbers_come_back() {
        // Other tests take slots as well, so only the growth over many threads can be bounded.
        let most = (0..200)
            .map(|_| std::thread::spawn(current).join().unwrap())
            .max()
            .unwrap();
        assert!(most < 150, "{most}");
    }
}
