//! The list of arms.

use super::condvar::Condvars;
use super::descriptor::{eventfds, pipes};
use super::signal::Signals;
use crate::probe::ping_pong::{Arm, Parking, Unseen, alone, made, ping_pong};

/// The arm from which the split takes the parts that it cannot time alone.
pub(in super::super) fn eventfd() -> Arm {
    Arm {
        name: "eventfd",
        title: "eventfd",
        unseen: Unseen::default(),
        run_alone: |session, units| alone(session, units, made(eventfds(), "eventfd")?),
        run: |session, place, units| ping_pong(session, made(eventfds(), "eventfd")?, place, units),
    }
}

/// The other arms, which play no part in the split.
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
            // A wait that slept reacquires the mutex as contended (glibc's __pthread_mutex_cond_lock), so the unlock that follows
            // makes a wake, too: strace counts three futex calls per hand-over.
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
