//! The measured loop.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cell::{Cell, Length, SwitchesAndCpu};
use crate::clock::Clock;
use crate::contender::Contender;
use crate::stats::Histogram;
use crate::workload::{Aim, Random, Workload};

use super::active::Active;
use super::arena::Arena;
use super::control::Control;
use super::owner::Owner;
use super::pace::{Pace, await_arrival};
use super::resources;

/// A thread's count, published on lines of its own.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    /// The count so far. Relaxed: a figure, nothing hangs on it.
    pub(super) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Publishes the count. Relaxed, and by its one writer: a plain store.
    #[inline]
    pub(super) fn set(&self, count: u64) {
        self.0.store(count, Relaxed);
    }
}

/// What the threads of a slice share, whatever the lock and the workload.
pub(super) struct Setting {
    pub(super) control: Control,
    pub(super) active: Option<Active>,
    pub(super) owners: Box<[Owner]>,
    pace: Pace,
    /// Acquisitions at each level: 1 on a ladder of locks, `depth` on a recursive lock.
    times_a_level: u32,
    /// Operations after which a thread stops by itself.
    rounds: u64,
}

/// What a thread brings back.
pub(super) struct Tally {
    pub(super) resources: SwitchesAndCpu,
    pub(super) acquire: Histogram,
}

/// The measured loop of one lock and one workload, as the team sees it: one indirect call a
/// thread, outside everything that is timed. So all that surrounds the loop is compiled once, and
/// the loop alone for each lock and workload.
pub(super) trait Loop: Send + Sync {
    /// What the threads share.
    fn setting(&self) -> &Setting;

    /// Runs a thread's loop to its end. `timed` slices time every acquisition.
    fn work(&self, thread: u32, timed: bool, published: &Count) -> Tally;

    /// After all threads have ended: did the lock exclude? See [`Workload::verify`].
    fn verify(&self, operations: u64) -> Result<(), String>;
}

/// The locks and the data that threads compete for.
pub(super) struct Site<L, W: Workload> {
    arena: Arena<L>,
    workload: W,
    setting: Setting,
    /// What threads have left behind for [`Workload::verify`].
    locals: Mutex<Vec<W::Local>>,
}

impl<L: Contender, W: Workload> Site<L, W> {
    /// The shared part of `cell` over locks already made.
    pub(super) fn new(cell: &Cell, workload: W, arena: Arena<L>) -> Self {
        let owners = (0..workload.stripes()).map(|_| Owner::default());
        Self {
            setting: Setting {
                control: Control::new(),
                active: cell.active.map(Active::new),
                owners: owners.collect(),
                pace: Pace::of(cell),
                times_a_level: if L::RECURSIVE { cell.depth.max(1) } else { 1 },
                rounds: match cell.length {
                    Length::Time { .. } => u64::MAX,
                    Length::Rounds { each } => each,
                },
            },
            arena,
            workload,
            locals: Mutex::new(Vec::new()),
        }
    }

    fn locals(&self) -> MutexGuard<'_, Vec<W::Local>> {
        // A panicking worker leaves a whole list behind.
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
        let tally = if timed {
            work::<L, W, true>(self, thread, published, &mut local)
        } else {
            work::<L, W, false>(self, thread, published, &mut local)
        };
        self.locals().push(local);
        tally
    }

    fn verify(&self, operations: u64) -> Result<(), String> {
        let locals = std::mem::take(&mut *self.locals());
        self.workload.verify(locals, operations)
    }
}

/// Runs a thread's loop until it is told to stop or has done its rounds.
///
/// `TIMED` slices read the clock before and after every acquisition and follow the owner; the
/// others read no clock.
#[inline(never)]
pub(super) fn work<L: Contender, W: Workload, const TIMED: bool>(
    site: &Site<L, W>,
    thread: u32,
    published: &Count,
    local: &mut W::Local,
) -> Tally {
    let clock = Clock::get();
    let setting = &site.setting;
    let mut random = Random::new(!thread);
    let mut acquire = Histogram::new();
    let mut done = 0u64;
    let bare = setting.pace.is_bare();
    // One lock taken once, or a ladder of several, or one taken several times.
    let single = site.arena.levels() == 1 && setting.times_a_level == 1;
    let before = resources::of_this_thread();
    let mut arrival = setting.pace.first_arrival(clock, &mut random);
    let mut inside = setting
        .active
        .as_ref()
        .is_none_or(|gate| gate.enter(thread));
    // The turn in which the slot was given: turns that passed while queueing are not its own.
    let mut turn = setting.control.turn();

    while inside && done < setting.rounds {
        let now = setting.control.turn();
        if Control::is_stop(now) {
            break;
        }
        if now != turn {
            if let Some(gate) = &setting.active {
                gate.leave();
                inside = gate.enter(thread);
            }
            turn = setting.control.turn();
            continue;
        }
        if !bare {
            setting.pace.think();
            if let Some(due) = arrival
                && !await_arrival(due, clock, &setting.control)
            {
                break;
            }
        }

        let aim = site.workload.aim(local);
        let wanted = if TIMED {
            arrival.unwrap_or_else(|| clock.now())
        } else {
            0
        };
        let mut note_acquired = |acquired_at: u64| {
            acquire.record(clock.ns(acquired_at.saturating_sub(wanted)) as u64);
        };

        let completed = if W::READS && aim.read_only {
            let acquired_at = site.arena.lock(0, 0).read(|| {
                let acquired_at = if TIMED { clock.now() } else { 0 };
                site.workload.read(local);
                if !bare {
                    setting.pace.hold(&mut random);
                }
                acquired_at
            });
            if TIMED {
                note_acquired(acquired_at);
            }
            true
        } else {
            let mut critical = || {
                if TIMED {
                    note_acquired(clock.now());
                    setting.owners[aim.stripe].acquired(thread);
                }
                let completed = site.workload.enter(local);
                if !bare {
                    setting.pace.hold(&mut random);
                }
                completed
            };
            if single {
                let _held = site.arena.lock(aim.stripe, 0).acquire();
                critical()
            } else {
                climb(site, aim, 0, 0, critical)
            }
        };

        if !bare {
            setting.pace.released();
            if let Some(due) = arrival {
                arrival = Some(setting.pace.next_arrival(due, clock, &mut random));
            }
        }
        if completed {
            done += 1;
            published.set(done);
        } else {
            // Nothing to take, or no room: let the other side run.
            std::thread::yield_now();
        }
    }
    if inside && let Some(gate) = &setting.active {
        gate.leave();
    }
    Tally {
        resources: resources::between(before, resources::of_this_thread(), done),
        acquire,
    }
}

/// Acquires from `level` upwards, each level as often as the lock allows, runs `critical` at the
/// top, and releases in reverse.
fn climb<L: Contender, W: Workload>(
    site: &Site<L, W>,
    aim: Aim,
    level: usize,
    times: u32,
    critical: impl FnOnce() -> bool,
) -> bool {
    if level == site.arena.levels() {
        return critical();
    }
    let _held = site.arena.lock(aim.stripe, level).acquire();
    if times + 1 < site.setting.times_a_level {
        climb(site, aim, level, times + 1, critical)
    } else {
        climb(site, aim, level + 1, 0, critical)
    }
}
