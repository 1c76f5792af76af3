//! A way to hand over, as the lists of probes use it.

use std::sync::Arc;

use super::game::{HandOver, Place};
use crate::probe::interleave::Probe;
use crate::probe::series::Batch;
use crate::probe::session::Session;

/// Calls of a hand-over that one thread alone does not make: libraries enter the kernel only if a thread sleeps. The probes of
/// those calls price them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::probe) struct Unseen {
    /// Wakes.
    pub wakes: u32,
    /// Waits.
    pub waits: u32,
}

/// One independent way to hand over.
pub(in crate::probe) struct Arm {
    /// Stable name.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// The calls that one thread alone does not make.
    pub unseen: Unseen,
    /// Runs a batch by one thread, which wakes itself and then waits.
    pub run_alone: fn(&Session<'_>, u64) -> Result<Batch, String>,
    /// Runs a batch by two threads.
    pub run: fn(&Session<'_>, Place, u64) -> Result<Batch, String>,
}

impl Arm {
    /// Returns the probe in which one thread wakes itself and then waits.
    pub fn alone(&self) -> Probe<'static> {
        Probe::new(
            format!("{}, one thread", self.title),
            Some(0.0),
            self.run_alone,
        )
    }

    /// Returns the ping-pong.
    pub fn between(&self, place: Place) -> Probe<'static> {
        let run = self.run;
        Probe::new(self.title, Some(1.0), move |session, units| {
            run(session, place, units)
        })
    }
}

/// Returns the arm, or the reason of the call that refused it, after the name of the call.
pub(in crate::probe) fn made<T>(arm: std::io::Result<T>, call: &str) -> Result<T, String> {
    arm.map_err(|error| format!("{call}: {error}"))
}

/// Times `units` hand-overs of one thread to itself.
pub(in crate::probe) fn alone<H: HandOver>(
    session: &Session<'_>,
    units: u64,
    arm: H,
) -> Result<Batch, String> {
    session.solo(units, move || {
        // Behind an `Arc`, as in a ping-pong: some arms must not move once they are used.
        let arm = Arc::new(arm);
        arm.enter(0)?;
        Ok(move || {
            arm.wake(0)?;
            arm.wait(0)
        })
    })
}
