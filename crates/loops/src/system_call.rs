//! System calls that a thread makes while it waits.

use crate::machine::Architecture;

/// What a system call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Gives the CPU to another thread.
    Yield,
    /// Sleeps for a time.
    Sleep,
    /// Reads a clock, or asks who and where the thread is.
    Clock,
    /// Everything else.
    Other,
}

/// What the system call with this number is for.
pub fn purpose(architecture: Architecture, number: u64) -> Purpose {
    match (architecture, number) {
        (Architecture::X86_64, 24) | (Architecture::Aarch64, 124) => Purpose::Yield,
        // nanosleep, clock_nanosleep
        (Architecture::X86_64, 35 | 230) | (Architecture::Aarch64, 101 | 115) => Purpose::Sleep,
        // getpid, gettimeofday, gettid, time, clock_gettime, getcpu
        (Architecture::X86_64, 39 | 96 | 186 | 201 | 228 | 309)
        | (Architecture::Aarch64, 172 | 169 | 178 | 113 | 168) => Purpose::Clock,
        _ => Purpose::Other,
    }
}
