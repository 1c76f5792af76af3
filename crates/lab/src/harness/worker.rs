//! The data that the threads of a slice share, and the choice of their loop.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cell::{Cell, Length, SwitchesAndCpu};
use crate::harness::Contender;
use crate::stats::Histogram;
use crate::workload::Workload;
use locktoll_locks::CachePadded;

use super::active::Active;
use super::arena::Arena;
use super::control::Control;
use super::owner::Owner;
use super::pace::Pace;
use super::placement::Spacer;
use super::{bare, paced};

/// A thread's count, published on its own cache lines.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    /// Returns the count so far. Relaxed: it is only a figure; no other data depends on it.
    pub(super) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Publishes the count. Relaxed, with only one writer: a plain store.
    #[inline]
    pub(super) fn set(&self, count: u64) {
        self.0.store(count, Relaxed);
    }
}

/// Data that the threads of a slice share, whatever the lock and the workload.
pub(super) struct Setting {
    pub(super) control: Control,
    pub(super) active: Option<Active>,
    pub(super) owners: Box<[Owner]>,
    pub(super) pace: Pace,
    /// Acquisitions at each level: 1 on a ladder of locks, `depth` on a recursive lock.
    pub(super) times_a_level: u32,
    /// Operations after which a thread stops on its own.
    pub(super) rounds: u64,
    /// The round of this slice.
    pub(super) round: u32,
}

/// A thread's results.
pub(super) struct Tally {
    /// Exclusive acquisitions that were noted with their [`Owner`].
    pub(super) noted: u64,
    pub(super) resources: SwitchesAndCpu,
    pub(super) acquire: Histogram,
}

/// The measured loop of one lock and one workload, as the team calls it: one indirect call per thread, outside everything that is
/// timed. So the code around the loop is compiled once, and only the loop for each lock and workload.
pub(super) trait Loop: Send + Sync {
    /// Returns the data that the threads share.
    fn setting(&self) -> &Setting;

    /// Runs a thread's loop to its end. `timed` slices time every acquisition.
    fn work(&self, thread: u32, timed: bool, published: &Count) -> Tally;

    /// Checks, after all threads have ended, that the lock excluded. See [`Workload::verify`].
    fn verify(&self, operations: u64) -> Result<(), String>;
}

/// The locks and the data that threads compete for.
pub(super) struct Site<L, W: Workload> {
    pub(super) arena: Arena<L>,
    /// On its own cache lines: holders write it, and every thread reads the fields next to it in every round of the loop.
    pub(super) workload: CachePadded<W>,
    pub(super) setting: Setting,
    /// Freed after them: it is in front of them.
    _spacer: Spacer,
    /// Whether the loop without knobs is enough.
    bare: bool,
    /// The threads' own data, kept for [`Workload::verify`].
    locals: Mutex<Vec<W::Local>>,
}

impl<L: Contender, W: Workload> Site<L, W> {
    /// Makes the shared part of `cell` over locks already made; `bare` if no knob is turned.
    pub(super) fn new(
        cell: &Cell,
        workload: W,
        arena: Arena<L>,
        spacer: Spacer,
        bare: bool,
    ) -> Self {
        let owners = (0..workload.stripes()).map(|_| Owner::default());
        Self {
            setting: Setting {
                control: Control::new(matches!(cell.length, Length::Time { .. })),
                active: cell.active.map(|slots| Active::new(slots, cell.threads)),
                owners: owners.collect(),
                pace: Pace::of(cell),
                times_a_level: if L::RECURSIVE { cell.depth.max(1) } else { 1 },
                rounds: match cell.length {
                    Length::Time { .. } => u64::MAX,
                    Length::Rounds { each } => each,
                },
                round: cell.round,
            },
            arena,
            workload: CachePadded::new(workload),
            _spacer: spacer,
            bare,
            locals: Mutex::new(Vec::new()),
        }
    }

    fn locals(&self) -> MutexGuard<'_, Vec<W::Local>> {
        // A panicking worker leaves the list intact.
        self.locals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L: Contender, W: Workload + Send> Loop for Site<L, W>
where
    W::Local: Send,
{
    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn work(&self, thread: u32, timed: bool, published: &Count) -> Tally {
        let mut local = self.workload.local(thread);
        let tally = if self.bare {
            bare::work(self, published, &mut local)
        } else {
            paced::work(self, thread, timed, published, &mut local)
        };
        self.locals().push(local);
        tally
    }

    fn verify(&self, operations: u64) -> Result<(), String> {
        let locals = std::mem::take(&mut *self.locals());
        self.workload.verify(locals, operations)
    }
}
