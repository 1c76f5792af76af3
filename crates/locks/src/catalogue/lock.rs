//! What is known about a lock before it is used.

use core::fmt;

/// A lock in the catalogue.
///
/// ```
/// use locktoll_locks::catalogue::{LOCKS, Order};
///
/// // The locks that serve waiters in the order of their arrival, with a sentence each.
/// for lock in LOCKS.iter().filter(|lock| lock.order == Order::Arrival) {
///     println!("{}: {}", lock.name, lock.summary);
/// }
/// # assert!(LOCKS.iter().any(|lock| lock.order == Order::Arrival));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lock {
    /// Its name, without a number.
    pub name: &'static str,
    /// Other spellings that are accepted, but not shown.
    pub aliases: &'static [Alias],
    /// One sentence.
    pub summary: &'static str,
    /// The paper or program it comes from, and the year.
    pub source: &'static str,
    /// The summary followed by the source.
    pub line: &'static str,
    /// How a waiter waits.
    pub waits: Waits,
    /// How a wait with a deadline waits.
    pub timed: Timed,
    /// The order in which waiters are served.
    pub order: Order,
    /// The meaning of the number after the colon, if the lock takes one.
    pub parameter: Option<Parameter>,
    /// Numbers with which it is measured, in addition to its default, if all locks are measured.
    pub presets: &'static [Preset],
}

impl Lock {
    /// The defaults for locks that only spin: rows of such locks leave these fields out. Every row has its own name and texts.
    pub const SPINS: Self = Self {
        name: "",
        aliases: &[],
        summary: "",
        source: "",
        line: "",
        waits: Waits::Spins,
        timed: Timed::LooksAtTheClock,
        order: Order::None,
        parameter: None,
        presets: &[],
    };

    /// The defaults for locks that spin and serve in the order of arrival.
    pub const SPINS_IN_ORDER: Self = Self {
        timed: Timed::Tries,
        order: Order::Arrival,
        ..Self::SPINS
    };

    /// The defaults for locks that spin for a while and then sleep.
    pub const SPINS_THEN_PARKS: Self = Self {
        waits: Waits::SpinsThenParks,
        timed: Timed::Sleeps,
        ..Self::SPINS
    };

    /// The defaults for locks that are kernel objects.
    pub const OF_THE_KERNEL: Self = Self {
        waits: Waits::Parks,
        timed: Timed::Never,
        order: Order::OfTheKernel,
        ..Self::SPINS
    };
}

/// Another spelling of a name.
///
/// ```
/// use locktoll_locks::catalogue::{Alias, row};
///
/// let spellings = row("futex3").unwrap().aliases;
/// assert!(spellings.contains(&Alias::with("futex3-spin100", 100)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The spelling.
    pub name: &'static str,
    /// The number that it represents, if any.
    pub number: Option<u32>,
}

impl Alias {
    /// Makes another name for the lock with its default number.
    ///
    /// ```
    /// use locktoll_locks::catalogue::Alias;
    ///
    /// assert_eq!(Alias::of("sysv-semaphore").number, None);
    /// ```
    pub const fn of(name: &'static str) -> Self {
        Self { name, number: None }
    }

    /// Makes another name for the lock with this number.
    ///
    /// ```
    /// use locktoll_locks::catalogue::{Alias, named};
    ///
    /// let alias = Alias::with("futex3-spin0", 0);
    /// // The alias means the same as `futex3:0`.
    /// assert_eq!(named(alias.name).unwrap().number, alias.number);
    /// ```
    pub const fn with(name: &'static str, number: u32) -> Self {
        Self {
            name,
            number: Some(number),
        }
    }
}

/// A lock with a preset number.
///
/// ```
/// use locktoll_locks::catalogue::row;
///
/// for preset in row("futex2").unwrap().presets {
///     println!("{} ({})", preset.name, preset.summary);
///     assert_eq!(preset.name, format!("futex2:{}", preset.number));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// `NAME:NUMBER`.
    pub name: &'static str,
    /// The number.
    pub number: u32,
    /// One sentence.
    pub summary: &'static str,
}

/// What a waiter does.
///
/// ```
/// use locktoll_locks::catalogue::{Waits, row};
///
/// assert_eq!(row("mcs").unwrap().waits, Waits::Spins);
/// assert_eq!(row("mcs-park").unwrap().waits, Waits::SpinsThenParks);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Only spins.
    Spins,
    /// Spins for a while, then yields the processor between checks.
    SpinsThenYields,
    /// Spins for a while, then sleeps.
    SpinsThenParks,
    /// Spins for about as long as earlier waits took, then sleeps.
    LearnsThenParks,
    /// One waiter spins, the others sleep.
    OneSpins,
    /// Sleeps.
    Parks,
    /// Sleeps at a gate; behind it, waits as the inner lock does.
    ParksAtAGate,
    /// As documented for a lock of another crate.
    AsItsOwner,
}

impl Waits {
    /// Returns a text for people.
    ///
    /// ```
    /// use locktoll_locks::catalogue::Waits;
    ///
    /// assert_eq!(Waits::SpinsThenParks.text(), "spins for a while, then sleeps");
    /// ```
    pub const fn text(self) -> &'static str {
        match self {
            Self::Spins => "spins",
            Self::SpinsThenYields => "spins for a while, then yields the processor between looks",
            Self::SpinsThenParks => "spins for a while, then sleeps",
            Self::LearnsThenParks => "spins for about as long as others had to, then sleeps",
            Self::OneSpins => "one spins, the others sleep",
            Self::Parks => "sleeps",
            Self::ParksAtAGate => "sleeps before the gate; behind it, as the lock there",
            Self::AsItsOwner => "as its own documentation says",
        }
    }

    /// Whether a waiter only spins: with more threads than processors, such a lock may make no progress for whole time
    /// slices of the scheduler.
    ///
    /// ```
    /// use locktoll_locks::catalogue::LOCKS;
    ///
    /// // The locks to avoid with more threads than CPUs.
    /// let avoided: Vec<_> = LOCKS.iter().filter(|lock| lock.waits.is_pure_spinning()).map(|lock| lock.name).collect();
    /// assert!(avoided.contains(&"ticket") && !avoided.contains(&"ticket-yield"));
    /// ```
    pub const fn is_pure_spinning(self) -> bool {
        matches!(self, Self::Spins)
    }
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// How a wait with a deadline proceeds ([`TimedLock`](crate::TimedLock)).
///
/// ```
/// use locktoll_locks::catalogue::{Timed, row};
///
/// // A waiter of a ticket lock could not give its ticket back, so a wait with a deadline draws none.
/// assert_eq!(row("ticket").unwrap().timed, Timed::Tries);
/// assert_eq!(row("futex3").unwrap().timed, Timed::Sleeps);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// Sleeps until the deadline.
    Sleeps,
    /// Waits as usual, and reads the clock between checks of the lock.
    LooksAtTheClock,
    /// Never queues: tries again and again with short sleeps, so that others may overtake it.
    Tries,
    /// The lock has no wait with a deadline.
    Never,
}

impl Timed {
    /// Returns a text for people.
    ///
    /// ```
    /// use locktoll_locks::catalogue::Timed;
    ///
    /// assert_eq!(Timed::Sleeps.text(), "sleeps until the deadline");
    /// ```
    pub const fn text(self) -> &'static str {
        match self {
            Self::Sleeps => "sleeps until the deadline",
            Self::LooksAtTheClock => {
                "waits as always, with a look at the clock between the looks at the lock"
            }
            Self::Tries => {
                "never queues: tries again and again with short sleeps, so that others may overtake it"
            }
            Self::Never => "there is none",
        }
    }
}

/// The order in which waiters are served.
///
/// ```
/// use locktoll_locks::catalogue::{Order, row};
///
/// assert_eq!(row("clh").unwrap().order, Order::Arrival);
/// assert_eq!(row("ttas").unwrap().order, Order::None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In no order: any waiter may win.
    None,
    /// In the order of arrival.
    Arrival,
    /// In the kernel's order.
    OfTheKernel,
}

impl Order {
    /// Returns a text for people.
    ///
    /// ```
    /// use locktoll_locks::catalogue::Order;
    ///
    /// assert_eq!(Order::Arrival.text(), "arrival");
    /// ```
    pub const fn text(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Arrival => "arrival",
            Self::OfTheKernel => "the kernel's",
        }
    }
}

/// The number after the colon.
///
/// ```
/// use locktoll_locks::catalogue::row;
///
/// let parameter = row("adaptive").unwrap().parameter.unwrap();
/// println!("adaptive:N, with N the {} [default: {}]", parameter.meaning, parameter.default);
/// assert!((parameter.least..=parameter.most).contains(&parameter.default));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its meaning, with its unit.
    pub meaning: &'static str,
    /// The least value accepted.
    pub least: u32,
    /// The greatest value accepted.
    pub most: u32,
    /// Its default.
    pub default: u32,
    /// Whether it is part of the lock's name in results even if it is the default. This is for locks that become different
    /// ones with another number, such as a futex lock that spins and one that does not.
    pub is_always_named: bool,
}

impl Parameter {
    /// Makes a parameter that is a length of spinning, in units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS).
    ///
    /// ```
    /// use locktoll_locks::catalogue::Parameter;
    ///
    /// let parameter = Parameter::spin("units of spinning before a waiter sleeps", 100);
    /// assert_eq!((parameter.least, parameter.default, parameter.most), (0, 100, 1_000_000));
    /// ```
    pub const fn spin(meaning: &'static str, default: u32) -> Self {
        Self {
            meaning,
            least: 0,
            most: 1_000_000,
            default,
            is_always_named: false,
        }
    }

    /// Makes the number part of the name.
    ///
    /// ```
    /// use locktoll_locks::catalogue::row;
    ///
    /// // Results call the lock `futex3:0` even if 0 is the default.
    /// assert!(row("futex3").unwrap().parameter.unwrap().is_always_named);
    /// assert!(!row("adaptive").unwrap().parameter.unwrap().is_always_named);
    /// ```
    pub const fn always_named(self) -> Self {
        Self {
            is_always_named: true,
            ..self
        }
    }
}
