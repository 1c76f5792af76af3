//! The release on x86-64, with rseq(2). Invariants: see `asymmetric`.
//!
//! The mixed sizes of accesses (the lock's word is 64 bits, its lower half is written by itself) are in assembly: the
//! processor's memory model orders them, and the memory model of the language does not define them.

use core::arch::asm;
use core::sync::atomic::{AtomicBool, AtomicUsize};

use rustix::thread::{MembarrierCommand, membarrier};

use crate::sync::{AtomicU64, Ordering};
use crate::system::is_by_futex_alone;

use super::super::RawMutex;
use super::super::word::ATTENTIVE;

/// The offset of each thread's rseq area from the thread pointer, as chosen by the C library; or one of the two values below.
static AREA: AtomicUsize = AtomicUsize::new(UNKNOWN);
/// No thread has asked yet.
const UNKNOWN: usize = 0;
/// There is no area. Real areas lie at multiples of 32.
const NONE: usize = 1;

/// Whether the kernel has refused a barrier after it had agreed to make barriers.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// How long a thread sleeps at a time if releases miss requests (A4).
const UNHEARD_NAP_NS: u64 = 1_000_000;
/// How long it sleeps at a time otherwise: long enough to cost nothing, short enough for a person who debugs (A5).
const DEBUGGED_SLEEP_NS: u64 = 1_000_000_000;

/// The offset of the processor's number in the area, since Linux 4.18.
const CPU_ID: usize = 4;
/// The offset of the address of the sequence's descriptor.
const RSEQ_CS: usize = 8;
/// The bytes of an area that this file uses.
const USED: u32 = 16;

/// Returns the mark that the calling thread leaves in a lock that it acquires: an odd number that names its processor, if that
/// is known.
#[inline(always)]
pub(in super::super) fn own_mark() -> u32 {
    // Relaxed: stored once, and nothing else is read on the strength of it.
    let area = AREA.load(Ordering::Relaxed);
    let processor: u32;
    // SAFETY: four bytes of the thread's own area or, while that is not known, of its control block, whatever they are.
    unsafe {
        asm!(
            "mov {processor:e}, dword ptr fs:[{area} + {CPU_ID}]",
            processor = out(reg) processor,
            area = in(reg) area,
            CPU_ID = const CPU_ID,
            options(nostack, preserves_flags, readonly),
        );
    }
    processor.wrapping_mul(2) | 1
}

/// Takes the lock if it is free, even if other threads wait for it.
#[inline(always)]
pub(in super::super) fn try_acquire(word: &AtomicU64) -> bool {
    let mark = own_mark();
    // SAFETY: the lower half of the word. Acquire and more: a locked instruction is a full barrier.
    unsafe {
        asm!(
            "lock cmpxchg dword ptr [{word}], {mark:e}",
            "jne {held}",
            word = in(reg) word,
            mark = in(reg) mark,
            inout("eax") 0 => _,
            held = label { return false },
            options(nostack),
        );
    }
    true
}

/// Frees a held lock, if this is possible without examining the waiters. Returns `false` if nothing was done.
#[inline(always)]
pub(in super::super) fn try_release(lock: &RawMutex) -> bool {
    let word: &AtomicU64 = &lock.word;
    // Relaxed: as above.
    let area = AREA.load(Ordering::Relaxed);
    if area & 31 != 0 || area == UNKNOWN {
        // The very first release finds out.
        return area == NONE && try_exchange(word);
    }
    // SAFETY: A1: `prepare` has succeeded, and the last store to the area is followed by the sequence, which ends with the
    // store to the word. The store is a release, like every store of this processor.
    unsafe {
        asm!(
            // From here on, up to `3`, an interruption ends the sequence at `6`.
            "lea {cs}, [rip + 7f]",
            "mov qword ptr fs:[{area} + {RSEQ_CS}], {cs}",
            "2:",
            "cmp dword ptr fs:[{area} + {CPU_ID}], 0",
            "jl {look}",
            "test dword ptr [{word} + 4], {ATTENTIVE}",
            "jnz {look}",
            "mov dword ptr [{word}], 0",
            "3:",
            "mov qword ptr fs:[{area} + {RSEQ_CS}], 0",
            // The signature before the address that the kernel jumps to, as an instruction that is never executed.
            ".pushsection .text.locktoll_restart, \"ax\", @progbits",
            ".byte 0x0f, 0xb9, 0x3d",
            ".long 0x53053053",
            "6:",
            // A2: an exchange. The kernel has forgotten the sequence; A3 is applied once more, because a second way out would cost the
            // compiler its order of blocks, and each release a jump.
            "jmp {look}",
            ".popsection",
            ".pushsection __rseq_cs, \"aw\", @progbits",
            ".balign 32",
            "7:",
            ".long 0, 0",
            ".quad 2b, 3b - 2b, 6b",
            ".popsection",
            // For debuggers that do not step through a sequence but let it run: where each one is, and where it can be left
            // (the sections are those of M. Desnoyers' librseq). The linker keeps them (R), though nothing refers to them.
            ".pushsection __rseq_cs_ptr_array, \"awR\", @progbits",
            ".quad 7b",
            ".popsection",
            ".pushsection __rseq_exit_point_array, \"awR\", @progbits",
            ".quad 2b, {look}",
            ".popsection",
            cs = out(reg) _,
            area = in(reg) area,
            word = in(reg) word,
            CPU_ID = const CPU_ID,
            RSEQ_CS = const RSEQ_CS,
            ATTENTIVE = const ATTENTIVE >> 32,
            look = label {
                forget_sequence(area);
                return false;
            },
            options(nostack),
        );
    }
    true
}

/// Releases in a process where nobody releases by a store. It costs as much as an acquisition.
fn try_exchange(word: &AtomicU64) -> bool {
    // Release: what the holder did is visible to the next thread that acquires. Relaxed on failure: nothing released. Another
    // thread's mark, or a waiter's bit, is left to the release that examines the word.
    word.compare_exchange(own_mark().into(), 0, Ordering::Release, Ordering::Relaxed)
        .is_ok()
}

/// Applies A3 to a sequence that was left without its last store.
#[cold]
fn forget_sequence(area: usize) {
    // SAFETY: eight bytes of the thread's own area.
    unsafe {
        asm!(
            "mov qword ptr fs:[{area} + {RSEQ_CS}], 0",
            area = in(reg) area,
            RSEQ_CS = const RSEQ_CS,
            options(nostack, preserves_flags),
        );
    }
}

/// Whether this mark says that its thread ran on the processor where the calling thread runs.
#[inline(always)]
pub(in super::super) fn is_here(mark: u32) -> bool {
    mark == own_mark() && AREA.load(Ordering::Relaxed) != NONE
}

/// Makes the kernel interrupt all sequences of the process that are running, if there can be any (A2). Returns `false` if it
/// does not.
pub(in super::super) fn barrier(_: &RawMutex) -> bool {
    if !prepare() || ask_kernel(MembarrierCommand::PrivateExpeditedRseq) {
        return true;
    }
    // Relaxed: read by this thread, or by a thread that it has appointed (A4).
    REFUSED.store(true, Ordering::Relaxed);
    false
}

/// How long a thread may rely on its request, if it sleeps until a release wakes it: a sequence may have gone on uninterrupted
/// (A4, A5). `None`: for ever.
pub(in super::super) fn longest_sleep_ns() -> Option<u64> {
    // Relaxed: as above.
    if REFUSED.load(Ordering::Relaxed) {
        return Some(UNHEARD_NAP_NS);
    }
    // Relaxed: as above.
    (AREA.load(Ordering::Relaxed) != NONE).then_some(DEBUGGED_SLEEP_NS)
}

/// Finds out, once, how locks are released in this process. Returns whether they are released by stores. In a process with
/// many threads this may take the kernel some milliseconds.
#[cold]
pub(in super::super) fn prepare() -> bool {
    // Relaxed throughout: every thread that comes here gets the same result.
    if AREA.load(Ordering::Relaxed) == UNKNOWN {
        let area = area()
            .filter(|_| ask_kernel(MembarrierCommand::RegisterPrivateExpeditedRseq))
            .unwrap_or(NONE);
        let _ = AREA.compare_exchange(UNKNOWN, area, Ordering::Relaxed, Ordering::Relaxed);
    }
    AREA.load(Ordering::Relaxed) != NONE
}

/// Whether the kernel supports this. A process that has given up system calls must not be ended for asking (A4).
fn ask_kernel(command: MembarrierCommand) -> bool {
    !is_by_futex_alone() && membarrier(command).is_ok()
}

/// Returns the location of areas as given by the C library (glibc 2.35 and later), if it has registered them and they have what
/// a sequence needs.
fn area() -> Option<usize> {
    let (offset, size): (*const isize, *const u32);
    // SAFETY: the addresses of two variables, null in a program whose C library does not have them.
    unsafe {
        asm!(
            ".weak __rseq_offset",
            ".weak __rseq_size",
            "mov {offset}, qword ptr [rip + __rseq_offset@GOTPCREL]",
            "mov {size}, qword ptr [rip + __rseq_size@GOTPCREL]",
            offset = out(reg) offset,
            size = out(reg) size,
            options(nostack, preserves_flags, pure, readonly),
        );
    }
    // SAFETY: the C library's variables, which are constant since the program's start.
    let (offset, size) = unsafe { (*offset.as_ref()?, *size.as_ref()?) };
    is_usable(offset, size).then_some(offset.cast_unsigned())
}

/// Whether areas at this offset, of this size, have what a sequence needs, whichever way they were registered:
///
/// - The original registration is of 32 bytes, aligned to 32. glibc up to 2.39 has these 32 as the size. Later versions have the
///   bytes of the features that the kernel fills: 20, or more with each feature, also below and above 32.
/// - The registration of Linux 6.3 is as long as the kernel's features, 33 bytes in Linux 7.0, and aligned to 64 there. In Linux
///   7.0 it chooses a mode in which the kernel writes a processor's number only when it changes. A sequence is interrupted as
///   before.
///
/// The size is zero if the areas are not registered. Source: rseq(2); "Restartable Sequences" in the kernel's documentation
/// (userspace-api/rseq); glibc's NEWS for 2.35 and 2.40.
fn is_usable(offset: isize, size: u32) -> bool {
    size >= USED && offset % 32 == 0 && offset != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether barriers work in a forked child, and in its children, for this many generations.
    fn are_made_in_children(generations: u32) -> bool {
        // SAFETY: the child makes system calls and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let right = barrier(&RawMutex::new())
                && (generations == 1 || are_made_in_children(generations - 1));
            // SAFETY: ends the child here.
            unsafe { libc::_exit(if right { 42 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: this process's own child.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 42
    }

    #[test]
    fn areas_of_both_registrations_are_usable() {
        assert!(CPU_ID < USED as usize && RSEQ_CS + size_of::<u64>() == USED as usize);
        for size in [20, 24, 28, 32, 33, 64] {
            assert!(is_usable(-64, size) && is_usable(2368, size), "{size}");
        }
        for (offset, size) in [(-64, 0), (-64, 12), (0, 32), (-72, 32), (1, 33)] {
            assert!(!is_usable(offset, size), "{offset}, {size}");
        }
    }

    #[test]
    fn a_forked_child_is_as_its_parent() {
        prepare();
        assert!(are_made_in_children(2));
    }
}
