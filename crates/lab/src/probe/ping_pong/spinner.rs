//! Threads that only keep a CPU from going idle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::probe::gate::Gate;
use crate::probe::scheduling::Rank;
use crate::probe::session::Session;
use crate::probe::solo::HUNG_AFTER;

/// Starts a spinner on each of `cpus`, at a lower priority than everything that is measured. A spinner passes `gate`, and ends
/// when `stop` is set, or when its batch must have hung.
///
/// Spinners are started last, and they wait only for measured threads, which they cannot hold up. With a spinner on every CPU, a
/// thread of normal priority may not run until the spinners end.
pub(super) fn start(
    session: &Session<'_>,
    cpus: &[usize],
    gate: &Arc<Gate>,
    stop: &Arc<AtomicBool>,
) {
    let clock = session.clock();
    let limit = clock.ticks(HUNG_AFTER.as_nanos() as f64);
    for cpu in cpus {
        let seat = session.seat(*cpu, Rank::Below);
        let (gate, stop) = (Arc::clone(gate), Arc::clone(stop));
        std::thread::spawn(move || {
            if seat.take().is_err() {
                return gate.fail();
            }
            if !gate.arrive() {
                return;
            }
            let start = clock.now();
            // Relaxed: the flag guards no other data.
            while !stop.load(Ordering::Relaxed) && clock.now().wrapping_sub(start) < limit {
                std::hint::spin_loop();
            }
        });
    }
}
