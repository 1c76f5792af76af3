//! The harness on faulty locks that it must detect, and its parameters on locks that report them.

mod counting;
mod priority;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::run;
use crate::cell::{Arrival, Calibration, Cell, Length, Part, SleepPoints, Slice};
use crate::clock::Work;
use crate::harness::{Contender, CreateError, LockOptions};
use crate::processors;
use crate::workload::Kind;

/// A cell of 30 ms with every knob at rest.
fn cell(workload: Kind, threads: u32) -> Cell {
    let length = Length::Time { ns: 30_000_000 };
    Cell::at_rest("under test", length, Calibration::measure()).with(|knobs| {
        knobs.workload = workload;
        knobs.threads = threads;
        knobs.read_ratio = 0.5;
    })
}

/// A lock that works. It is aligned like a four-byte word: the library's own mutex is one byte on some systems.
#[repr(align(4))]
struct Good(Mutex<()>);

impl Contender for Good {
    type Held<'a> = MutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(Mutex::new(())))
    }

    fn acquire(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A lock that admits every thread.
struct Open;

impl Contender for Open {
    type Held<'a> = ();

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn acquire(&self) {}
}

/// A lock that no thread gets after the first hundred acquisitions.
struct Stuck(AtomicUsize);

impl Contender for Stuck {
    type Held<'a> = ();

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(AtomicUsize::new(0)))
    }

    fn acquire(&self) {
        while self.0.fetch_add(1, Relaxed) >= 100 {
            std::thread::park();
        }
    }
}

fn slice<L: Contender>(cell: &Cell) -> Slice {
    let _turn = processors::alone();
    run::<L>(cell).expect("nothing is refused here")
}

/// Runs a slice whose threads stay in the lock, asleep. The turn ends once the timed part must be over, so that no other test has
/// to wait with it for threads that never leave.
fn slice_that_hangs(cell: &Cell) -> Slice {
    const TIMED: Duration = Duration::from_millis(500);
    std::thread::scope(|scope| {
        let turn = processors::alone();
        let slice = scope.spawn(|| run::<Stuck>(cell).expect("nothing is refused here"));
        std::thread::sleep(TIMED);
        drop(turn);
        slice.join().expect("slices do not panic")
    })
}

#[test]
fn every_workload_counts_operations_and_sees_a_good_lock_exclude() {
    for workload in Kind::ALL {
        for part in [Part::Throughput, Part::Waiting] {
            let slice = slice::<Good>(&Cell {
                part,
                ..cell(workload, 4)
            });
            assert!(slice.total() > 0, "{workload:?}");
            assert_eq!(slice.exclusion_broken, None, "{workload:?}");
            assert_eq!(slice.cut_off, None, "{workload:?}");
            assert_eq!(slice.acquire.is_some(), part == Part::Waiting);
            let used = slice.resources.expect("all threads ended");
            assert!(used.operations >= slice.total(), "{workload:?}");
        }
    }
}

#[test]
fn a_lock_that_does_not_exclude_is_caught() {
    for workload in [Kind::Counter, Kind::ThreadId, Kind::List, Kind::HashTable] {
        // Yielding inside makes threads meet even on one processor; the list and the counters cannot stay intact. It tries
        // several times, since meeting is still a matter of chance.
        let caught = (0..20).any(|_| slice::<Open>(&cell(workload, 8)).exclusion_broken.is_some());
        assert!(caught, "{workload:?} noticed nothing");
    }
}

#[test]
fn a_lock_that_hangs_is_cut_off_and_keeps_its_count() {
    let slice = slice_that_hangs(&cell(Kind::Pair, 3));
    let cut = slice.cut_off.expect("the threads cannot have come out");
    assert_eq!(cut.threads, 3);
    assert_eq!(slice.total(), 100);
    assert_eq!(slice.resources, None);
}

#[test]
fn queued_threads_are_charged_for_the_timed_stretch_alone_even_when_cut_off() {
    let queued = cell(Kind::Counter, 64).with(|knobs| {
        knobs.length = Length::Time { ns: 120_000_000 };
    });
    let good = slice::<Good>(&queued);
    let used = good.resources.expect("the process has an account");
    // The threads' own accounts continue to their end, past the operations counted here.
    assert_eq!(used.operations, good.total());
    let stuck = slice_that_hangs(&queued);
    assert!(stuck.cut_off.is_some());
    let used = stuck.resources.expect("nobody has to end for it");
    assert_eq!(used.operations, stuck.total());
}

#[test]
fn rounds_are_done_to_the_last_one() {
    for depth in [1, 3] {
        for nested in [false, true] {
            let slice = slice::<Good>(&cell(Kind::Counter, 5).with(|knobs| {
                knobs.length = Length::Rounds { each: 250 };
                knobs.depth = depth;
                knobs.nested = nested;
                knobs.active = Some(2);
                knobs.sleep_points = SleepPoints::Both;
            }));
            assert_eq!(slice.operations, [250; 5]);
            assert_eq!(slice.exclusion_broken, None);
        }
    }
}

#[test]
fn the_time_of_rounds_is_that_of_the_threads() {
    // Each thread holds for 1 ms, one after the other, so at least that much must have passed, no matter when the starting thread
    // got a processor again. (Half of it, in case the calibration was disturbed.)
    for threads in [1, 8] {
        let slice = slice::<Good>(&cell(Kind::Pair, threads).with(|knobs| {
            knobs.length = Length::Rounds { each: 1 };
            knobs.hold_ns = 1_000_000;
        }));
        let least_ns = 500_000 * u64::from(threads);
        assert!(slice.wall_ns > least_ns, "{} ns", slice.wall_ns);
    }
}

#[test]
fn what_was_done_before_the_clock_started_does_not_count() {
    // With so many threads, some are at work long before their starter runs again.
    let slice = slice::<Good>(&cell(Kind::Counter, 200).with(|knobs| {
        knobs.hold_ns = 20_000;
    }));
    // One at a time, 20 us each; half of that, in case the calibration was disturbed.
    let most = slice.wall_ns / 10_000 + 1;
    assert!(slice.total() <= most, "{} of {most}", slice.total());
    let used = slice.resources.expect("all threads ended");
    assert!(used.operations >= slice.total());
}

#[test]
fn the_gate_passes_its_slots_on_so_that_every_thread_works() {
    let slice = slice::<Good>(&cell(Kind::Counter, 4).with(|knobs| {
        knobs.active = Some(1);
        knobs.length = Length::Time { ns: 120_000_000 };
    }));
    assert!(slice.operations.iter().all(|n| *n > 0), "{slice:?}");
}

#[test]
fn the_baseline_without_a_lock_is_not_asked_to_exclude() {
    let slice = slice::<Open>(&cell(Kind::Counter, 4).with(|knobs| {
        knobs.depth = 0;
    }));
    assert_eq!(slice.exclusion_broken, None);
}

#[test]
fn holding_and_thinking_cost_what_they_are_said_to() {
    // One thread, so only the work itself: at least 90 % of it, since calibration takes the fastest of its windows, and no upper
    // bound, since the machine may be busy. Calibrated here, and over a longer time: the process's own calibration takes
    // milliseconds, and the core may have been slow for all of them, with its other half kept busy by another test.
    let loops_per_ns = || {
        let _turn = processors::alone();
        (0..4)
            .map(|_| 1.0 / Work::calibrate().ns_per_loop())
            .fold(0.0, f64::max)
    };
    let share_of_work = || {
        let loops_per_ns = loops_per_ns();
        let slice = slice::<Good>(&Cell {
            calibration: Calibration { loops_per_ns },
            ..cell(Kind::Pair, 1).with(|knobs| {
                knobs.hold_ns = 20_000;
                knobs.think_ns = 30_000;
            })
        });
        slice.wall_ns as f64 / slice.total() as f64 / 50_000.0
    };
    // A core may become faster between the calibration and the work, but hardly each time.
    let shares: Vec<f64> = (0..5).map(|_| share_of_work()).collect();
    assert!(shares.iter().any(|&it| it > 0.9), "{shares:?}");
}

#[test]
fn an_open_loop_follows_its_schedule_and_not_the_lock() {
    let slice = slice::<Good>(&Cell {
        part: Part::Waiting,
        ..cell(Kind::Pair, 2).with(|knobs| {
            knobs.arrival = Arrival::Open { per_second: 2000.0 };
            knobs.length = Length::Time { ns: 500_000_000 };
        })
    });
    // A thousand are expected, with a standard deviation of 32; it is late only if the machine is.
    assert!(slice.total() < 1200, "{}", slice.total());
    assert!(slice.total() > 100, "{}", slice.total());
}

#[test]
fn hogs_run_beside_and_their_work_is_shown() {
    let slice = slice::<Good>(&cell(Kind::Pair, 1).with(|knobs| {
        knobs.hogs = 1;
    }));
    assert!(slice.bystander_per_second.is_some_and(|rate| rate > 0.0));
}

#[test]
fn a_waiting_slice_catches_it_whatever_the_workload() {
    let open = Cell {
        part: Part::Waiting,
        ..cell(Kind::Pair, 8)
    };
    let caught = (0..20).any(|_| slice::<Open>(&open).exclusion_broken.is_some());
    assert!(caught, "the owners noticed nothing");
    let good = Cell {
        part: Part::Waiting,
        ..cell(Kind::Pair, 8)
    };
    assert_eq!(slice::<Good>(&good).exclusion_broken, None);
}

/// Records the addresses at which it was made.
struct Addressed;

static OFFSETS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Contender for Addressed {
    type Held<'a> = ();

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn acquire(&self) {
        let address = std::ptr::from_ref(self).addr();
        OFFSETS.lock().expect("no test panics").push(address % 64);
    }
}

#[test]
fn locks_lie_where_align_puts_them() {
    slice::<Addressed>(&cell(Kind::Pair, 1).with(|knobs| {
        knobs.align = 24;
        knobs.depth = 2;
        knobs.nested = true;
        knobs.length = Length::Rounds { each: 1 };
    }));
    assert_eq!(*OFFSETS.lock().expect("no test panics"), [24; 4]);
}

#[test]
fn an_offset_that_the_lock_cannot_have_is_refused() {
    let error = run::<Good>(&cell(Kind::Pair, 1).with(|knobs| {
        knobs.align = 3;
    }))
    .expect_err("a futex word needs four bytes");
    assert!(error.to_string().contains("multiple of"), "{error}");
}
