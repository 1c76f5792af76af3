//! The word in an object that says whether this library has made its contents, and in which process.
//!
//! An object begins as the C library's initialisers leave it, with zeros in the place of the mark; no call is needed. Its first
//! use *makes* this library's contents. Its first use in a forked child *adopts* them: it keeps the state that the program
//! knows (whether it is held), and forgets the waiters, since those threads do not exist there.
//!
//! | mark | meaning |
//! |---|---|
//! | of the current generation | settled: the contents belong to this process |
//! | the same, with `MAKING` | a thread is making or adopting the contents now, and others wait for it |
//! | of another generation | inherited by fork: to be adopted |
//! | another generation's, with `MAKING` | the thread that was making or adopting them is not in this process: it is done again |
//! | anything else | never used: zeros, or memory that was never initialised |
//!
//! # Invariants
//!
//! - **M1** This library's contents of an object are written only by the thread that set `MAKING`, until it stores the settled
//!   mark; and by any thread that has seen the settled mark, by the rules of the contents.
//! - **M2** The words of an inherited object are as they were at the fork until a thread sets `MAKING`: no thread of this
//!   process uses contents that are not settled.
//! - **M3** If another fork interrupts an adoption, `HELD` still has the state from its beginning.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::generation;

/// A thread is making or adopting the object.
const MAKING: u32 = 1;
/// The object being adopted was held at the fork.
const HELD: u32 = 2;

/// The state in which the thread that makes or adopts an object finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing of this library's: an object to be made, free.
    Unused,
    /// The contents left by a process that this one was forked off from. They may be half adopted already: overwrite them,
    /// based on what is given here, or in steps that may be repeated.
    Inherited {
        /// The result of `was_held`, before anything was overwritten.
        held: bool,
    },
}

/// The mark of one object. It lies in the object itself, so it is never made, only found.
#[repr(transparent)]
#[derive(Debug)]
pub struct Mark(AtomicU32);

impl Mark {
    /// Whether the object is settled. A thread that sees `true` sees what was made.
    #[inline(always)]
    pub fn is_current(&self) -> bool {
        // Acquire: pairs with the release in `settle`.
        generation::is_current(self.0.load(Acquire))
    }

    /// Whether the object has contents of this library, made in this process or inherited.
    pub fn is_used(&self) -> bool {
        // Relaxed: the code that follows checks again.
        generation::is_mark(self.0.load(Relaxed))
    }

    /// Makes or adopts the object with `settle`, if it is not settled, and returns when it is settled.
    ///
    /// `was_held` returns whether an inherited object was held. It only reads, and the object may be half adopted by another
    /// thread; in that case its result is not used. `settle` writes this library's contents of the object. It must not use an
    /// object itself, or call anything that does. Neither is called if another thread settles the object first.
    ///
    /// A signal handler that interrupts a first use of the same object must not call it: it would wait for the code that it
    /// interrupts. POSIX does not let handlers use any of these objects.
    pub fn settle(&self, was_held: impl Fn() -> bool, settle: impl FnOnce(Found)) {
        self.settle_if(was_held, |found| {
            settle(found);
            true
        });
    }

    /// Does the same, if only `settle` can find out whether this library keeps anything in the object. If not, `settle`
    /// returns `false`, after noting it somewhere else, and the mark is as if it had never been touched; other threads may
    /// come and ask again. Returns whether the object is settled.
    #[cold]
    pub fn settle_if(
        &self,
        was_held: impl Fn() -> bool,
        settle: impl FnOnce(Found) -> bool,
    ) -> bool {
        let settled = generation::current();
        let mut patience = Patience::default();
        // Acquire: pairs with the release below.
        let mut mark = self.0.load(Acquire);
        let found = loop {
            if mark == settled {
                return true;
            }
            if mark & !(MAKING | HELD) == settled {
                patience.wait();
                mark = self.0.load(Acquire);
                continue;
            }
            let found = found(mark, &was_held);
            let note = if matches!(found, Found::Inherited { held: true }) {
                HELD
            } else {
                0
            };
            // Acquire: to see what the last thread left there. Nothing is released: only the threads of this process look at
            // it, and the mark that they look for is stored below.
            match self
                .0
                .compare_exchange(mark, settled | MAKING | note, Acquire, Acquire)
            {
                Ok(_) => break found,
                Err(now) => mark = now,
            }
        };
        let is_kept = settle(found);
        // Release: M1: a thread that sees it sees the contents made.
        self.0.store(if is_kept { settled } else { 0 }, Release);
        is_kept
    }

    /// Notes that the object is destroyed or begins anew: the next use makes it.
    pub fn clear(&self) {
        // Relaxed: nobody else uses an object that is being initialised or destroyed.
        self.0.store(0, Relaxed);
    }
}

/// Returns the state of an object whose mark is not of the current generation.
fn found(mark: u32, was_held: impl Fn() -> bool) -> Found {
    if !generation::is_mark(mark) {
        Found::Unused
    } else if mark & MAKING == 0 {
        Found::Inherited { held: was_held() }
    } else if mark & HELD != 0 {
        // M3.
        Found::Inherited { held: true }
    } else {
        // It was made or adopted by a thread that is not in this process: nobody has held it since.
        Found::Unused
    }
}

/// How a thread waits for another that has only a few stores to do, and may have lost its processor in the middle of them.
#[derive(Default)]
struct Patience {
    turns: u32,
}

impl Patience {
    fn wait(&mut self) {
        const SPINS: u32 = 64;
        const YIELDS: u32 = 8;
        self.turns = self.turns.saturating_add(1);
        if self.turns < SPINS {
            core::hint::spin_loop();
        } else if self.turns < SPINS + YIELDS {
            locktoll_locks::yield_now();
        } else {
            // A waiter with a higher real-time priority that only yields would keep the other thread from ever running.
            const NAP_NS: u64 = 50_000;
            locktoll_locks::nap(NAP_NS);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread;

    use super::*;

    #[test]
    fn many_threads_make_it_once_and_all_see_it() {
        assert!(generation::start());
        for _ in 0..200 {
            let mark = Mark(AtomicU32::new(0));
            let made = AtomicU64::new(0);
            thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        if !mark.is_current() {
                            mark.settle(
                                || panic!("nothing is inherited"),
                                |found| {
                                    assert_eq!(found, Found::Unused);
                                    made.fetch_add(1, Relaxed);
                                },
                            );
                        }
                        assert_eq!(made.load(Relaxed), 1);
                    });
                }
            });
            assert!(mark.is_current() && mark.is_used());
        }
    }

    #[test]
    fn zeros_and_what_was_never_initialised_are_unused() {
        assert!(generation::start());
        for word in [0, 77, 0xa5a5_a5a5, u32::MAX] {
            let mark = Mark(AtomicU32::new(word));
            assert!(!mark.is_current() && !mark.is_used());
            mark.settle(|| true, |found| assert_eq!(found, Found::Unused));
            assert!(mark.is_current());
            mark.clear();
            assert!(!mark.is_current());
        }
    }

    #[test]
    fn what_is_inherited_is_adopted_as_it_was() {
        assert!(generation::start());
        // The number of another generation: no process has that many ancestors.
        let other = generation::current() ^ (1 << 22);
        for (mark, was_held, expected) in [
            (other, true, Found::Inherited { held: true }),
            (other, false, Found::Inherited { held: false }),
            (other | MAKING, true, Found::Unused),
            (
                other | MAKING | HELD,
                false,
                Found::Inherited { held: true },
            ),
        ] {
            let mark = Mark(AtomicU32::new(mark));
            assert!(!mark.is_current() && mark.is_used());
            let mut seen = None;
            mark.settle(|| was_held, |found| seen = Some(found));
            assert_eq!(seen, Some(expected));
            assert!(mark.is_current());
        }
    }

    #[test]
    fn what_is_not_kept_has_no_mark() {
        assert!(generation::start());
        let mark = Mark(AtomicU32::new(0));
        assert!(!mark.settle_if(|| false, |_| false));
        assert!(!mark.is_used());
        assert!(mark.settle_if(|| false, |found| found == Found::Unused));
        assert!(mark.is_current());
    }

    #[test]
    fn a_child_adopts_what_its_parent_holds() {
        assert!(generation::start());
        let mark = Mark(AtomicU32::new(0));
        mark.settle(|| false, |_| ());
        // SAFETY: the child calls only async-signal-safe functions.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let mut right = !mark.is_current();
            mark.settle(
                || true,
                |found| right &= found == Found::Inherited { held: true },
            );
            right &= mark.is_current();
            // SAFETY: ends the child here.
            unsafe { libc::_exit(if right { 42 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: this process's own child.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(libc::WEXITSTATUS(status), 42);
    }

    #[test]
    fn who_comes_while_it_is_made_waits_for_the_maker() {
        assert!(generation::start());
        let mark = Mark(AtomicU32::new(0));
        let (done, is_done) = std::sync::mpsc::channel();
        thread::scope(|scope| {
            mark.settle(
                || false,
                |_| {
                    scope.spawn(|| {
                        mark.settle(|| false, |_| panic!("it is made twice"));
                        done.send(mark.is_current()).unwrap();
                    });
                    let while_it_is_made = std::time::Duration::from_millis(20);
                    assert!(is_done.recv_timeout(while_it_is_made).is_err());
                },
            );
        });
        assert_eq!(is_done.recv(), Ok(true));
    }
}
