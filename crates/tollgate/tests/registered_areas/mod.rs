//! Areas for restartable sequences, one for each thread, and the C library's two variables that say where they are.
//!
//! The test program defines the variables itself, and so precedes the C library: weak references resolve to its own.

use std::arch::{asm, global_asm};
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicUsize};

global_asm!(
    ".pushsection .tdata, \"awT\", @progbits",
    ".balign 64",
    "locktoll_test_area:",
    // The processor's number: RSEQ_CPU_ID_UNINITIALIZED, until the kernel fills it.
    ".long 0, -1",
    ".zero 56",
    ".popsection",
    ".pushsection .data, \"aw\", @progbits",
    ".balign 8",
    ".globl __rseq_offset, __rseq_size",
    ".type __rseq_offset, @object",
    ".type __rseq_size, @object",
    "__rseq_offset: .quad locktoll_test_area@TPOFF",
    "__rseq_size: .long 0",
    ".size __rseq_offset, 8",
    ".size __rseq_size, 4",
    ".popsection",
);

unsafe extern "C" {
    static __rseq_offset: isize;
    static __rseq_size: AtomicU32;
}

/// What rseq(2) is given, and what the C library would say of it.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    /// The length that the kernel is given.
    pub length: usize,
    /// The value of `__rseq_size`.
    pub size: u32,
}

/// The length with which threads register.
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Registers the calling thread in this way, and from now on every other that comes to [`register`].
pub fn begin(registration: Registration) -> io::Result<()> {
    LENGTH.store(registration.length, Relaxed);
    ask_kernel(registration.length)?;
    promise(registration.size);
    Ok(())
}

/// Sets the C library's variable, before any lock is used.
pub fn promise(size: u32) {
    // SAFETY: defined above.
    unsafe { &__rseq_size }.store(size, Relaxed);
}

/// Registers the calling thread, if it has not been.
pub fn register() {
    if !is_registered() {
        ask_kernel(LENGTH.load(Relaxed)).expect("the first thread could register");
    }
}

/// Whether the kernel has filled the calling thread's area.
pub fn is_registered() -> bool {
    // SAFETY: the processor's number in the thread's own area.
    unsafe { area().byte_add(4).cast::<i32>().read_volatile() >= 0 }
}

/// Returns the bytes of the features that this kernel knows (getauxval(3), `AT_RSEQ_FEATURE_SIZE`, Linux 6.3).
pub fn feature_bytes() -> Option<u32> {
    const AT_RSEQ_FEATURE_SIZE: libc::c_ulong = 27;
    // SAFETY: takes no pointer.
    let bytes = unsafe { libc::getauxval(AT_RSEQ_FEATURE_SIZE) };
    u32::try_from(bytes).ok().filter(|it| *it > 0)
}

/// Whether the process may interrupt sequences: it has been registered for that.
pub fn has_membarrier() -> bool {
    // SAFETY: interrupts sequences, at most.
    let made = unsafe {
        let command = libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ;
        libc::syscall(libc::SYS_membarrier, command, 0, 0)
    };
    made == 0
}

fn area() -> *mut u8 {
    let thread: *mut u8;
    // SAFETY: the first word of a thread's control block is its own address.
    unsafe { asm!("mov {}, fs:[0]", out(reg) thread, options(nostack, preserves_flags, readonly)) };
    // SAFETY: defined above: the offset of this program's own thread-local data.
    unsafe { thread.byte_offset(__rseq_offset) }
}

fn ask_kernel(length: usize) -> io::Result<()> {
    const SIGNATURE: u32 = 0x5305_3053;
    // SAFETY: 64 bytes, aligned to 64, which live as long as the thread.
    let result = unsafe { libc::syscall(libc::SYS_rseq, area(), length, 0, SIGNATURE) };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
