//! The list of ways to hand over.

use super::address::Words;
use super::condition::Conditions;
use super::object::{events, semaphores};
use crate::probe::ping_pong::{Arm, Parking, Unseen, alone, made, ping_pong};

/// The arm that is split: two system calls and nothing else.
pub(super) fn event() -> Arm {
    Arm {
        name: "event",
        title: "auto-reset event",
        unseen: Unseen::default(),
        run_alone: |session, units| alone(session, units, made(events(), "CreateEvent")?),
        run: |session, place, units| {
            ping_pong(session, made(events(), "CreateEvent")?, place, units)
        },
    }
}

/// The arm from which the split takes the parts that it cannot time alone.
pub(super) fn semaphore() -> Arm {
    Arm {
        name: "semaphore",
        title: "semaphore",
        unseen: Unseen::default(),
        run_alone: |session, units| alone(session, units, made(semaphores(), "CreateSemaphore")?),
        run: |session, place, units| {
            ping_pong(
                session,
                made(semaphores(), "CreateSemaphore")?,
                place,
                units,
            )
        },
    }
}

/// The other arms, which play no part in the split. They enter the kernel only where a thread sleeps, by one alert and one wait
/// for it.
pub(super) fn arms() -> [Arm; 3] {
    let unseen = Unseen { wakes: 1, waits: 1 };
    [
        Arm {
            name: "address",
            title: "WaitOnAddress",
            unseen,
            run_alone: |session, units| alone(session, units, Words::default()),
            run: |session, place, units| ping_pong(session, Words::default(), place, units),
        },
        Arm {
            name: "condvar",
            title: "condition variable",
            unseen,
            run_alone: |session, units| alone(session, units, Conditions::new()),
            run: |session, place, units| ping_pong(session, Conditions::new(), place, units),
        },
        Arm {
            name: "park",
            title: "park and unpark",
            unseen,
            run_alone: |session, units| alone(session, units, Parking::default()),
            run: |session, place, units| ping_pong(session, Parking::default(), place, units),
        },
    ]
}
