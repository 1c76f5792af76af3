//! Tells the kernel where a thread keeps the list of the locks it holds, so that a switch can be charged to them.
//!
//! `locktoll record --preemption` puts a program of its own at the kernel's context switches (BPF, bpf(2)). Whenever a thread
//! loses its processor, that program reads the thread's [`HeldLocks`] in place, without a fault and without this library's
//! help. It only needs the address: once per thread, and again from the child of a fork, which has another list.
//!
//! The library passes the address by calling an exported function that does nothing, on which `record` has set a breakpoint (a
//! uprobe). A magic prctl(2) would work as well, but to catch it, all system calls of all programs would have to take the slow
//! path: an empty one took twice as long. A breakpoint costs a few microseconds once per thread, and nothing for other threads.
//! It is not a system call, so it works in a process that has given those up. It is inherited by every copy of the process. And
//! the kernel registers its own number of the thread, whatever numbers the process sees.
//!
//! Without `record`'s breakpoint, the call takes two instructions.

use core::ptr::from_ref;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{CountRecord, ThreadRecord};

use crate::environment;
use crate::held::HeldLocks;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// Nobody registers by accident: "locktoll" in ASCII.
const MAGIC: u64 = u64::from_le_bytes(*b"locktoll");

/// Of the layout of all that is read from outside: [`Registration`], [`HeldLocks`], [`CountRecord`] and [`ThreadRecord`].
/// Whoever reads trusts no other than the one it was written for: `bpf/holds.h` of the program locktoll.
const LAYOUT: u32 = 1;

/// What a thread tells.
#[repr(C)]
pub struct Registration {
    magic: u64,
    layout: u32,
    /// The thread id, as the process sees it: what is in the list as long as it is this thread's.
    tid: u32,
    /// The number of the run that watches: it was told to us, and another run does not listen.
    run: u64,
    /// Where the list is.
    held: *const HeldLocks,
    /// Where the record of the thread's life is, or null.
    life: *const ThreadRecord,
    /// Which part the numbers in the records are of: the process id in its header.
    pid: u32,
    /// The same: its sequence number.
    sequence: u32,
}

const _: () = {
    use core::mem::offset_of;
    assert!(size_of::<Registration>() == 48);
    assert!(offset_of!(CountRecord, acquisitions) == 8 && offset_of!(CountRecord, site) == 16);
    assert!(offset_of!(CountRecord, generation) == 20 && offset_of!(CountRecord, birth) == 24);
    assert!(offset_of!(CountRecord, kind) == 28 && offset_of!(CountRecord, entry) == 29);
    assert!(offset_of!(ThreadRecord, waiting_since_ns) == 24);
    assert!(offset_of!(ThreadRecord, waiting_lock) == 32);
    assert!(offset_of!(ThreadRecord, waiting_site) == 40);
};

/// Tells where the locks of the calling thread, which has just got `thread` for its slot, will be, if anybody wants to know.
pub fn register(thread: &Thread, recorder: &Recorder, tid: u32) {
    let run = environment::watched_by();
    if run == 0 {
        return;
    }
    let Some(header) = recorder.part().header() else {
        return;
    };
    thread.held.set_owner(tid);
    let registration = Registration {
        magic: MAGIC,
        layout: LAYOUT,
        tid,
        run,
        held: from_ref(&thread.held),
        life: thread.life.get(),
        // Relaxed, both: written before the first thread had a slot.
        pid: header.pid.load(Relaxed),
        sequence: header.sequence.load(Relaxed),
    };
    // SAFETY: it does nothing.
    unsafe { locktoll_holds_are_at(&raw const registration) }
}

/// Where the breakpoint is.
///
/// A function of one instruction, and one before it that the kernel carries out itself where it has put the breakpoint. In
/// assembly, so that no compiler finds out that it does nothing.
#[unsafe(naked)]
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn locktoll_holds_are_at(_: *const Registration) {
    core::arch::naked_asm!("nop", "ret")
}
