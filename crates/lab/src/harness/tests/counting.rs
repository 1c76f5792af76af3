//! That every workload counts what it does, by time and by rounds.

use std::sync::LazyLock;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::{Good, cell, slice};
use crate::cell::{Cell, Length, Part, Slice};
use crate::contender::{Contender, CreateError, LockOptions};
use crate::workload::Kind;

/// What a slice of a lock that works has to say, however long it was.
fn is_whole(slice: &Slice, cell: &Cell) {
    assert_eq!(slice.exclusion_broken, None, "{cell:?}");
    assert_eq!(slice.cut_off, None, "{cell:?}");
    assert_eq!(slice.acquire.is_some(), cell.part == Part::Waiting);
    let used = slice.resources.expect("all threads ended");
    assert!(used.operations >= slice.total(), "{cell:?}");
}

const THREADS: u32 = 4;

/// Every workload, in both parts of a cell.
fn everything(length: Length) -> impl Iterator<Item = Cell> {
    let of = move |workload| {
        [Part::Throughput, Part::Waiting].map(|part| Cell {
            part,
            length,
            ..cell(workload, THREADS)
        })
    };
    Kind::ALL.into_iter().flat_map(of)
}

/// A lock that works, and knows how long nobody took it.
struct Watched(Good);

static BASE: LazyLock<Instant> = LazyLock::new(Instant::now);
/// When a lock of the one test that uses them was taken last; nanoseconds since [`BASE`].
static LAST_NS: AtomicU64 = AtomicU64::new(0);
/// The longest time between two takings.
static LONGEST_NS: AtomicU64 = AtomicU64::new(0);

/// Relaxed: figures, and joining the threads' counts orders what is read in the end.
fn taken() {
    let now_ns = BASE.elapsed().as_nanos() as u64;
    let since = now_ns.saturating_sub(LAST_NS.swap(now_ns, Relaxed));
    LONGEST_NS.fetch_max(since, Relaxed);
}

impl Contender for Watched {
    type Held<'a> = MutexGuard<'a, ()>;

    fn create(options: &LockOptions) -> Result<Self, CreateError> {
        Good::create(options).map(Self)
    }

    fn acquire(&self) -> MutexGuard<'_, ()> {
        let held = self.0.acquire();
        taken();
        held
    }
}

/// A slice, and for how long at a stretch nobody took the lock from its beginning to its end.
fn watched(cell: &Cell) -> (Slice, u64) {
    taken();
    LONGEST_NS.store(0, Relaxed);
    let slice = slice::<Watched>(cell);
    taken();
    (slice, LONGEST_NS.load(Relaxed))
}

#[test]
fn every_workload_counts_operations_and_sees_a_good_lock_exclude() {
    for cell in everything(Length::Time { ns: 30_000_000 }) {
        // Where others are busy, all threads, or the one that holds the lock, may stand in the kernel's queue for longer
        // than the slice lasts, and it has nothing to count. Then it is taken again: any other slice counts something.
        let counted = (0..100).any(|_| {
            let (slice, quiet_ns) = watched(&cell);
            is_whole(&slice, &cell);
            // A thread completes an operation between two takings. So if none was completed, each thread took the lock
            // once at most, and some stretch between two takings was no shorter than this.
            let least_ns = slice.wall_ns / u64::from(THREADS + 1);
            let counts = slice.total() > 0;
            assert!(
                counts || quiet_ns >= least_ns,
                "{cell:?}: nothing counted, though nobody stood still"
            );
            counts
        });
        assert!(counted, "{cell:?}");
    }
}

#[test]
fn every_workload_counts_its_rounds_and_sees_a_good_lock_exclude() {
    for cell in everything(Length::Rounds { each: 500 }) {
        let slice = slice::<Good>(&cell);
        assert_eq!(slice.total(), u64::from(THREADS) * 500, "{cell:?}");
        is_whole(&slice, &cell);
    }
}
