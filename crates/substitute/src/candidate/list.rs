//! The list of everything that can be tried.

use locktoll_locks::{Futex2, Futex3};

use super::description::{Default, Description, Parameter};

/// Calls a macro with all algorithms that replace a lock. `in_place` has a lock of each name.
macro_rules! for_each_algorithm {
    ($callback:ident) => {
        $callback! {
            Tollgate,
            Futex3,
            Futex2,
            Adaptive,
            OneSpinner,
            DesignatedWaker,
            McsPark,
            Gate,
            TtasBackoffYield,
            TicketYield,
            TtasCapped,
            Tas,
            Cas,
            Ttas,
            TtasBackoff,
            Ticket,
            TicketBackoff,
            Twa,
            Mcs,
        }
    };
}
#[cfg(any(test, feature = "interpose"))]
pub(crate) use for_each_algorithm;

macro_rules! define {
    ($($algorithm:ident,)+) => {
        /// An algorithm that can take the place of the program's mutexes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Algorithm {
            /// This library is loaded and replaces nothing.
            PassThrough,
            $(
                #[doc = concat!("The lock `", stringify!($algorithm), "`.")]
                $algorithm,
            )+
        }

        #[cfg(test)]
        const REPLACING: &[Algorithm] = &[$(Algorithm::$algorithm),+];
    };
}
for_each_algorithm!(define);

const SPINS: &str = "spins";
const SPINS_THEN_YIELDS: &str = "spins for a while, then yields the processor between looks";
const SPINS_THEN_PARKS: &str = "spins for a while, then sleeps";

const SLEEPS_UNTIL: &str = "sleeps until the deadline";
const LOOKS_AT_THE_CLOCK: &str =
    "waits as always, with a look at the clock between the looks at the lock";
const TRIES: &str =
    "never queues: tries again and again with short sleeps, so that others may overtake it";

/// Units of spinning, for those that take them.
const fn spin(default: u32) -> Option<Parameter> {
    Some(Parameter {
        meaning: "units of spinning (about 25 ns each) before a waiter sleeps",
        least: 0,
        most: 1_000_000,
        default,
    })
}

const fn parking(
    name: &'static str,
    algorithm: Algorithm,
    summary: &'static str,
    waits: &'static str,
    parameter: Option<Parameter>,
    defaults: &'static [Default],
) -> Description {
    Description {
        name,
        algorithm,
        summary,
        waits,
        timed: SLEEPS_UNTIL,
        parameter,
        is_pure_spinner: false,
        defaults,
    }
}

const fn yielding(
    name: &'static str,
    algorithm: Algorithm,
    summary: &'static str,
    timed: &'static str,
    defaults: &'static [Default],
) -> Description {
    Description {
        name,
        algorithm,
        summary,
        waits: SPINS_THEN_YIELDS,
        timed,
        parameter: None,
        is_pure_spinner: false,
        defaults,
    }
}

const fn spinning(
    name: &'static str,
    algorithm: Algorithm,
    summary: &'static str,
    timed: &'static str,
) -> Description {
    Description {
        name,
        algorithm,
        summary,
        waits: SPINS,
        timed,
        parameter: None,
        is_pure_spinner: true,
        defaults: &[],
    }
}

/// Tried where no candidates are named.
const TRIED: &[Default] = &[Default::Number(0)];

/// Everything that can be tried, in the order in which it is listed.
pub const ALL: &[Description] = &[
    Description {
        name: "pass-through",
        algorithm: Algorithm::PassThrough,
        summary: "the C library's own locks, with our library loaded: what loading it costs",
        waits: "as the C library's",
        timed: "as the C library's",
        parameter: None,
        is_pure_spinner: false,
        defaults: TRIED,
    },
    parking(
        "tollgate",
        Algorithm::Tollgate,
        "one waiter spins, the others sleep in order of arrival; the first of them is handed the lock after 400 us",
        "one spins, for as long as a wake-up takes, the others sleep",
        None,
        TRIED,
    ),
    parking(
        "futex3",
        Algorithm::Futex3,
        "three-state futex lock, as the C library's own: a release calls only if somebody sleeps (Drepper 2004)",
        "spins for so many units, then sleeps",
        spin(Futex3::DEFAULT_SPIN),
        &[Default::Number(0), Default::Number(100)],
    ),
    parking(
        "adaptive",
        Algorithm::Adaptive,
        "futex3 that learns how long to spin, as the C library's PTHREAD_MUTEX_ADAPTIVE_NP (glibc 2.0, 1997)",
        "spins for about as long as others had to, then sleeps",
        None,
        TRIED,
    ),
    yielding(
        "ttas-backoff-yield",
        Algorithm::TtasBackoffYield,
        "test-and-test-and-set with back-off (Anderson 1990): one pause of about 3 us, then yields that double (Intel 2008)",
        LOOKS_AT_THE_CLOCK,
        TRIED,
    ),
    yielding(
        "ticket-yield",
        Algorithm::TicketYield,
        "ticket lock, in order of arrival (Mellor-Crummey and Scott 1991), with bounded spinning, then it yields",
        TRIES,
        TRIED,
    ),
    parking(
        "one-spinner",
        Algorithm::OneSpinner,
        "futex lock in which one waiter spins and the others sleep (Go runtime, 2024)",
        "one spins, the others sleep",
        None,
        TRIED,
    ),
    Description {
        name: "mcs-park",
        algorithm: Algorithm::McsPark,
        summary: "queue lock, in order of arrival (Mellor-Crummey and Scott 1991), that spins, then parks (Karlin et al. 1991)",
        waits: SPINS_THEN_PARKS,
        timed: TRIES,
        parameter: None,
        is_pure_spinner: false,
        defaults: TRIED,
    },
    parking(
        "gate",
        Algorithm::Gate,
        "so many threads at a time contend for the C library's own mutex (Hart 1998); plain mutexes alone",
        "sleeps before the gate; behind it, as the C library's",
        Some(Parameter {
            meaning: "threads that may hold or contend for a mutex at a time",
            least: 1,
            most: 1 << 20,
            default: 2,
        }),
        &[
            Default::Number(1),
            Default::TimesCpus(1),
            Default::TimesCpus(2),
        ],
    ),
    parking(
        "designated-waker",
        Algorithm::DesignatedWaker,
        "futex lock that wakes nobody while a woken thread has not run yet (Burrows, nsync, 2016)",
        SPINS_THEN_PARKS,
        None,
        &[],
    ),
    parking(
        "futex2",
        Algorithm::Futex2,
        "two-state futex lock: every release is a system call (Franke, Russell and Kirkwood 2002)",
        "spins for so many units, then sleeps",
        spin(Futex2::DEFAULT_SPIN),
        &[],
    ),
    yielding(
        "ttas-capped",
        Algorithm::TtasCapped,
        "test-and-test-and-set with a fixed bound of spinning, then it yields (Intel 2008)",
        LOOKS_AT_THE_CLOCK,
        &[],
    ),
    spinning(
        "tas",
        Algorithm::Tas,
        "test-and-set by exchange (Anderson 1990)",
        LOOKS_AT_THE_CLOCK,
    ),
    spinning(
        "cas",
        Algorithm::Cas,
        "test-and-set by compare-and-exchange (Anderson 1990)",
        LOOKS_AT_THE_CLOCK,
    ),
    spinning(
        "ttas",
        Algorithm::Ttas,
        "test-and-test-and-set: spins on a plain read (Rudolph and Segall 1984)",
        LOOKS_AT_THE_CLOCK,
    ),
    spinning(
        "ttas-backoff",
        Algorithm::TtasBackoff,
        "test-and-test-and-set with exponential back-off (Anderson 1990)",
        LOOKS_AT_THE_CLOCK,
    ),
    spinning(
        "ticket",
        Algorithm::Ticket,
        "ticket lock, in order of arrival (Reed and Kanodia 1979; Mellor-Crummey and Scott 1991)",
        TRIES,
    ),
    spinning(
        "ticket-backoff",
        Algorithm::TicketBackoff,
        "ticket lock with a pause in proportion to the distance (Mellor-Crummey and Scott 1991)",
        TRIES,
    ),
    spinning(
        "twa",
        Algorithm::Twa,
        "ticket lock with a waiting array (Dice and Kogan 2019)",
        TRIES,
    ),
    spinning(
        "mcs",
        Algorithm::Mcs,
        "queue lock, each spins on its own node, in order of arrival (Mellor-Crummey and Scott 1991)",
        TRIES,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_listed_once() {
        for algorithm in REPLACING.iter().chain([&Algorithm::PassThrough]) {
            let rows = ALL.iter().filter(|it| it.algorithm == *algorithm).count();
            assert_eq!(rows, 1, "{algorithm:?}");
        }
        assert_eq!(ALL.len(), REPLACING.len() + 1);
    }

    #[test]
    fn names_are_distinct_and_hold_no_colon() {
        for (index, description) in ALL.iter().enumerate() {
            assert!(!description.name.contains(':'));
            assert!(ALL[..index].iter().all(|it| it.name != description.name));
        }
    }

    #[test]
    fn what_spins_alone_is_never_tried_unasked() {
        for description in ALL {
            assert!(
                !description.is_pure_spinner || description.defaults.is_empty(),
                "{}",
                description.name
            );
            assert_eq!(description.is_pure_spinner, description.waits == SPINS);
        }
    }
}
