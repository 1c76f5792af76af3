//! The loop whose cost is the price of a lock: one acquisition, the workload, one release.
//!
//! It is a separate function with no unneeded instructions. In the loop with parameters, the compiler keeps their data in memory,
//! and an atomic instruction waits for the stores before it. That made every lock 1 to 2 ns more expensive, which the empty loop
//! did not show.

use crate::harness::Contender;
use crate::platform;
use crate::stats::Histogram;
use crate::workload::Workload;

use super::control::Control;
use super::resources;
use super::worker::{Count, Site, Tally};

/// Runs a thread's loop until it is asked to stop or has done its rounds.
#[inline(never)]
pub(super) fn work<L: Contender, W: Workload>(
    site: &Site<L, W>,
    published: &Count,
    local: &mut W::Local,
) -> Tally {
    let before = platform::of_this_thread();
    let mut done = 0u64;
    while done < site.setting.rounds && !Control::is_stop(site.setting.control.turn()) {
        let aim = site.workload.aim(local);
        let lock = site.arena.lock(aim.stripe, 0);
        let completed = if W::READS && aim.read_only {
            lock.read(|| site.workload.read(local));
            true
        } else {
            let _held = lock.acquire();
            site.workload.enter(local)
        };
        if completed {
            done += 1;
            published.set(done);
        } else {
            // There was nothing to take, or no room: let the other side run.
            std::thread::yield_now();
        }
    }
    Tally {
        noted: 0,
        resources: resources::between(before, platform::of_this_thread(), done),
        acquire: Histogram::new(),
    }
}
