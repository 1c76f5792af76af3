//! The registers of a sample, by the kernel's numbers (asm/perf_regs.h).

/// How many registers the kernel numbers that locktoll keeps.
pub const REGISTERS: usize = 33;

/// The user's registers in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// By the kernel's number (`PERF_REG_X86_*`, `PERF_REG_ARM64_*`); 0 for those that were not asked for.
    pub by_number: [u64; REGISTERS],
}

#[cfg(target_arch = "x86_64")]
mod numbers {
    /// The general registers and the instruction pointer: without flags and segments.
    pub const MASK: u64 = 0xff_01ff;
    pub const FRAME: usize = 6;
    pub const STACK: usize = 7;
    pub const INSTRUCTION: usize = 8;
}

#[cfg(target_arch = "aarch64")]
mod numbers {
    /// x0 to x30, the stack pointer and the program counter.
    pub const MASK: u64 = (1 << 33) - 1;
    pub const FRAME: usize = 29;
    pub const STACK: usize = 31;
    pub const INSTRUCTION: usize = 32;
}

/// The registers that are asked for.
pub(super) const MASK: u64 = numbers::MASK;

impl Registers {
    /// Reads them from `words`, in the order of their numbers. Returns `None` if some are missing.
    pub(super) fn read(mut words: impl Iterator<Item = u64>) -> Option<Self> {
        let mut by_number = [0; REGISTERS];
        for (number, register) in by_number.iter_mut().enumerate() {
            if MASK & (1 << number) != 0 {
                *register = words.next()?;
            }
        }
        Some(Self { by_number })
    }

    /// Returns the instruction pointer.
    #[must_use]
    pub fn ip(&self) -> u64 {
        self.by_number[numbers::INSTRUCTION]
    }

    /// Returns the stack pointer.
    #[must_use]
    pub fn sp(&self) -> u64 {
        self.by_number[numbers::STACK]
    }

    /// Returns the frame pointer, if the code uses it as one.
    #[must_use]
    pub fn bp(&self) -> u64 {
        self.by_number[numbers::FRAME]
    }
}
