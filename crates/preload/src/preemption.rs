//! Tells the kernel where a thread keeps its list of held locks, so that a context switch can be charged to them.
//!
//! `locktoll record --preemption` attaches its own program to the kernel's context switches (BPF, bpf(2)). Whenever a thread
//! loses its processor, that program reads the thread's [`HeldLocks`] in place, without a fault and without this library's
//! help. It only needs the address: once per thread, and again from the child of a fork, which has another list.
//!
//! The library passes the address by calling an exported function that does nothing, on which `record` has set a breakpoint (a
//! uprobe). A magic prctl(2) would work as well, but to catch it, all system calls of all programs would have to take the slow
//! path: an empty system call took twice as long. A breakpoint costs a few microseconds once per thread, and nothing for other
//! threads. It is not a system call, so it works in a process that has given those up. Every copy of the process inherits it.
//! And the kernel registers its own number of the thread, whatever numbers the process sees.
//!
//! Without `record`'s breakpoint, the call takes two instructions.

use core::ptr::from_ref;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{CountRecord, ThreadRecord};

use crate::environment;
use crate::held::HeldLocks;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// Keeps a thread from being registered by accident: "locktoll" in ASCII.
const MAGIC: u64 = u64::from_le_bytes(*b"locktoll");

/// The version of the layout of everything that is read from outside: [`Registration`], [`HeldLocks`], [`CountRecord`] and
/// [`ThreadRecord`]. A reader trusts only the version it was written for: `bpf/holds.h` of the program locktoll.
const LAYOUT: u32 = 1;

/// What a thread passes to the kernel.
#[repr(C)]
pub struct Registration {
    magic: u64,
    layout: u32,
    /// The thread id, as the process sees it. The list has the same id as long as it belongs to this thread.
    tid: u32,
    /// The number of the run that watches, which the environment passed to this process. Other runs ignore the registration.
    run: u64,
    /// The address of the list.
    held: *const HeldLocks,
    /// The address of the record of the thread's life, or null.
    life: *const ThreadRecord,
    /// The part that the numbers in the records refer to: the process id in its header.
    pid: u32,
    /// The same: the sequence number in its header.
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

/// Registers the locks of the calling thread, which has just been given the slot `thread`, if a run watches for preempted
/// holders.
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
    // SAFETY: the function does nothing.
    unsafe { locktoll_holds_are_at(&raw const registration) }
}

/// The function that has the breakpoint.
///
/// It is one instruction that returns, after one that the kernel executes itself in place of the breakpoint. It is in
/// assembly, so that no compiler can see that it does nothing.
#[unsafe(naked)]
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn locktoll_holds_are_at(_: *const Registration) {
    core::arch::naked_asm!("nop", "ret")
}
