//! Moving a running thread to another CPU.
//!
//! A unit is one sched_setaffinity(2) call that names a CPU other than the thread's current one. The kernel's stopper thread then
//! preempts the thread once and moves it: one switch.

use std::io;

use super::interleave::Probe;
use super::session::Session;
use crate::machine::pin_current_thread;

/// Moves the thread from the home CPU to the far one and back, and so on.
pub(super) fn there_and_back<'a>(session: &Session<'_>) -> Probe<'a> {
    let title = "migration";
    match session.far_cpu() {
        Err(reason) => Probe::refused(title, reason),
        Ok(far) => set_affinity(title, Some(1.0), [far, session.home_cpu()]),
    }
}

/// Makes the same call, but names the CPU that the thread is already on.
pub(super) fn staying<'a>(session: &Session<'_>) -> Probe<'a> {
    set_affinity(
        "migration to the same CPU",
        Some(0.0),
        [session.home_cpu(); 2],
    )
}

fn set_affinity<'a>(title: &str, expected: Option<f64>, cpus: [usize; 2]) -> Probe<'a> {
    Probe::new(title, expected, move |session, units| {
        session.solo(units, move || {
            let mut turn = 0;
            Ok(move || -> io::Result<()> {
                pin_current_thread(cpus[turn])?;
                turn ^= 1;
                Ok(())
            })
        })
    })
}
