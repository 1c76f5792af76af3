//! The catalogue as constants, and each type's row.

use super::make::{Catalogued, catalogued_by};
use super::{Alias, Lock, Order, Parameter, Preset, Timed, Waits};
use crate::{
    Adaptive, DesignatedWaker, Futex2, Futex3, McsParkQueue, OneSpinner, RwReader, TicketBackoff,
    TicketYield, TtasBackoff, TtasBackoffYield, TtasCapped,
};

/// The meaning of the number of most parking locks.
const BEFORE_IT_SLEEPS: &str = "units of spinning (about 25 ns each) before a waiter sleeps";

macro_rules! table {
    ($($lock:ident $name:literal $place:ident $make:ident
        { $summary:literal, $source:literal, $($more:tt)* })+) => {
        /// All mutual-exclusion locks of this crate that need no other lock:
        ///
        /// | name | lock | source |
        /// |---|---|---|
        $(#[doc = concat!("| `", $name, "` | ", $summary, " | ", $source, " |")])+
        pub const LOCKS: &[Lock] = &[$(
            Lock {
                name: $name,
                summary: $summary,
                source: $source,
                line: concat!($summary, " (", $source, ")"),
                $($more)*
            },
        )+];

        $(table!(@row $lock $name $place $make);)+
    };
    (@row $lock:ident $name:literal word $make:ident) => {
        table!(@type $lock $name $make);
    };
    (@row $lock:ident $name:literal queue $make:ident) => {
        #[cfg(feature = "std")]
        table!(@type $lock $name $make);
    };
    (@row $lock:ident $name:literal kernel $make:ident) => {
        table!(@type $lock $name $make);
    };
    (@type $lock:ident $name:literal $make:ident) => {
        impl Catalogued for crate::$lock {
            const LOCK: Lock = row($name).expect("the table has it");

            catalogued_by!($make);
        }
    };
}
crate::catalogue!([table]);

/// Returns the row of a name without a number.
///
/// ```
/// use locktoll_locks::catalogue::row;
///
/// assert_eq!(row("twa").unwrap().source, "Dice and Kogan 2019");
/// // A name with a number is for `named`.
/// assert!(row("futex3:100").is_none());
/// ```
pub const fn row(name: &str) -> Option<Lock> {
    match (within(LOCKS, name), within(COMPOSED, name)) {
        (Some(lock), _) | (None, Some(lock)) => Some(lock),
        (None, None) => None,
    }
}

const fn within(locks: &[Lock], name: &str) -> Option<Lock> {
    let mut index = 0;
    while index < locks.len() {
        if is_same(locks[index].name, name) {
            return Some(locks[index]);
        }
        index += 1;
    }
    None
}

/// `==`, which is not const.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

macro_rules! composed {
    ($($name:literal { $summary:literal, $source:literal, $($more:tt)* })+) => {
        /// Locks around other locks, and reader-writer locks:
        ///
        /// | name | lock | source |
        /// |---|---|---|
        $(#[doc = concat!("| `", $name, "` | ", $summary, " | ", $source, " |")])+
        pub const COMPOSED: &[Lock] = &[$(
            Lock {
                name: $name,
                summary: $summary,
                source: $source,
                line: concat!($summary, " (", $source, ")"),
                $($more)*
            },
        )+];
    };
}

/// The number of threads that a gate admits.
const ADMITTED: Parameter = Parameter {
    meaning: "threads that may hold or contend for a mutex at a time",
    least: 1,
    most: 1 << 20,
    default: 2,
    is_always_named: true,
};

composed! {
    "gate" {
        "admits N threads at a time to the C library's own mutex", "Hart 1998",
        aliases: &[Alias::of("gate-pthread")],
        waits: Waits::ParksAtAGate,
        parameter: Some(ADMITTED),
        ..Lock::SPINS_THEN_PARKS
    }
    "gate-mcs" {
        "admits N threads at a time to an mcs lock, which never stalls while N is at most the number of CPUs",
        "Hart 1998",
        waits: Waits::ParksAtAGate,
        parameter: Some(ADMITTED),
        ..Lock::SPINS_THEN_PARKS
    }
    "rw-fair" {
        "reader-writer lock in which readers and writers take turns", "Brandenburg and Anderson 2010",
        waits: Waits::SpinsThenYields,
        timed: Timed::Never,
        order: Order::Arrival,
        ..Lock::SPINS
    }
    "rw-reader" {
        "reader-writer lock in which readers overtake writers", "Courtois, Heymans and Parnas 1971",
        timed: Timed::Never,
        parameter: Some(Parameter::spin(BEFORE_IT_SLEEPS, RwReader::DEFAULT_SPIN)),
        ..Lock::SPINS_THEN_PARKS
    }
    "seqlock" {
        "sequence lock over futex3: readers take no lock and read again if a writer interfered",
        "Hemminger 2003",
        timed: Timed::Never,
        parameter: Some(Parameter::spin(BEFORE_IT_SLEEPS, Futex3::DEFAULT_SPIN)),
        ..Lock::SPINS_THEN_PARKS
    }
}
