//! The holds of the calling thread.
//!
//! Only the thread itself uses its list. Its moments are those of a clock that stands still while the thread adds to a
//! hold: so a hold around another one is not lengthened by what was added inside.

use super::work::{self, Held, Owed};
use crate::thread_data::thread_data;

/// How many locks a thread may hold at once. Of more, the first ones are not lengthened.
const MOST: usize = 48;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Hold {
    /// The address of the lock.
    lock: usize,
    /// How often the thread has acquired it.
    depth: usize,
    began_ns: u64,
    /// 0: not read.
    cpu_began_ns: u64,
}

/// A thread's holds, the oldest first.
#[derive(Debug)]
#[repr(C)]
pub struct Holds {
    count: usize,
    /// How much the thread has added to its holds so far, in time and in CPU time.
    added_ns: u64,
    added_cpu_ns: u64,
    owed: Owed,
    holds: [Hold; MOST],
}

thread_data! {
    /// Returns the calling thread's holds.
    fn own() -> *mut Holds = "locktoll_lengthen_holds";
}

/// Begins a hold that the calling thread has just acquired. `is_again`: the kind of lock may be acquired again by its holder.
pub fn begin(lock: usize, is_again: bool) {
    // SAFETY: the thread's own; a signal handler that locks would have to do so in this function, and POSIX does not permit that.
    unsafe { &mut *own() }.begin(lock, is_again);
}

/// Ends a hold that the calling thread is about to release, and adds to it.
pub fn end(lock: usize) {
    // SAFETY: as above.
    unsafe { &mut *own() }.end(lock);
}

impl Holds {
    fn begin(&mut self, lock: usize, is_again: bool) {
        let held = &mut self.holds[..self.count];
        match held.iter().rposition(|it| it.lock == lock) {
            Some(index) if is_again => {
                held[index].depth += 1;
                return;
            }
            // Another thread has released it.
            Some(index) => self.remove(index),
            None if self.count == MOST => self.remove(0),
            None => {}
        }
        let cpu = work::cpu_if_long();
        self.holds[self.count] = Hold {
            lock,
            depth: 1,
            began_ns: work::now().saturating_sub(self.added_ns),
            cpu_began_ns: match cpu {
                0 => 0,
                cpu => cpu.saturating_sub(self.added_cpu_ns).max(1),
            },
        };
        self.count += 1;
    }

    fn end(&mut self, lock: usize) {
        let held = &mut self.holds[..self.count];
        let Some(index) = held.iter().rposition(|it| it.lock == lock) else {
            return;
        };
        held[index].depth -= 1;
        if held[index].depth > 0 {
            return;
        }
        let hold = held[index];
        self.remove(index);
        let ns = work::now().saturating_sub(self.added_ns + hold.began_ns);
        let cpu_ns = match (hold.cpu_began_ns, work::cpu_if_long()) {
            (0, _) | (_, 0) => None,
            (began, now) => Some(now.saturating_sub(self.added_cpu_ns + began)),
        };
        let (added_ns, added_cpu_ns) = work::add(Held { ns, cpu_ns }, &mut self.owed);
        self.added_ns += added_ns;
        self.added_cpu_ns += added_cpu_ns;
    }

    fn remove(&mut self, index: usize) {
        self.holds.copy_within(index + 1..self.count, index);
        self.count -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locks() -> Vec<usize> {
        // SAFETY: the thread's own.
        let holds = unsafe { &*own() };
        holds.holds[..holds.count]
            .iter()
            .map(|it| it.lock)
            .collect()
    }

    #[test]
    fn holds_end_in_any_order_and_once_for_each_acquisition() {
        for lock in [8, 16, 24] {
            begin(lock, false);
        }
        end(16);
        end(16);
        assert_eq!(locks(), [8, 24]);
        begin(8, true);
        end(8);
        assert_eq!(locks(), [8, 24]);
        // Acquired anew: another thread has released it.
        begin(8, false);
        assert_eq!(locks(), [24, 8]);
        end(8);
        end(24);
        assert!(locks().is_empty());
    }

    #[test]
    fn of_too_many_holds_the_oldest_are_forgotten() {
        let all: Vec<usize> = (1..=MOST + 3).map(|it| it * 8).collect();
        all.iter().for_each(|lock| begin(*lock, false));
        assert_eq!(locks(), all[3..]);
        all.iter().for_each(|lock| end(*lock));
        assert!(locks().is_empty());
    }
}
