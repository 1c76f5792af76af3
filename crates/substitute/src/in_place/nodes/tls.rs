//! The address of this thread's cache, found with two instructions.
//!
//! `thread_local!` in a shared library goes through `__tls_get_addr`, a call that may allocate. A library that is loaded at
//! start may use the initial-exec model instead (ELF Handling For Thread-Local Storage, Drepper, 2005): the cache lies at an
//! offset from the thread register which the dynamic linker has stored in this library's offset table. It begins as all zeros.

use super::cache::Cache;

core::arch::global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".balign 8",
    ".globl locktoll_node_cache",
    ".hidden locktoll_node_cache",
    ".type locktoll_node_cache, @object",
    "locktoll_node_cache:",
    ".zero {bytes}",
    ".size locktoll_node_cache, {bytes}",
    ".popsection",
    bytes = const size_of::<Cache>(),
);

const _: () = assert!(align_of::<Cache>() <= 8);

/// Returns this thread's cache. The address stays the same for the whole life of the thread.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn cache() -> *mut Cache {
    let address;
    // SAFETY: reads the thread's own address, which the ABI keeps at the thread register, and a word of this library's own
    // offset table, which does not change after loading.
    unsafe {
        core::arch::asm!(
            "mov {address}, qword ptr fs:[0]",
            "add {address}, qword ptr [rip + locktoll_node_cache@GOTTPOFF]",
            address = out(reg) address,
            options(pure, readonly, nostack),
        );
    }
    address
}

/// Returns this thread's cache. The address stays the same for the whole life of the thread.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub fn cache() -> *mut Cache {
    let address;
    // SAFETY: reads the thread register and a word of this library's own offset table, which does not change after loading.
    unsafe {
        core::arch::asm!(
            "mrs {address}, tpidr_el0",
            "adrp {offset}, :gottprel:locktoll_node_cache",
            "ldr {offset}, [{offset}, :gottprel_lo12:locktoll_node_cache]",
            "add {address}, {address}, {offset}",
            address = out(reg) address,
            offset = out(reg) _,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    address
}
