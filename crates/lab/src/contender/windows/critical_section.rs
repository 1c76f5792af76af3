//! Critical sections, entered in several ways.
//!
//! | state | what `EnterCriticalSection` does |
//! |---|---|
//! | free | acquires it with one interlocked instruction |
//! | the caller's | counts one more entry |
//! | another's | checks it as often as the spin count says, then sleeps in the kernel; a leaving owner enters the kernel to wake it |
//!
//! No order of waiters is guaranteed. Source: "Critical Section Objects", `EnterCriticalSection`, `TryEnterCriticalSection`,
//! `InitializeCriticalSectionAndSpinCount` (that page says that the heap manager uses a spin count of roughly 4000).
//!
//! # Invariants
//!
//! - **E1** A [`Held`] exists only on the thread that entered, once for each entry: it is neither `Send` nor `Clone`.

use std::marker::PhantomData;

use locktoll_locks::catalogue::{Lock, Parameter, Preset};

use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, Family, LockOptions};
use super::section::Section;
use super::windows;
use crate::lock_names::CRITICAL_SECTIONS;

pub(super) fn visit(visitor: &mut impl Visitor) {
    let lock = Lock {
        aliases: CRITICAL_SECTIONS,
        parameter: Some(LOOKS),
        ..windows(
            "critical-section",
            "CRITICAL_SECTION as InitializeCriticalSection makes it, or with so many looks: Which 1 of TimeMutex, with --nested Which 2",
        )
        .lock
    };
    let section = Listing::of(lock, Family::Windows);
    visitor.lock::<CriticalSection<Enter>>(section.knobs(&["spin", "recursive"]));
    for preset in PRESETS {
        visitor.lock::<CriticalSection<Enter>>(section.preset(preset).knobs(&["recursive"]));
    }
    let tried = Lock {
        name: "critical-section-try",
        aliases: &[],
        summary: TRIED,
        line: TRIED,
        ..lock
    };
    visitor.lock::<CriticalSection<TryThenEnter>>(
        Listing::of(tried, Family::Windows).knobs(&["spin", "recursive"]),
    );
}

const TRIED: &str =
    "critical section by TryEnterCriticalSection, and by EnterCriticalSection where that failed";

/// The spin count of a critical section.
const LOOKS: Parameter = Parameter::spin("looks at the section before a waiter sleeps", 0);

/// Spin counts that deserve their own row.
const PRESETS: [Preset; 3] = [
    Preset {
        name: "critical-section:0",
        number: 0,
        summary: "critical section with spin count 0: waiters sleep at once",
    },
    Preset {
        name: "critical-section:100",
        number: 100,
        summary: "critical section with spin count 100: waiters look 100 times, then sleep",
    },
    Preset {
        name: "critical-section:4000",
        number: 4000,
        summary: "critical section with spin count 4000, about that of Windows' heap",
    },
];

/// The calls with which a thread enters.
trait Way: Send + Sync + 'static {
    fn in_to(section: &Section);
}

/// `EnterCriticalSection`.
enum Enter {}
/// `TryEnterCriticalSection`, then `EnterCriticalSection` if necessary.
enum TryThenEnter {}

impl Way for Enter {
    #[inline(always)]
    fn in_to(section: &Section) {
        section.enter();
    }
}

impl Way for TryThenEnter {
    #[inline(always)]
    fn in_to(section: &Section) {
        if !section.try_enter() {
            section.enter();
        }
    }
}

/// A critical section, entered in the way `W`.
struct CriticalSection<W> {
    section: Section,
    way: PhantomData<W>,
}

/// One entry.
struct Held<'a> {
    section: &'a Section,
    /// The thread that entered must leave (E1).
    not_send: PhantomData<*const ()>,
}

impl Drop for Held<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: E1.
        unsafe { self.section.leave() }
    }
}

impl<W: Way> Contender for CriticalSection<W> {
    type Held<'a> = Held<'a>;

    const RECURSIVE: bool = true;

    fn create(options: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self {
            section: Section::new(options.spin)?,
            way: PhantomData,
        })
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_> {
        W::in_to(&self.section);
        Held {
            section: &self.section,
            not_send: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::section::MOST_LOOKS;
    use super::*;

    fn spinning(looks: Option<u32>) -> LockOptions {
        LockOptions {
            spin: looks,
            gate: None,
        }
    }

    fn looks_of(spin: Option<u32>) -> u32 {
        let lock = CriticalSection::<Enter>::create(&spinning(spin)).unwrap();
        lock.section.take_looks()
    }

    /// Returns the spin count that Windows uses here for a given one.
    fn here(looks: u32) -> u32 {
        let processors = std::thread::available_parallelism().unwrap().get();
        if processors > 1 { looks } else { 0 }
    }

    #[test]
    fn the_spin_count_stands_in_the_object() {
        for looks in [0, 1, 987_654, MOST_LOOKS] {
            assert_eq!(looks_of(Some(looks)), here(looks));
        }
        for preset in PRESETS {
            assert_eq!(looks_of(Some(preset.number)), here(preset.number));
        }
    }

    #[test]
    fn a_spin_count_that_would_run_into_the_flags_is_an_error() {
        for looks in [MOST_LOOKS + 1, u32::MAX] {
            let made = CriticalSection::<Enter>::create(&spinning(Some(looks)));
            let Err(error) = made else {
                panic!("{looks} looks")
            };
            assert!(error.to_string().contains(&looks.to_string()), "{error}");
        }
    }

    #[test]
    fn a_try_gets_in_where_it_is_free_or_ones_own_and_nowhere_else() {
        let section = Section::new(None).unwrap();
        assert!(section.try_enter() && section.try_enter());
        let elsewhere = |section: &Section| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| {
                    let entered = section.try_enter();
                    if entered {
                        // SAFETY: entered on this thread.
                        unsafe { section.leave() }
                    }
                    entered
                });
                other.join().unwrap()
            })
        };
        for entries_left in [1, 0] {
            assert!(!elsewhere(&section));
            // SAFETY: entered twice, and left at most once before.
            unsafe { section.leave() }
            assert_eq!(elsewhere(&section), entries_left == 0);
        }
    }
}
