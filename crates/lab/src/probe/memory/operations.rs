//! The measured loops: one operation repeated on one cache line.
//!
//! On x86-64 they are assembly, so that exactly the instruction that a line of the price list names is timed. On other
//! processors, the compiler makes them from the same atomics that locks use.
//!
//! 1. Every loop touches only the words of the [`Line`] it is given, which are atomics: shared memory that may change.
//! 2. A [`Line`]'s `link` holds its own address from `Line::new` on, and no loop writes to it.

use std::sync::atomic::AtomicU64;
#[cfg(not(target_arch = "x86_64"))]
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};

/// The words that the loops use, on their own cache line; 128 bytes, since some processors fetch lines in pairs.
#[repr(align(128))]
pub(super) struct Line {
    /// The address of this word itself, which loads follow.
    link: AtomicU64,
    /// The word of all other operations.
    pub(super) word: AtomicU64,
}

impl Line {
    /// Creates a line on the heap, since it holds its own address.
    pub(super) fn new() -> Box<Line> {
        let line = Box::new(Line {
            link: AtomicU64::new(0),
            word: AtomicU64::new(0),
        });
        // Relaxed: one thread uses the line.
        line.link.store(
            &raw const line.link as u64,
            std::sync::atomic::Ordering::Relaxed,
        );
        line
    }
}

/// Operations in one turn of an assembly loop: enough that the processor never waits for the counting of turns, which runs in
/// parallel with the chain of operations.
pub(super) const UNROLLED: u64 = 16;

/// A loop of `UNROLLED * turns` operations.
pub(super) type Loop = fn(&Line, turns: u64);

#[cfg(target_arch = "x86_64")]
mod loops {
    use super::Line;
    use std::arch::asm;

    /// Defines a loop with `$body` sixteen times per turn. `{at}` is the address of a word of the line, `{value}` holds a number
    /// to begin with, and `rax` holds zero.
    macro_rules! loop_of {
        ($(#[$doc:meta])* $name:ident, $field:ident, $($body:literal),+) => {
            $(#[$doc])*
            #[inline(never)]
            pub(in super::super) fn $name(line: &Line, turns: u64) {
                // SAFETY: invariants 1 and 2 of the module. The loop ends after `turns` turns, which is not zero, uses no
                // stack, and names every register that it changes.
                unsafe {
                    asm!(
                        "2:",
                        ".rept 16",
                        $($body,)+
                        ".endr",
                        "dec {turns}",
                        "jnz 2b",
                        turns = inout(reg) turns.max(1) => _,
                        at = inout(reg) line.$field.as_ptr() => _,
                        value = inout(reg) 1u64 => _,
                        inout("rax") 0u64 => _,
                        options(nostack),
                    );
                }
            }
        };
    }

    loop_of!(
        /// Each load gives the address of the next one.
        load, link, "mov {at}, qword ptr [{at}]", "/* {value} */"
    );
    loop_of!(
        /// Stores of one register to one word. Nothing waits for a store.
        store, word, "mov qword ptr [{at}], {value}"
    );
    loop_of!(
        /// A load, an addition and a store, all of the same word: each load needs what the store before it wrote.
        update, word, "mov {value}, qword ptr [{at}]", "inc {value}", "mov qword ptr [{at}], {value}"
    );
    loop_of!(
        /// Adds one; `{value}` gets the previous content of the word.
        fetch_add, word, "mov {value:e}, 1", "lock xadd qword ptr [{at}], {value}"
    );
    loop_of!(
        /// An exchange with memory is locked by itself, without a prefix.
        exchange, word, "xchg qword ptr [{at}], {value}"
    );
    loop_of!(
        /// Expects the value that the previous one wrote, beginning with the zero in `rax`, and writes one more: it always
        /// succeeds.
        compare_exchange,
        word,
        "lea {value}, [rax + 1]",
        "lock cmpxchg qword ptr [{at}], {value}",
        "mov rax, {value}"
    );
    loop_of!(
        /// A store, then a fence that waits until it is seen everywhere.
        fence, word, "mov qword ptr [{at}], {value}", "mfence"
    );
}

#[cfg(not(target_arch = "x86_64"))]
mod loops {
    use super::*;
    use std::hint::black_box;
    use std::sync::atomic::fence as full_fence;

    /// Defines a loop with `$body` sixteen times per turn.
    macro_rules! loop_of {
        ($name:ident, |$line:ident, $value:ident| $body:expr) => {
            #[inline(never)]
            pub(in super::super) fn $name($line: &Line, turns: u64) {
                let mut $value = 0u64;
                for _ in 0..turns * super::UNROLLED {
                    $value = black_box($body);
                }
            }
        };
    }

    // Relaxed: one thread, which sees its own operations in program order; each address depends on the value before.
    loop_of!(load, |line, value| {
        let at = if value == 0 {
            line.link.as_ptr()
        } else {
            value as *const u64
        };
        // SAFETY: invariant 2: the only value ever read is the address of the word itself.
        unsafe { at.read_volatile() }
    });
    loop_of!(store, |line, value| {
        line.word.store(value, Relaxed);
        value
    });
    loop_of!(update, |line, _value| {
        let next = line.word.load(Relaxed) + 1;
        line.word.store(next, Relaxed);
        next
    });
    // AcqRel and Acquire: as in a lock that is acquired and released by this operation.
    loop_of!(fetch_add, |line, _value| line.word.fetch_add(1, AcqRel));
    loop_of!(exchange, |line, value| line.word.swap(value, AcqRel));
    loop_of!(compare_exchange, |line, value| {
        match line
            .word
            .compare_exchange(value, value + 1, AcqRel, Acquire)
        {
            Ok(seen) => seen + 1,
            Err(seen) => seen,
        }
    });
    loop_of!(fence, |line, value| {
        line.word.store(value, Relaxed);
        full_fence(SeqCst);
        value
    });
}

pub(super) use loops::{compare_exchange, exchange, fence, fetch_add, load, store, update};

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    const TURNS: u64 = 25;

    fn word_after(run: Loop) -> u64 {
        let line = Line::new();
        run(&line, TURNS);
        line.word.load(Relaxed)
    }

    #[test]
    fn each_loop_does_what_it_counts() {
        for run in [update as Loop, fetch_add, compare_exchange] {
            assert_eq!(word_after(run), TURNS * UNROLLED);
        }
    }

    #[test]
    fn loads_leave_the_line_alone() {
        let line = Line::new();
        load(&line, TURNS);
        assert_eq!(line.link.load(Relaxed), &raw const line.link as u64);
        assert_eq!(line.word.load(Relaxed), 0);
    }
}
