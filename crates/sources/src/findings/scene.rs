//! What all findings look at.

use std::cell::OnceCell;

use super::intervals::Intervals;
use super::looks::look;
use locktoll_results::profile::Use;
use locktoll_results::profile::timeline::{Hold, Timeline, Wait, WaitEnd};

/// A timeline, and its waits by lock.
pub struct Scene<'t> {
    /// The timeline.
    pub timeline: &'t Timeline,
    /// From this time on, no event is missing, nanoseconds.
    pub from_ns: u64,
    /// All waits for locks, added up, nanoseconds.
    pub waited_ns: u64,
    /// Where the waits of each lock begin in `rows`, and the end of the last.
    begins: Vec<usize>,
    rows: Vec<u32>,
    holds: OnceCell<Vec<Intervals>>,
}

impl<'t> Scene<'t> {
    /// Sorts the waits of a timeline.
    pub fn of(timeline: &'t Timeline) -> Self {
        let locks = timeline.locks.len();
        let mut begins = vec![0; locks + 1];
        for &lock in &timeline.waits.lock {
            begins[lock as usize + 1] += 1;
        }
        for lock in 0..locks {
            begins[lock + 1] += begins[lock];
        }
        let (mut next, mut rows) = (begins.clone(), vec![0; timeline.waits.len()]);
        for (row, &lock) in (0_u32..).zip(&timeline.waits.lock) {
            rows[next[lock as usize]] = row;
            next[lock as usize] += 1;
        }
        let overwritten = timeline.threads.iter().filter(|it| it.overwritten > 0);
        let from_ns = overwritten.map(|it| it.complete_from_ns).max();
        let mut scene = Self {
            timeline,
            from_ns: from_ns.unwrap_or(0).max(timeline.begin_ns),
            waited_ns: 0,
            begins,
            rows,
            holds: OnceCell::new(),
        };
        let of_locks = (0..locks as u32).filter(|&lock| scene.is_lock(lock));
        scene.waited_ns = of_locks
            .map(|lock| scene.lock_waited_ns(lock))
            .fold(0, u64::saturating_add);
        scene
    }

    /// Whether waits for it are contention.
    pub fn is_lock(&self, lock: u32) -> bool {
        self.timeline.locks[lock as usize].used_as == Use::Lock
    }

    /// Returns the rows of the waits for a lock, in the order of their beginnings.
    pub fn waits_for(&self, lock: u32) -> &[u32] {
        &self.rows[self.begins[lock as usize]..self.begins[lock as usize + 1]]
    }

    /// Returns the wait at a row.
    pub fn wait(&self, row: u32) -> Wait {
        look();
        self.timeline.waits.get(row as usize)
    }

    /// Returns the hold at a row.
    pub fn hold(&self, row: u32) -> Hold {
        look();
        self.timeline.holds.get(row as usize)
    }

    /// Returns the waits for a lock that ended with the lock, in the order of their beginnings.
    pub fn done(&self, lock: u32) -> impl Iterator<Item = Wait> + '_ {
        let waits = self.waits_for(lock).iter().map(|&row| self.wait(row));
        waits.filter(|it| it.end == WaitEnd::Done)
    }

    /// Returns how long threads waited for a lock, all together, nanoseconds.
    pub fn lock_waited_ns(&self, lock: u32) -> u64 {
        let waits = self.waits_for(lock).iter().map(|&row| row as usize);
        let lengths = waits.map(|row| {
            let waits = &self.timeline.waits;
            waits.end_ns[row] - waits.begin_ns[row]
        });
        lengths.fold(0, u64::saturating_add)
    }

    /// Whether so much waiting is worth a sentence: one percent of all.
    pub fn matters(&self, waited_ns: u64) -> bool {
        waited_ns > 0 && waited_ns >= self.waited_ns / 100
    }

    /// Returns the locks that threads waited for longest, most first, at most `most`, as far as their waiting matters.
    pub fn worst_locks(&self, most: usize) -> Vec<u32> {
        let locks = (0..self.timeline.locks.len() as u32).filter(|&lock| self.is_lock(lock));
        let mut waited: Vec<(u64, u32)> = locks
            .map(|lock| (self.lock_waited_ns(lock), lock))
            .filter(|&(waited_ns, _)| self.matters(waited_ns))
            .collect();
        waited.sort_unstable_by_key(|&(waited_ns, lock)| (std::cmp::Reverse(waited_ns), lock));
        waited.into_iter().take(most).map(|it| it.1).collect()
    }

    /// Returns the holds of each thread.
    pub fn holds_by_thread(&self) -> &[Intervals] {
        self.holds.get_or_init(|| {
            let mut lists = vec![Vec::new(); self.timeline.threads.len()];
            for (row, hold) in (0_u32..).zip(self.timeline.holds.iter()) {
                lists[hold.thread as usize].push((hold.begin_ns, hold.end_ns, row));
            }
            lists.into_iter().map(Intervals::new).collect()
        })
    }

    /// Returns the waits for a lock as intervals.
    pub fn intervals_of(&self, lock: u32) -> Intervals {
        let rows = self.waits_for(lock).iter();
        let waits = rows.map(|&row| {
            let wait = self.wait(row);
            (wait.begin_ns, wait.end_ns, row)
        });
        Intervals::new(waits.collect())
    }
}

/// Returns how long these waits took, all together, nanoseconds.
pub fn waited_ns<'w>(waits: impl Iterator<Item = &'w Wait>) -> u64 {
    waits.fold(0, |sum, it| sum.saturating_add(it.end_ns - it.begin_ns))
}
