//! The sampled thread and the memory of its program, as the caller provides them.

/// An instruction set that can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Architecture {
    /// The architecture that this program was built for; `None` if it is another one.
    pub const fn native() -> Option<Architecture> {
        if cfg!(target_arch = "x86_64") {
            Some(Architecture::X86_64)
        } else if cfg!(target_arch = "aarch64") {
            Some(Architecture::Aarch64)
        } else {
            None
        }
    }
}

/// The registers of a thread at the moment of the sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// General registers, numbered as the kernel numbers them in `PERF_SAMPLE_REGS_USER`: `enum perf_event_x86_regs` (AX is 0,
    /// SP is 7, R8 is 16) and `enum perf_event_arm_regs` (x0 is 0, sp is 31). The other fields may be zero.
    pub general: [u64; 32],
    /// The instruction that would have been executed next.
    pub ip: u64,
}

impl Registers {
    /// The stack pointer.
    pub fn stack(&self, architecture: Architecture) -> u64 {
        self.general[match architecture {
            Architecture::X86_64 => 7,
            Architecture::Aarch64 => 31,
        }]
    }

    /// The register that compilers use as the frame pointer.
    pub fn frame(&self, architecture: Architecture) -> u64 {
        self.general[match architecture {
            Architecture::X86_64 => 6,
            Architecture::Aarch64 => 29,
        }]
    }
}

/// The memory of the sampled program. Each instruction is read by itself, so the caller should keep the pages that it has read.
pub trait Code {
    /// Fills `into` from `address` on and returns the number of bytes that are mapped and executable; 0 if `address` itself is not.
    fn bytes(&self, address: u64, into: &mut [u8]) -> usize;

    /// The eight bytes at `address`, which may be data: a pointer in the stack frame, an entry of the global offset table.
    /// `None` if they cannot be read.
    fn data(&self, address: u64) -> Option<u64>;

    /// Whether `address` is in the code that the kernel maps into each process to read its clock (`[vdso]`). A sample there belongs to
    /// the loop of a caller: the code itself repeats its reading only if the kernel has just updated the clock.
    fn is_vdso(&self, address: u64) -> bool {
        let _ = address;
        false
    }
}
