//! Critical sections, entered in several ways.
//!
//! | state | how `EnterCriticalSection` goes on |
//! |---|---|
//! | free | takes it with one interlocked instruction |
//! | the caller's | counts one more entry |
//! | another's | looks as often as the spin count says, then sleeps in the kernel, which a leaving owner enters to wake it |
//!
//! No order is promised. Source: "Critical Section Objects", `EnterCriticalSection`, `TryEnterCriticalSection`,
//! `InitializeCriticalSectionAndSpinCount` (4000 is roughly what the heap manager spins, says that page).
//!
//! # Invariants
//!
//! - **E1** A [`Held`] exists on the thread that entered only, once for each entry: it is neither `Send` nor `Clone`.

use std::marker::PhantomData;

use super::super::visit::Visitor;
use super::super::{Contender, CreateError, LockOptions};
use super::section::Section;
use super::windows;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<CriticalSection<Set, Enter>>(
        windows(
            "critical-section",
            "CRITICAL_SECTION as InitializeCriticalSection makes it, or with --spin looks: Which 1 of TimeMutex, with --nested Which 2",
        )
        .knobs(&["spin", "recursive"]),
    );
    visitor.lock::<CriticalSection<Looks<0>, Enter>>(
        windows(
            "critical-section-spin0",
            "critical section with spin count 0: waiters sleep at once",
        )
        .knobs(&["recursive"]),
    );
    visitor.lock::<CriticalSection<Looks<100>, Enter>>(
        windows(
            "critical-section-spin100",
            "critical section with spin count 100: waiters look 100 times, then sleep",
        )
        .knobs(&["recursive"]),
    );
    visitor.lock::<CriticalSection<Looks<4000>, Enter>>(
        windows(
            "critical-section-spin4000",
            "critical section with spin count 4000, about that of Windows' heap",
        )
        .knobs(&["recursive"]),
    );
    visitor.lock::<CriticalSection<Set, TryThenEnter>>(
        windows(
            "critical-section-try",
            "critical section by TryEnterCriticalSection, and by EnterCriticalSection where that failed",
        )
        .knobs(&["spin", "recursive"]),
    );
}

/// How often waiters look.
trait SpinCount: Send + Sync + 'static {
    /// `None` is what Windows gives by itself.
    fn of(options: &LockOptions) -> Option<u32>;
}

/// As `--spin` says, or Windows.
enum Set {}
/// `LOOKS`, whatever `--spin` says.
enum Looks<const LOOKS: u32> {}

impl SpinCount for Set {
    fn of(options: &LockOptions) -> Option<u32> {
        options.spin
    }
}

impl<const LOOKS: u32> SpinCount for Looks<LOOKS> {
    fn of(_: &LockOptions) -> Option<u32> {
        Some(LOOKS)
    }
}

/// The calls by which a thread gets in.
trait Way: Send + Sync + 'static {
    fn in_to(section: &Section);
}

/// `EnterCriticalSection`.
enum Enter {}
/// `TryEnterCriticalSection`, then `EnterCriticalSection` if need be.
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

/// A critical section with the spin count `S`, entered in the way `W`.
struct CriticalSection<S, W> {
    section: Section,
    kind: PhantomData<(S, W)>,
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

impl<S: SpinCount, W: Way> Contender for CriticalSection<S, W> {
    type Held<'a> = Held<'a>;

    const RECURSIVE: bool = true;

    fn create(options: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self {
            section: Section::new(S::of(options))?,
            kind: PhantomData,
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

    fn looks_of<S: SpinCount>(spin: Option<u32>) -> u32 {
        let lock = CriticalSection::<S, Enter>::create(&spinning(spin)).unwrap();
        lock.section.take_looks()
    }

    /// What Windows makes of a spin count here.
    fn here(looks: u32) -> u32 {
        let processors = std::thread::available_parallelism().unwrap().get();
        if processors > 1 { looks } else { 0 }
    }

    #[test]
    fn the_spin_count_stands_in_the_object() {
        for looks in [0, 1, 987_654, MOST_LOOKS] {
            assert_eq!(looks_of::<Set>(Some(looks)), here(looks));
        }
        assert_eq!(looks_of::<Looks<0>>(Some(5)), 0);
        assert_eq!(looks_of::<Looks<100>>(Some(5)), here(100));
        assert_eq!(looks_of::<Looks<4000>>(None), here(4000));
    }

    #[test]
    fn a_spin_count_that_would_run_into_the_flags_is_an_error() {
        for looks in [MOST_LOOKS + 1, u32::MAX] {
            let made = CriticalSection::<Set, Enter>::create(&spinning(Some(looks)));
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
