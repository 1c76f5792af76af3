//! The position of the calling function.

use super::frame::Frame;

impl Frame {
    /// Returns the state of the function that this is inlined into.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn here() -> Self {
        let (address, stack_pointer, frame_pointer);
        // SAFETY: reads registers.
        unsafe {
            core::arch::asm!(
                "lea {address}, [rip]",
                "mov {stack_pointer}, rsp",
                "mov {frame_pointer}, rbp",
                address = out(reg) address,
                stack_pointer = out(reg) stack_pointer,
                frame_pointer = out(reg) frame_pointer,
                options(nomem, nostack, preserves_flags),
            );
        }
        Self {
            address,
            stack_pointer,
            frame_pointer,
            link: 0,
            is_exact: true,
        }
    }

    /// Returns the state of the function that this is inlined into.
    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    pub fn here() -> Self {
        let (address, stack_pointer, frame_pointer, link);
        // SAFETY: reads registers.
        unsafe {
            core::arch::asm!(
                "adr {address}, .",
                "mov {stack_pointer}, sp",
                "mov {frame_pointer}, x29",
                "mov {link}, x30",
                address = out(reg) address,
                stack_pointer = out(reg) stack_pointer,
                frame_pointer = out(reg) frame_pointer,
                link = out(reg) link,
                options(nomem, nostack, preserves_flags),
            );
        }
        Self {
            address,
            stack_pointer,
            frame_pointer,
            link,
            is_exact: true,
        }
    }
}
