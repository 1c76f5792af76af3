//! Where the C library has put the areas.

use core::ptr::NonNull;

use super::Area;

/// Returns the calling thread's area, if the C library has registered areas that include the extension's fields.
pub fn of_caller() -> Option<NonNull<Area>> {
    let (offset, size) = variables();
    // SAFETY: the addresses of the C library's variables, which are constant since the program's start; or null.
    unsafe { Area::of_caller(*offset.as_ref()?, *size.as_ref()?) }
}

/// Returns the addresses of `__rseq_offset` and `__rseq_size` (glibc 2.35 and later), null if the C library does not have them.
/// dlsym(3) may allocate and take locks, so they are weak references.
#[cfg(target_arch = "x86_64")]
fn variables() -> (*const isize, *const u32) {
    let (offset, size);
    // SAFETY: reads this library's table of addresses.
    unsafe {
        core::arch::asm!(
            ".weak __rseq_offset",
            ".weak __rseq_size",
            "mov {offset}, qword ptr [rip + __rseq_offset@GOTPCREL]",
            "mov {size}, qword ptr [rip + __rseq_size@GOTPCREL]",
            offset = out(reg) offset,
            size = out(reg) size,
            options(nostack, preserves_flags, pure, readonly),
        );
    }
    (offset, size)
}

/// As above.
#[cfg(target_arch = "aarch64")]
fn variables() -> (*const isize, *const u32) {
    let (offset, size);
    // SAFETY: reads this library's table of addresses.
    unsafe {
        core::arch::asm!(
            ".weak __rseq_offset",
            ".weak __rseq_size",
            "adrp {offset}, :got:__rseq_offset",
            "ldr {offset}, [{offset}, :got_lo12:__rseq_offset]",
            "adrp {size}, :got:__rseq_size",
            "ldr {size}, [{size}, :got_lo12:__rseq_size]",
            offset = out(reg) offset,
            size = out(reg) size,
            options(nostack, preserves_flags, pure, readonly),
        );
    }
    (offset, size)
}
