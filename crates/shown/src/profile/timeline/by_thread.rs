//! The events of each thread, in their order.

use locktoll_results::profile::timeline::{Index, Timeline};

/// Rows of a table by thread.
pub struct Rows {
    /// Where the rows of each thread begin, and the end of the last.
    begins: Vec<usize>,
    rows: Vec<u32>,
}

/// The events of each thread.
pub struct ByThread {
    waits: Rows,
    holds: Rows,
    /// The signals of each thread.
    pub signals: Rows,
    /// Its calls that may block.
    pub blocks: Rows,
    /// The waits that it ended.
    pub released: Rows,
    /// Its times without a CPU.
    pub switches: Rows,
    /// The times without a CPU of other threads that it ended.
    pub woke: Rows,
}

/// A wait or a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// When it began, nanoseconds.
    pub begin_ns: u64,
    /// When it ended, nanoseconds.
    pub end_ns: u64,
    /// The lock.
    pub lock: u32,
    /// Whether it is a wait.
    pub is_wait: bool,
    /// Its row in the table.
    pub row: usize,
}

impl Rows {
    /// Sorts rows by thread; those of one thread keep their order.
    fn of(threads: usize, thread_of: impl Iterator<Item = Option<usize>> + Clone) -> Self {
        let mut begins = vec![0_usize; threads + 1];
        for thread in thread_of.clone().flatten() {
            begins[thread + 1] += 1;
        }
        for thread in 0..threads {
            begins[thread + 1] += begins[thread];
        }
        let mut next = begins.clone();
        let mut rows = vec![0; begins[threads]];
        for (row, thread) in (0_u32..).zip(thread_of) {
            if let Some(thread) = thread {
                rows[next[thread]] = row;
                next[thread] += 1;
            }
        }
        Self { begins, rows }
    }

    /// Returns the rows of a thread.
    pub fn of_thread(&self, thread: usize) -> &[u32] {
        &self.rows[self.begins[thread]..self.begins[thread + 1]]
    }
}

impl ByThread {
    /// Sorts the events of a timeline.
    pub fn of(timeline: &Timeline) -> Self {
        let threads = timeline.threads.len();
        let rows = |column: &[u32]| Rows::of(threads, column.iter().map(|&it| Some(it as usize)));
        let released = timeline.waits.released_by.iter().copied().map(Index::get);
        Self {
            waits: rows(&timeline.waits.thread),
            holds: rows(&timeline.holds.thread),
            signals: rows(&timeline.signals.thread),
            blocks: rows(&timeline.blocks.thread),
            released: Rows::of(threads, released),
            switches: rows(&timeline.switches.thread),
            woke: Rows::of(
                threads,
                timeline.switches.waker.iter().copied().map(Index::get),
            ),
        }
    }

    /// Iterates over the waits and holds of a thread, in the order of their beginnings; of those that begin together, the
    /// longest first.
    pub fn intervals<'t>(
        &'t self,
        timeline: &'t Timeline,
        thread: usize,
    ) -> impl Iterator<Item = Interval> + 't {
        let wait = |&row: &u32| {
            let (waits, row) = (&timeline.waits, row as usize);
            Interval {
                begin_ns: waits.begin_ns[row],
                end_ns: waits.end_ns[row],
                lock: waits.lock[row],
                is_wait: true,
                row,
            }
        };
        let hold = |&row: &u32| {
            let (holds, row) = (&timeline.holds, row as usize);
            Interval {
                begin_ns: holds.begin_ns[row],
                end_ns: holds.end_ns[row],
                lock: holds.lock[row],
                is_wait: false,
                row,
            }
        };
        let mut waits = self.waits.of_thread(thread).iter().map(wait).peekable();
        let mut holds = self.holds.of_thread(thread).iter().map(hold).peekable();
        std::iter::from_fn(move || {
            let order = |it: &Interval| (it.begin_ns, std::cmp::Reverse(it.end_ns));
            match (waits.peek(), holds.peek()) {
                (Some(wait), Some(hold)) if order(hold) < order(wait) => holds.next(),
                (Some(_), _) => waits.next(),
                (None, _) => holds.next(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::made_up;

    #[test]
    fn each_event_is_of_one_thread_and_in_order() {
        let timeline = made_up::timeline(10_000, 7);
        assert!(timeline.is_sound());
        let by_thread = ByThread::of(&timeline);
        let (mut waits, mut holds) = (0, 0);
        for thread in 0..timeline.threads.len() {
            let all: Vec<Interval> = by_thread.intervals(&timeline, thread).collect();
            assert!(all.is_sorted_by_key(|it| it.begin_ns));
            waits += all.iter().filter(|it| it.is_wait).count();
            holds += all.iter().filter(|it| !it.is_wait).count();
        }
        assert_eq!(waits, timeline.waits.len());
        assert_eq!(holds, timeline.holds.len());
        let released = (0..timeline.threads.len()).flat_map(|it| by_thread.released.of_thread(it));
        let known = timeline.waits.released_by.iter();
        assert_eq!(
            released.count(),
            known.filter(|it| it.get().is_some()).count()
        );
    }
}
