//! Every lock under more threads than processors: exclusion is watched from the inside, and no
//! acquisition may be lost. Bounded in time, not in operations: a FIFO spin lock takes a
//! scheduler's slice and more for a hand-over here.
#![cfg(all(not(locktoll_loom), feature = "std"))]

use locktoll_lock_checks::contest::Contest;

use std::time::Duration;

use locktoll_locks::*;

/// Long enough for thousands of preemptions inside critical sections, over all locks.
const LENGTH: Duration = Duration::from_millis(120);

macro_rules! stress {
    ($($lock:ident $name:literal,)+) => {
        $(
            mod $lock {
                use crate::{Contest, LENGTH};

                #[test]
                fn excludes_and_loses_nothing() {
                    Contest::new(locktoll_locks::$lock::new(), 8).run(LENGTH);
                }

                #[test]
                fn excludes_when_mixed_with_tries() {
                    Contest::new(locktoll_locks::$lock::new(), 6).with_tries().run(LENGTH);
                }
            }
        )+
    };
}

/// Two tests for each lock, in a module of the lock's name.
mod each {
    locktoll_locks::for_each_lock!(stress);
}

#[test]
fn gates_of_every_width_exclude() {
    for active in [1, 2, 7] {
        Contest::new(Gate::<Ttas>::with_active(active), 8)
            .with_tries()
            .run(LENGTH / 2);
        Contest::new(Gate::<Mcs>::with_active(active), 8).run(LENGTH / 2);
    }
}

#[test]
fn spin_lengths_do_not_matter_for_exclusion() {
    for spin in [0, 1, 1000] {
        Contest::new(TtasCapped::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(TtasBackoff::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(TicketBackoff::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(McsPark::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(Futex2::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(Futex3::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(Adaptive::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(DesignatedWaker::with_spin(spin), 4).run(LENGTH / 4);
        Contest::new(OneSpinner::with_spin(spin), 4).run(LENGTH / 4);
    }
}
