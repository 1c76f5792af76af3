//! The measured loop.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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

/// What the threads of a slice share.
pub(super) struct Site<L, W> {
    pub(super) arena: Arena<L>,
    pub(super) workload: W,
    pub(super) owners: Box<[Owner]>,
    pub(super) control: Control,
    pub(super) active: Option<Active>,
    pub(super) pace: Pace,
    /// Acquisitions at each level: 1 on a ladder of locks, `depth` on a recursive lock.
    pub(super) times_a_level: u32,
    /// Operations after which a thread stops by itself.
    pub(super) rounds: u64,
}

impl<L: Contender, W: Workload> Site<L, W> {
    /// The shared part of `cell` over locks already made.
    pub(super) fn new(cell: &Cell, workload: W, arena: Arena<L>) -> Self {
        Self {
            owners: (0..workload.stripes()).map(|_| Owner::default()).collect(),
            arena,
            workload,
            control: Control::new(),
            active: cell.active.map(Active::new),
            pace: Pace::of(cell),
            times_a_level: if L::RECURSIVE { cell.depth.max(1) } else { 1 },
            rounds: match cell.length {
                Length::Time { .. } => u64::MAX,
                Length::Rounds { each } => each,
            },
        }
    }
}

/// What a thread brings back.
pub(super) struct Tally<T> {
    pub(super) local: T,
    pub(super) resources: SwitchesAndCpu,
    pub(super) acquire: Histogram,
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
) -> Tally<W::Local> {
    let clock = Clock::get();
    let mut local = site.workload.local(thread);
    let mut random = Random::new(!thread);
    let mut acquire = Histogram::new();
    let mut done = 0u64;
    let bare = site.pace.is_bare();
    // One lock taken once, or a ladder of several, or one taken several times.
    let single = site.arena.levels() == 1 && site.times_a_level == 1;
    let before = resources::of_this_thread();
    let mut arrival = site.pace.first_arrival(clock, &mut random);
    let mut inside = site.active.as_ref().is_none_or(|gate| gate.enter(thread));
    // The turn in which the slot was given: turns that passed while queueing are not its own.
    let mut turn = site.control.turn();

    while inside && done < site.rounds {
        let now = site.control.turn();
        if Control::is_stop(now) {
            break;
        }
        if now != turn {
            if let Some(gate) = &site.active {
                gate.leave();
                inside = gate.enter(thread);
            }
            turn = site.control.turn();
            continue;
        }
        if !bare {
            site.pace.think();
            if let Some(due) = arrival
                && !await_arrival(due, clock, &site.control)
            {
                break;
            }
        }

        let aim = site.workload.aim(&mut local);
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
                site.workload.read(&local);
                if !bare {
                    site.pace.hold(&mut random);
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
                    site.owners[aim.stripe].acquired(thread);
                }
                let completed = site.workload.enter(&mut local);
                if !bare {
                    site.pace.hold(&mut random);
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
            site.pace.released();
            if let Some(due) = arrival {
                arrival = Some(site.pace.next_arrival(due, clock, &mut random));
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
    if inside && let Some(gate) = &site.active {
        gate.leave();
    }
    Tally {
        local,
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
    if times + 1 < site.times_a_level {
        climb(site, aim, level, times + 1, critical)
    } else {
        climb(site, aim, level + 1, 0, critical)
    }
}
