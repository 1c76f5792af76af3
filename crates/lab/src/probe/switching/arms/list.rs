//! Every arm.

use std::sync::Arc;

use super::super::super::interleave::Probe;
use super::super::super::series::Batch;
use super::super::super::session::Session;
use super::super::ping_pong::{HandOver, Place, ping_pong};
use super::condvar::Condvars;
use super::descriptor::{eventfds, pipes};
use super::park::Parking;
use super::signal::Signals;

/// Futex calls of a hand-over that one thread alone does not make: the C library and std enter the kernel only if somebody
/// sleeps. They are priced by the probes of those calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Unseen {
    /// Wakes.
    pub wakes: u32,
    /// Waits.
    pub waits: u32,
}

/// One independent way to hand over.
pub(in super::super) struct Arm {
    /// Stable name.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// What the arm alone leaves out.
    pub unseen: Unseen,
    run_alone: fn(&Session<'_>, u64) -> Result<Batch, String>,
    run: fn(&Session<'_>, Place, u64) -> Result<Batch, String>,
}

impl Arm {
    /// One thread wakes itself, and waits.
    pub fn alone(&self) -> Probe<'static> {
        Probe::new(
            format!("{}, one thread", self.title),
            Some(0.0),
            self.run_alone,
        )
    }

    /// The ping-pong.
    pub fn between(&self, place: Place) -> Probe<'static> {
        let run = self.run;
        Probe::new(self.title, Some(1.0), move |session, units| {
            run(session, place, units)
        })
    }
}

/// The way from which the split takes what it cannot time by itself.
pub(in super::super) fn eventfd() -> Arm {
    Arm {
        name: "eventfd",
        title: "eventfd",
        unseen: Unseen::default(),
        run_alone: |session, units| alone(session, units, made(eventfds(), "eventfd")?),
        run: |session, place, units| ping_pong(session, made(eventfds(), "eventfd")?, place, units),
    }
}

/// The others, in whose making the split has no part.
pub(in super::super) fn arms() -> [Arm; 4] {
    [
        Arm {
            name: "pipe",
            title: "pipe",
            unseen: Unseen::default(),
            run_alone: |session, units| alone(session, units, made(pipes(), "pipe2")?),
            run: |session, place, units| ping_pong(session, made(pipes(), "pipe2")?, place, units),
        },
        Arm {
            name: "condvar",
            title: "condition variable",
            // A wait that slept takes the mutex back as one that is contended (glibc's __pthread_mutex_cond_lock), so
            // the unlock that follows wakes, too: strace counts three futex calls a hand-over.
            unseen: Unseen { wakes: 2, waits: 1 },
            run_alone: |session, units| alone(session, units, Condvars::new()),
            run: |session, place, units| ping_pong(session, Condvars::new(), place, units),
        },
        Arm {
            name: "signal",
            title: "signal",
            unseen: Unseen::default(),
            run_alone: |session, units| alone(session, units, Signals::default()),
            run: |session, place, units| ping_pong(session, Signals::default(), place, units),
        },
        Arm {
            name: "park",
            title: "park and unpark",
            unseen: Unseen { wakes: 1, waits: 1 },
            run_alone: |session, units| alone(session, units, Parking::default()),
            run: |session, place, units| ping_pong(session, Parking::default(), place, units),
        },
    ]
}

fn made<T>(arm: std::io::Result<T>, call: &str) -> Result<T, String> {
    arm.map_err(|error| format!("{call}: {error}"))
}

fn alone<H: HandOver>(session: &Session<'_>, units: u64, arm: H) -> Result<Batch, String> {
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
