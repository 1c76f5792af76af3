//! Thread-local data, found with two instructions.
//!
//! `thread_local!` in a shared library goes through `__tls_get_addr`, a call that may allocate. A library that is loaded at
//! start may use the initial-exec model instead (ELF Handling For Thread-Local Storage, Drepper, 2005): the data lies at an
//! offset from the thread register which the dynamic linker has stored in this library's offset table. It begins as all zeros.

/// Defines a function that returns the address of the calling thread's own value of a type. The address stays the same for the
/// whole life of the thread. `$symbol` is the value's name in this library.
macro_rules! thread_data {
    ($(#[$doc:meta])* $visibility:vis fn $function:ident() -> *mut $type:ty = $symbol:literal;) => {
        core::arch::global_asm!(
            ".pushsection .tbss,\"awT\",@nobits",
            ".balign 8",
            concat!(".globl ", $symbol),
            concat!(".hidden ", $symbol),
            concat!(".type ", $symbol, ", @object"),
            concat!($symbol, ":"),
            ".zero {bytes}",
            concat!(".size ", $symbol, ", {bytes}"),
            ".popsection",
            bytes = const size_of::<$type>(),
        );

        const _: () = assert!(align_of::<$type>() <= 8);

        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        #[inline(always)]
        $visibility fn $function() -> *mut $type {
            let address;
            // SAFETY: reads the thread's own address, which the ABI keeps at the thread register, and a word of this library's
            // own offset table, which does not change after loading.
            unsafe {
                core::arch::asm!(
                    "mov {address}, qword ptr fs:[0]",
                    concat!("add {address}, qword ptr [rip + ", $symbol, "@GOTTPOFF]"),
                    address = out(reg) address,
                    options(pure, readonly, nostack),
                );
            }
            address
        }

        $(#[$doc])*
        #[cfg(target_arch = "aarch64")]
        #[inline(always)]
        $visibility fn $function() -> *mut $type {
            let address;
            // SAFETY: reads the thread register and a word of this library's own offset table, which does not change after
            // loading.
            unsafe {
                core::arch::asm!(
                    "mrs {address}, tpidr_el0",
                    concat!("adrp {offset}, :gottprel:", $symbol),
                    concat!("ldr {offset}, [{offset}, :gottprel_lo12:", $symbol, "]"),
                    "add {address}, {address}, {offset}",
                    address = out(reg) address,
                    offset = out(reg) _,
                    options(pure, readonly, nostack, preserves_flags),
                );
            }
            address
        }
    };
}
pub(crate) use thread_data;
