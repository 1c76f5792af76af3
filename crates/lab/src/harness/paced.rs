//! The loop with parameters: holding, thinking, yielding, schedules, ladders, gates, and timed waits.

use crate::clock::Clock;
use crate::harness::Contender;
use crate::platform;
use crate::random::Random;
use crate::stats::Histogram;
use crate::workload::{Aim, Workload};

use super::control::Control;
use super::pace::await_arrival;
use super::resources;
use super::worker::{Count, Site, Tally};

/// Runs a thread's loop until it is asked to stop or has done its rounds.
///
/// If `timed`, reads the clock before and after every acquisition and tracks the owner.
// Long: the measured loop is one function: nothing between acquire and release is a call.
#[inline(never)]
pub(super) fn work<L: Contender, W: Workload>(
    site: &Site<L, W>,
    thread: u32,
    timed: bool,
    published: &Count,
    local: &mut W::Local,
) -> Tally {
    let clock = Clock::get();
    let setting = &site.setting;
    let mut random = Random::of_round(setting.round, !thread);
    let mut acquire = Histogram::new();
    let mut done = 0u64;
    let mut noted = 0u64;
    let bare = setting.pace.is_bare();
    let raises = setting.pace.raises();
    // One lock taken once, as opposed to a ladder of several, or one taken several times.
    let single = site.arena.levels() == 1 && setting.times_a_level == 1;
    let before = platform::of_this_thread();
    let mut arrival = setting.pace.first_arrival(clock, &mut random);
    let mut inside = setting
        .active
        .as_ref()
        .is_none_or(|gate| gate.enter(thread));
    // The turn in which the thread got its slot: turns that passed while it queued are not its own.
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
        let wanted = if timed {
            arrival.unwrap_or_else(|| clock.now())
        } else {
            0
        };
        let mut acquired_at = 0;
        // Whether this acquisition belongs to the timed stretch.
        let in_stretch = || !Control::is_lead_in(setting.control.turn());
        let mut counts = true;
        let completed = if W::READS && aim.read_only {
            acquired_at = site.arena.lock(0, 0).read(|| {
                let acquired_at = if timed { clock.now() } else { 0 };
                site.workload.read(local);
                if !bare {
                    setting.pace.hold(&mut random);
                }
                acquired_at
            });
            counts = in_stretch();
            true
        } else {
            let mut critical = || {
                if timed {
                    acquired_at = clock.now();
                    counts = in_stretch();
                    setting.owners[aim.stripe].acquired(thread, counts);
                    noted += 1;
                }
                if raises {
                    setting.pace.raise();
                }
                let completed = site.workload.enter(local);
                if !bare {
                    setting.pace.hold(&mut random);
                }
                if raises {
                    setting.pace.put_back();
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

        if timed && counts {
            // Here and not inside the critical section, where it would make every hold longer.
            acquire.record(clock.ns(acquired_at.saturating_sub(wanted)) as u64);
        }
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
            // There was nothing to take, or no room: let the other side run.
            std::thread::yield_now();
        }
    }
    if inside && let Some(gate) = &setting.active {
        gate.leave();
    }
    Tally {
        noted,
        resources: resources::between(before, platform::of_this_thread(), done),
        acquire,
    }
}

/// Acquires from `level` upwards, each level as often as the lock allows, runs `critical` at the top, and releases in reverse
/// order.
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
