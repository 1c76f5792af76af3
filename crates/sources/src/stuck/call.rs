//! The system calls in which threads sleep.

use std::fs;

use super::numbers::{number_there, own_number};
use super::registers::Registers;
use super::space::Space;
use super::threads::InCall;
use crate::futexes::Processor;

/// How a system call waits for futex words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FutexWait {
    /// The address of the word.
    pub word: u64,
    /// The operation, with its flags; `FUTEX_WAIT` for the calls that have one operation only.
    pub op: u32,
    /// The value that the caller expected there.
    pub value: u32,
    /// Whether there is a deadline.
    pub has_deadline: bool,
}

/// `futex_wait(2)`, which libc does not name yet.
const NR_FUTEX_WAIT: i64 = 455;
/// The part of an operation that is not flags.
const COMMAND: u32 = 0x7f;
/// `FUTEX_PRIVATE_FLAG`.
const PRIVATE: u32 = 128;

impl FutexWait {
    /// Returns the wait of a thread in this call; `None` if the call does not wait for a single futex word.
    pub fn of(call: &InCall) -> Option<Self> {
        let [word, second, third, fourth, fifth, _] = call.arguments;
        // Arguments have 32 bits: the upper half of the register can hold anything.
        match call.number {
            libc::SYS_futex => {
                let op = second as u32;
                // FUTEX_WAIT, _LOCK_PI, _WAIT_BITSET, _WAIT_REQUEUE_PI, _LOCK_PI2.
                matches!(op & COMMAND, 0 | 6 | 9 | 11 | 13).then_some(Self {
                    word,
                    op,
                    value: third as u32,
                    has_deadline: fourth != 0,
                })
            }
            NR_FUTEX_WAIT => Some(Self {
                word,
                op: 0,
                value: second as u32,
                has_deadline: fifth != 0,
            }),
            _ => None,
        }
    }

    /// Whether it is `FUTEX_WAIT`, with which glibc's mutexes wait and its other objects do not.
    pub fn is_plain(&self) -> bool {
        self.op & COMMAND == 0
    }

    /// Whether the word is of the kind that the kernel itself follows to its owner: it holds the thread id.
    pub fn is_of_owner(&self) -> bool {
        matches!(self.op & COMMAND, 6 | 13)
    }

    /// Whether threads of other processes may wake it: the kernel does, when a thread ends.
    pub fn is_shared(&self) -> bool {
        self.op & PRIVATE == 0
    }
}

/// Errors that end a system call which is interrupted, before the kernel begins it again or returns `EINTR` (linux/errno.h).
const INTERRUPTED: [i64; 5] = [-512, -513, -514, -516, -4];
/// The instruction of aarch64 that makes a system call. The kernel sets a thread back to it.
const SVC: u32 = 0xd400_0001;

/// Returns the system call that a stop, or the end of the process, interrupted, by the registers of the thread.
pub fn interrupted(space: &Space, registers: Registers) -> Option<InCall> {
    let call = InCall {
        number: own_number(space.processor(), registers.call?),
        arguments: registers.arguments,
        sp: registers.sp,
        ip: registers.ip,
    };
    let is_in_call = match space.processor() {
        Processor::X86 => INTERRUPTED.contains(&registers.result),
        Processor::Arm => match space.word(registers.ip) {
            Some(instruction) => instruction == SVC,
            // Core files may leave code out. A thread that waits for a word still has the word's address and value in its registers:
            // the result of the call will replace the address.
            None => FutexWait::of(&call).is_some_and(|it| space.word(it.word) == Some(it.value)),
        },
    };
    is_in_call.then_some(call)
}

/// Calls that a stop would end with an error of the call (signal(7), "Interruption of system calls and library functions by stop
/// signals"). A thread in one of them is not stopped. `file` is what the call's descriptor leads to.
pub fn would_end(number: i64, file: Option<&str>) -> bool {
    #[cfg(target_arch = "x86_64")]
    let old = number == libc::SYS_epoll_wait;
    #[cfg(not(target_arch = "x86_64"))]
    let old = false;
    let calls = [
        libc::SYS_epoll_pwait,
        EPOLL_PWAIT2,
        libc::SYS_semop,
        libc::SYS_semtimedop,
        libc::SYS_rt_sigtimedwait,
        libc::SYS_io_getevents,
        IO_PGETEVENTS,
        IO_URING_ENTER,
        libc::SYS_msgrcv,
        libc::SYS_msgsnd,
    ];
    // Sockets may have a deadline (SO_RCVTIMEO), with which calls about them end; and so does reading inotify(7).
    let ends = |file: &str| file.starts_with("socket:") || file == "anon_inode:inotify";
    old || calls.contains(&number) || file.is_some_and(ends)
}

const EPOLL_PWAIT2: i64 = 441;
const IO_PGETEVENTS: i64 = 333;
const IO_URING_ENTER: i64 = 426;

macro_rules! named {
    ($($name:ident $constant:ident $is_about_fd:literal),* $(,)?) => {
        &[$((libc::$constant, stringify!($name), $is_about_fd)),*]
    };
}

/// System calls in which threads sleep or work for long: number, name, and whether the first argument is a descriptor.
pub const CALLS: &[(i64, &str, bool)] = named![
    read SYS_read true, write SYS_write true, readv SYS_readv true, writev SYS_writev true,
    pread64 SYS_pread64 true, pwrite64 SYS_pwrite64 true, preadv SYS_preadv true, pwritev SYS_pwritev true,
    fsync SYS_fsync true, fdatasync SYS_fdatasync true, sync_file_range SYS_sync_file_range true,
    syncfs SYS_syncfs true, sync SYS_sync false, msync SYS_msync false, ftruncate SYS_ftruncate true,
    fallocate SYS_fallocate true, flock SYS_flock true, fcntl SYS_fcntl true, ioctl SYS_ioctl true,
    sendfile SYS_sendfile true, splice SYS_splice true, close SYS_close true, openat SYS_openat false,
    accept SYS_accept true, accept4 SYS_accept4 true, connect SYS_connect true, recvfrom SYS_recvfrom true,
    recvmsg SYS_recvmsg true, recvmmsg SYS_recvmmsg true, sendto SYS_sendto true, sendmsg SYS_sendmsg true,
    ppoll SYS_ppoll false, pselect6 SYS_pselect6 false, epoll_pwait SYS_epoll_pwait true,
    nanosleep SYS_nanosleep false, clock_nanosleep SYS_clock_nanosleep false, wait4 SYS_wait4 false,
    waitid SYS_waitid false, rt_sigtimedwait SYS_rt_sigtimedwait false, rt_sigsuspend SYS_rt_sigsuspend false,
    restart_syscall SYS_restart_syscall false, semop SYS_semop false, semtimedop SYS_semtimedop false,
    msgrcv SYS_msgrcv false, msgsnd SYS_msgsnd false, io_getevents SYS_io_getevents false,
    futex SYS_futex false, madvise SYS_madvise false, munmap SYS_munmap false, mmap SYS_mmap false,
    mprotect SYS_mprotect false, execve SYS_execve false, exit_group SYS_exit_group false, getrandom SYS_getrandom false,
    unlinkat SYS_unlinkat false, renameat2 SYS_renameat2 false, membarrier SYS_membarrier false,
];

/// The calls that exist on one architecture alone, or that libc does not name.
#[cfg(target_arch = "x86_64")]
const OLD_CALLS: &[(i64, &str, bool)] = named![
    poll SYS_poll false, select SYS_select false, pause SYS_pause false, open SYS_open false,
    epoll_wait SYS_epoll_wait true, vfork SYS_vfork false, unlink SYS_unlink false, rename SYS_rename false,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_CALLS: &[(i64, &str, bool)] = &[];

const NEW_CALLS: &[(i64, &str, bool)] = &[
    (EPOLL_PWAIT2, "epoll_pwait2", true),
    (IO_URING_ENTER, "io_uring_enter", true),
    (449, "futex_waitv", false),
    (NR_FUTEX_WAIT, "futex_wait", false),
];

/// Returns the name of a call and the descriptor that it is about.
pub fn described(call: &InCall) -> (String, Option<i32>) {
    let mut all = CALLS.iter().chain(OLD_CALLS).chain(NEW_CALLS);
    match all.find(|(number, ..)| *number == call.number) {
        Some(&(_, name, is_about_fd)) => {
            let fd = is_about_fd.then_some(call.arguments[0] as u32 as i32);
            (name.to_owned(), fd)
        }
        // A call of another processor.
        None if call.number < 0 => (
            format!("system call {} of aarch64", number_there(call.number)),
            None,
        ),
        None => (format!("system call {}", call.number), None),
    }
}

/// Whether a thread that sleeps in this call merely waits for time to pass, for input or for work: nothing that it could hold up
/// keeps it there.
pub fn is_idle(name: &str, file: Option<&str>) -> bool {
    let is_of_file = file.is_some_and(|file| file.starts_with('/') && !file.starts_with("/dev/"));
    match name {
        "poll" | "ppoll" | "select" | "pselect6" | "epoll_wait" | "epoll_pwait"
        | "epoll_pwait2" | "nanosleep" | "clock_nanosleep" | "pause" | "wait4" | "waitid"
        | "rt_sigtimedwait" | "rt_sigsuspend" | "accept" | "accept4" | "restart_syscall"
        | "io_getevents" | "io_uring_enter" => true,
        "read" | "readv" | "recvfrom" | "recvmsg" | "recvmmsg" => !is_of_file,
        _ => false,
    }
}

/// Returns what a descriptor of a process leads to.
pub fn file(process: u32, fd: i32) -> Option<String> {
    let target = fs::read_link(format!("/proc/{process}/fd/{fd}")).ok()?;
    Some(target.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: i64, arguments: [u64; 6]) -> InCall {
        InCall {
            number,
            arguments,
            sp: 0,
            ip: 0,
        }
    }

    #[test]
    fn a_wait_for_a_word_is_read_from_the_arguments() {
        let wait = FutexWait::of(&call(libc::SYS_futex, [0x1000, 0x80, 2, 0, 0, 0])).unwrap();
        assert_eq!((wait.word, wait.value), (0x1000, 2));
        assert!(wait.is_plain() && !wait.is_shared() && !wait.has_deadline && !wait.is_of_owner());
        let join = FutexWait::of(&call(libc::SYS_futex, [0x2000, 0x109, 77, 0, 0, u64::MAX]));
        assert!(join.is_some_and(|it| it.is_shared() && !it.is_plain()));
        let pi = FutexWait::of(&call(libc::SYS_futex, [0x2000, 0x86, 0, 1, 0, 0])).unwrap();
        assert!(pi.is_of_owner() && pi.has_deadline);
        // A wake-up, and another call.
        assert_eq!(
            FutexWait::of(&call(libc::SYS_futex, [1, 0x81, 1, 0, 0, 0])),
            None
        );
        assert_eq!(
            FutexWait::of(&call(libc::SYS_read, [1, 0, 1, 0, 0, 0])),
            None
        );
    }

    #[test]
    fn calls_have_names_and_files() {
        let (name, fd) = described(&call(libc::SYS_fsync, [3, 0, 0, 0, 0, 0]));
        assert_eq!((name.as_str(), fd), ("fsync", Some(3)));
        assert_eq!(described(&call(9999, [0; 6])).0, "system call 9999");
        let null = fs::File::open("/dev/null").unwrap();
        let fd = std::os::fd::AsRawFd::as_raw_fd(&null);
        assert_eq!(file(std::process::id(), fd).as_deref(), Some("/dev/null"));
        assert!(is_idle("poll", None) && is_idle("read", Some("pipe:[7]")));
        assert!(!is_idle("fsync", Some("/data/wal")) && !is_idle("read", Some("/data/wal")));
    }
}
