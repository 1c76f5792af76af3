//! The table of all locks.
//!
//! A row has the type, its name, its storage, and its constructor. In braces it has one sentence, the source, and every other
//! difference from the constant at the end (fields of [`Lock`](super::Lock)).
//!
//! | storage | |
//! |---|---|
//! | `word` | only its own few words, so it can take the place of a program's mutex |
//! | `queue` | nodes from per-thread caches (feature `std`) |
//! | `kernel` | an object of the Linux kernel |
//!
//! | constructor | |
//! |---|---|
//! | `new` | by `new` |
//! | `with_spin` | by `with_spin`; the type has a `DEFAULT_SPIN` |
//! | `prepared` | by `new`, after its `prepare` |

/// Calls a macro once with all rows of the catalogue, after the tokens that are given for it: `catalogue!([path::to::callback]
/// tokens)`. Locks that are kernel objects are included on Linux only.
#[doc(hidden)]
#[macro_export]
macro_rules! catalogue {
    ([$($callback:tt)+] $($given:tt)*) => {
        $crate::__and_kernel_objects! {
            [$($callback)+] $($given)*

            // Spin locks that any waiter may win.
            Tas "tas" word new {
                "test-and-set by an exchange, xchg", "Anderson 1990",
                ..Lock::SPINS
            }
            Cas "cas" word new {
                "test-and-set by a compare-and-exchange, cmpxchg", "Anderson 1990",
                ..Lock::SPINS
            }
            Ttas "ttas" word new {
                "test-and-test-and-set: spins on a plain read", "Rudolph and Segall 1984",
                ..Lock::SPINS
            }
            TtasCapped "ttas-capped" word with_spin {
                "test-and-test-and-set: spins for a bounded time, then yields", "Intel 2008",
                waits: Waits::SpinsThenYields,
                parameter: Some(Parameter::spin(
                    "units of spinning (about 25 ns each) between two yields",
                    TtasCapped::DEFAULT_SPIN,
                )),
                ..Lock::SPINS
            }
            TtasBackoff "ttas-backoff" word with_spin {
                "test-and-test-and-set with exponential back-off", "Anderson 1990",
                parameter: Some(Parameter::spin(
                    "longest pause, in units of spinning (about 25 ns each)",
                    TtasBackoff::DEFAULT_SPIN,
                )),
                ..Lock::SPINS
            }
            TtasBackoffYield "ttas-backoff-yield" word with_spin {
                "test-and-test-and-set with back-off: one pause of about 3 us, then yields that double",
                "Anderson 1990, Intel 2008",
                waits: Waits::SpinsThenYields,
                parameter: Some(Parameter::spin(
                    "the pause, in units of spinning (about 25 ns each)",
                    TtasBackoffYield::DEFAULT_SPIN,
                )),
                ..Lock::SPINS
            }

            // Spin locks in the order of arrival.
            Ticket "ticket" word new {
                "ticket lock, in order of arrival",
                "Reed and Kanodia 1979; Mellor-Crummey and Scott 1991",
                ..Lock::SPINS_IN_ORDER
            }
            TicketBackoff "ticket-backoff" word with_spin {
                "ticket lock with a pause in proportion to the distance", "Mellor-Crummey and Scott 1991",
                parameter: Some(Parameter::spin(
                    "pause for each place in the queue, in units of spinning (about 25 ns each)",
                    TicketBackoff::DEFAULT_SPIN,
                )),
                ..Lock::SPINS_IN_ORDER
            }
            TicketYield "ticket-yield" word with_spin {
                "ticket lock, in order of arrival: spins for a bounded time, then yields",
                "Mellor-Crummey and Scott 1991; Karlin et al. 1991",
                waits: Waits::SpinsThenYields,
                parameter: Some(Parameter::spin(
                    "units of spinning (about 25 ns each) between two yields",
                    TicketYield::DEFAULT_SPIN,
                )),
                ..Lock::SPINS_IN_ORDER
            }
            Twa "twa" word new {
                "ticket lock with a waiting array", "Dice and Kogan 2019",
                ..Lock::SPINS_IN_ORDER
            }
            Clh "clh" queue new {
                "queue lock, each spins on its predecessor", "Craig 1993; Landin and Hagersten 1994",
                ..Lock::SPINS_IN_ORDER
            }
            Mcs "mcs" queue new {
                "queue lock, each spins on its own node, in order of arrival",
                "Mellor-Crummey and Scott 1991",
                ..Lock::SPINS_IN_ORDER
            }

            // Locks whose waiters eventually sleep.
            Tollgate "tollgate" word prepared {
                "one waiter spins, the others sleep in order of arrival; after 400 us the first sleeper is handed the lock",
                "locktoll 2026",
                waits: Waits::OneSpins,
                ..Lock::SPINS_THEN_PARKS
            }
            McsPark "mcs-park" queue with_spin {
                "queue lock, in order of arrival, that spins, then parks",
                "Mellor-Crummey and Scott 1991; Karlin et al. 1991",
                timed: Timed::Tries,
                order: Order::Arrival,
                parameter: Some(Parameter::spin(BEFORE_IT_SLEEPS, McsParkQueue::DEFAULT_SPIN)),
                ..Lock::SPINS_THEN_PARKS
            }
            Futex2 "futex2" word with_spin {
                "two-state futex lock: every release is a system call",
                "Franke, Russell and Kirkwood 2002",
                aliases: &[Alias::with("futex2-spin0", 0), Alias::with("futex2-spin100", 100)],
                parameter: Some(Parameter::spin(BEFORE_IT_SLEEPS, Futex2::DEFAULT_SPIN).always_named()),
                presets: &[
                    Preset { name: "futex2:0", number: 0, summary: "futex2 that parks at once" },
                    Preset { name: "futex2:100", number: 100, summary: "futex2 that spins 100 units first" },
                ],
                ..Lock::SPINS_THEN_PARKS
            }
            Futex3 "futex3" word with_spin {
                "three-state futex lock like the C library's: a release makes a system call only if a thread sleeps",
                "Drepper 2004",
                aliases: &[Alias::with("futex3-spin0", 0), Alias::with("futex3-spin100", 100)],
                parameter: Some(Parameter::spin(BEFORE_IT_SLEEPS, Futex3::DEFAULT_SPIN).always_named()),
                presets: &[
                    Preset { name: "futex3:0", number: 0, summary: "futex3 that parks at once" },
                    Preset { name: "futex3:100", number: 100, summary: "futex3 that spins 100 units first" },
                ],
                ..Lock::SPINS_THEN_PARKS
            }
            Adaptive "adaptive" word with_spin {
                "futex3 that learns how long to spin, like the C library's PTHREAD_MUTEX_ADAPTIVE_NP",
                "glibc 2.0, 1997",
                waits: Waits::LearnsThenParks,
                parameter: Some(Parameter::spin(
                    "most units of spinning (about 25 ns each) before a waiter sleeps",
                    Adaptive::DEFAULT_SPIN,
                )),
                ..Lock::SPINS_THEN_PARKS
            }
            DesignatedWaker "designated-waker" word with_spin {
                "futex lock that wakes no further thread until the woken one has run",
                "Burrows, nsync, 2016",
                parameter: Some(Parameter::spin(BEFORE_IT_SLEEPS, DesignatedWaker::DEFAULT_SPIN)),
                ..Lock::SPINS_THEN_PARKS
            }
            OneSpinner "one-spinner" word with_spin {
                "futex lock in which one waiter spins and the others sleep", "Go runtime, 2024",
                waits: Waits::OneSpins,
                parameter: Some(Parameter::spin(BEFORE_IT_SLEEPS, OneSpinner::DEFAULT_SPIN)),
                ..Lock::SPINS_THEN_PARKS
            }
        }
    };
}

/// The end of the table: the locks that are kernel objects.
#[cfg(target_os = "linux")]
#[doc(hidden)]
#[macro_export]
macro_rules! __and_kernel_objects {
    ([$($callback:tt)+] $($rows:tt)+) => {
        $($callback)+! {
            $($rows)+
            SysvSemaphore "sysv-sem" kernel new {
                "System V semaphore of value one: semop acquires and releases", "semop(2)",
                aliases: &[Alias::of("sysv-semaphore")],
                ..Lock::OF_THE_KERNEL
            }
            Eventfd "eventfd" kernel new {
                "eventfd in semaphore mode: a read acquires, a write releases", "eventfd(2)",
                ..Lock::OF_THE_KERNEL
            }
            PipeToken "pipe" kernel new {
                "one byte in a pipe: the thread that reads it holds the lock", "pipe(2)",
                aliases: &[Alias::of("pipe-token")],
                ..Lock::OF_THE_KERNEL
            }
        }
    };
}

/// The end of the table: there are no such locks here.
#[cfg(not(target_os = "linux"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __and_kernel_objects {
    ([$($callback:tt)+] $($rows:tt)+) => {
        $($callback)+! { $($rows)+ }
    };
}
