//! The numbers of system calls on aarch64, for core files that are read on another processor.

use super::call::CALLS;
use crate::futexes::Processor;

/// By name, the numbers of the calls that [`CALLS`] has (linux/asm-generic/unistd.h).
const OF_AARCH64: &[(&str, i64)] = &[
    ("io_getevents", 4),
    ("epoll_pwait", 22),
    ("fcntl", 25),
    ("ioctl", 29),
    ("flock", 32),
    ("unlinkat", 35),
    ("ftruncate", 46),
    ("fallocate", 47),
    ("openat", 56),
    ("close", 57),
    ("read", 63),
    ("write", 64),
    ("readv", 65),
    ("writev", 66),
    ("pread64", 67),
    ("pwrite64", 68),
    ("preadv", 69),
    ("pwritev", 70),
    ("sendfile", 71),
    ("pselect6", 72),
    ("ppoll", 73),
    ("splice", 76),
    ("sync", 81),
    ("fsync", 82),
    ("fdatasync", 83),
    ("sync_file_range", 84),
    ("exit_group", 94),
    ("waitid", 95),
    ("futex", 98),
    ("nanosleep", 101),
    ("clock_nanosleep", 115),
    ("restart_syscall", 128),
    ("rt_sigsuspend", 133),
    ("rt_sigtimedwait", 137),
    ("msgrcv", 188),
    ("msgsnd", 189),
    ("semtimedop", 192),
    ("semop", 193),
    ("accept", 202),
    ("connect", 203),
    ("sendto", 206),
    ("recvfrom", 207),
    ("sendmsg", 211),
    ("recvmsg", 212),
    ("munmap", 215),
    ("execve", 221),
    ("mmap", 222),
    ("mprotect", 226),
    ("msync", 227),
    ("madvise", 233),
    ("accept4", 242),
    ("recvmmsg", 243),
    ("wait4", 260),
    ("syncfs", 267),
    ("renameat2", 276),
    ("getrandom", 278),
    ("membarrier", 283),
];

/// Newer calls have the same number everywhere.
const SAME_FROM: i64 = 424;

/// Returns the number, on this processor, of a call of that one. A call that [`CALLS`] does not have gets a number that no call has.
pub fn own_number(processor: Processor, number: i64) -> i64 {
    if processor == Processor::OWN || number >= SAME_FROM {
        return number;
    }
    let name = OF_AARCH64.iter().find(|(_, other)| *other == number);
    let own = name.and_then(|(name, _)| CALLS.iter().find(|(_, own, _)| own == name));
    own.map_or(UNKNOWN - number, |(number, ..)| *number)
}

/// Returns the number on aarch64 of a call that has none here.
pub fn number_there(own: i64) -> i64 {
    UNKNOWN - own
}

/// Numbers of calls are not negative.
const UNKNOWN: i64 = -1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_with_a_name_has_its_number_there() {
        for (number, name, _) in CALLS {
            let other = OF_AARCH64.iter().find(|(other, _)| other == name);
            let (_, other) = other.unwrap_or_else(|| panic!("{name}"));
            assert_eq!(own_number(Processor::Arm, *other), *number, "{name}");
        }
        assert_eq!(OF_AARCH64.len(), CALLS.len());
        assert_eq!(own_number(Processor::Arm, 455), 455);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_number_means_another_call_on_another_processor() {
        assert_eq!(own_number(Processor::Arm, 98), libc::SYS_futex);
        assert_eq!(own_number(Processor::X86, 98), 98);
        let unknown = own_number(Processor::Arm, 7);
        assert_eq!((unknown < 0, number_there(unknown)), (true, 7));
    }
}
