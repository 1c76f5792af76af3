//! One pointer for each thread, read with two instructions.
//!
//! `thread_local!` in a shared library goes through `__tls_get_addr`, a call that may allocate. A library that is loaded at
//! start may use the initial-exec model instead (ELF Handling For Thread-Local Storage, Drepper, 2005): the pointer lies at an
//! offset from the thread register which the dynamic linker has stored in this library's offset table.

use super::thread::Thread;

core::arch::global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".balign 8",
    ".globl locktoll_current_thread",
    ".hidden locktoll_current_thread",
    ".type locktoll_current_thread, @object",
    "locktoll_current_thread:",
    ".zero 8",
    ".size locktoll_current_thread, 8",
    ".popsection",
);

/// Returns the offset of this thread's pointer. It stays the same for the whole life of the thread.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn offset() -> usize {
    let offset;
    // SAFETY: reads a word of this library's own offset table, which does not change after loading.
    unsafe {
        core::arch::asm!(
            "mov {offset}, qword ptr [rip + locktoll_current_thread@GOTTPOFF]",
            offset = out(reg) offset,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    offset
}

/// Returns the pointer last passed to [`set`] on this thread, or null before that.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn get() -> *const Thread {
    let pointer;
    // SAFETY: `offset` is the offset of an initialised 8-byte variable in this thread's block.
    unsafe {
        core::arch::asm!(
            "mov {pointer}, qword ptr fs:[{offset}]",
            offset = in(reg) offset(),
            pointer = lateout(reg) pointer,
            options(readonly, nostack, preserves_flags),
        );
    }
    pointer
}

#[cfg(target_arch = "x86_64")]
pub fn set(pointer: *const Thread) {
    // SAFETY: as in `get`.
    unsafe {
        core::arch::asm!(
            "mov qword ptr fs:[{offset}], {pointer}",
            offset = in(reg) offset(),
            pointer = in(reg) pointer,
            options(nostack, preserves_flags),
        );
    }
}

/// Returns the address of this thread's pointer. It stays the same for the whole life of the thread.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn address() -> *mut *const Thread {
    let address;
    // SAFETY: reads the thread register and a word of this library's own offset table, which does not change after loading.
    unsafe {
        core::arch::asm!(
            "mrs {address}, tpidr_el0",
            "adrp {offset}, :gottprel:locktoll_current_thread",
            "ldr {offset}, [{offset}, :gottprel_lo12:locktoll_current_thread]",
            "add {address}, {address}, {offset}",
            address = out(reg) address,
            offset = out(reg) _,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    address
}

/// Returns the pointer last passed to [`set`] on this thread, or null before that.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub fn get() -> *const Thread {
    // SAFETY: the address of an initialised pointer in this thread's block.
    unsafe { address().read_volatile() }
}

#[cfg(target_arch = "aarch64")]
pub fn set(pointer: *const Thread) {
    // SAFETY: as in `get`.
    unsafe { address().write_volatile(pointer) }
}
