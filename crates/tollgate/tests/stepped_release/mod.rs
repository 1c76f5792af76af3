//! A release of which each instruction is followed by a signal (the processor's trap flag). A signal interrupts a sequence, if the
//! kernel knows the thread's area: the thread goes on behind the sequence's signature.

use std::arch::asm;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use tollgate::RawMutex;

/// How often a thread has been found behind the signature.
static RESTARTS: AtomicU32 = AtomicU32::new(0);

/// Returns how often the kernel interrupts a sequence when a free lock is acquired and released once.
pub fn restarts() -> u32 {
    let lock = RawMutex::new();
    // SAFETY: a handler that touches one number.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_flags = libc::SA_SIGINFO;
        action.sa_sigaction = look as *const () as usize;
        assert_eq!(
            libc::sigaction(libc::SIGTRAP, &raw const action, std::ptr::null_mut()),
            0
        );
    }
    RESTARTS.store(0, Relaxed);
    lock.lock();
    // SAFETY: sets the flag that makes the processor trap after each instruction, and clears it afterwards.
    unsafe {
        asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq");
        lock.unlock();
        asm!("pushfq", "and qword ptr [rsp], -257", "popfq");
    }
    assert!(!lock.is_locked());
    RESTARTS.load(Relaxed)
}

extern "C" fn look(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    const SIGNATURE: u32 = 0x5305_3053;
    // SAFETY: the kernel passes the context of the instruction, and the bytes before an instruction of this program are code.
    let before = unsafe {
        let context = &*context.cast::<libc::ucontext_t>();
        let next = context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
        std::ptr::with_exposed_provenance::<u32>(next - 4).read_unaligned()
    };
    if before == SIGNATURE {
        RESTARTS.fetch_add(1, Relaxed);
    }
}
