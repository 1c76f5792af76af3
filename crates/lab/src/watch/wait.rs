//! The call in which a thread waits: `/proc/PID/task/TID/syscall`, else `wchan` (proc_pid_syscall(5)).
//!
//! The first file needs the rights of a debugger, which a Yama policy may deny even for one's own processes. The second needs the
//! right to read the process, and names kernel functions, which change from version to version.

mod named;

use serde::Serialize;

use crate::platform::linux::Tree;
use named::{by_call, by_function, by_operation};

/// The kind of wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// futex(2) WAIT: glibc's mutexes and barriers, parking_lot, Java monitors.
    FutexWait,
    /// futex(2) WAIT_BITSET: glibc's conditions, semaphores, reader-writer locks and joins, Rust's std.
    FutexWaitBitset,
    /// futex(2) LOCK_PI: mutexes with priority inheritance.
    FutexLockPi,
    /// A futex, by a call that does not show more.
    Futex,
    /// A System V semaphore or message queue, or a POSIX message queue.
    Ipc,
    /// poll(2), select(2), epoll_wait(2), io_uring_enter(2).
    Events,
    /// A pipe, a socket, a terminal: input or output of unforeseeable length.
    PipeOrSocket,
    /// A disk, or any other wait that signals do not interrupt (state D).
    Disk,
    /// nanosleep(2), clock_nanosleep(2).
    Sleep,
    /// The end of a child process.
    Child,
    /// A signal, or a debugger (state T).
    Signal,
    /// Something else.
    Other,
}

impl Wait {
    /// Returns whether user-space locks, conditions and joins wait in this way.
    pub fn is_futex(self) -> bool {
        matches!(
            self,
            Self::FutexWait | Self::FutexWaitBitset | Self::FutexLockPi | Self::Futex
        )
    }
}

/// The result of one look at a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// On a CPU, or ready to run.
    Running,
    /// Waiting.
    Waiting(Wait),
    /// Gone, or not readable by this user.
    Unreadable,
}

/// Looks at the thread in `folder` (`/proc/PID/task/TID`), which must not be a kernel thread.
pub(super) fn look(tree: &Tree, folder: &str) -> Look {
    let by_call = tree
        .text(&format!("{folder}/syscall"))
        .and_then(|text| parse_syscall(&text));
    let seen = by_call.or_else(|| {
        // `0` can mean either a running thread or another user's thread.
        let function = tree.text(&format!("{folder}/wchan"))?;
        by_function(&function).map(Look::Waiting)
    });
    match seen {
        // Only these may be a wait for a disk; reading the state costs as much again.
        Some(Look::Waiting(Wait::PipeOrSocket | Wait::Other)) => {
            match (state(tree, folder), seen) {
                (Some('D'), _) => Look::Waiting(Wait::Disk),
                (Some('T' | 't'), _) => Look::Waiting(Wait::Signal),
                (_, Some(seen)) => seen,
                (_, None) => Look::Unreadable,
            }
        }
        Some(seen) => seen,
        None => match state(tree, folder) {
            Some('R') => Look::Running,
            Some('D') => Look::Waiting(Wait::Disk),
            Some('T' | 't') => Look::Waiting(Wait::Signal),
            _ => Look::Unreadable,
        },
    }
}

fn state(tree: &Tree, folder: &str) -> Option<char> {
    let stat = tree.text(&format!("{folder}/stat"))?;
    // The name in parentheses may itself contain parentheses and spaces; the state follows it.
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Parses `running`, or the number of the system call and its arguments, or -1 outside of any call.
fn parse_syscall(text: &str) -> Option<Look> {
    let mut fields = text.split_ascii_whitespace();
    let first = fields.next()?;
    if first == "running" {
        return Some(Look::Running);
    }
    let number: i64 = first.parse().ok()?;
    let mut argument = fields.map(|field| {
        let digits = field.strip_prefix("0x")?;
        u64::from_str_radix(digits, 16).ok()
    });
    let wait = match number {
        libc::SYS_futex => by_operation(argument.nth(1)??),
        _ => by_call(number),
    };
    Some(Look::Waiting(wait))
}

/// An entry point only for the fuzz targets.
pub(super) fn fuzzed(text: &str) {
    let _ = parse_syscall(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::linux::fake;
    use proptest::prelude::*;

    fn look_at(files: &[(&str, &str)]) -> Look {
        let named: Vec<(String, &str)> = files
            .iter()
            .map(|(name, text)| (format!("/proc/7/task/8/{name}"), *text))
            .collect();
        let files: Vec<(&str, &str)> = named.iter().map(|(n, t)| (n.as_str(), *t)).collect();
        let (_folder, tree) = fake::tree(&files);
        look(&tree, "/proc/7/task/8")
    }

    #[test]
    fn futex_operations_are_told_apart() {
        let of = |operation: i32| {
            let call = format!(
                "{} 0x7ffc0 {operation:#x} 0x2 0x0 0x0 0x0 0x1 0x2",
                libc::SYS_futex
            );
            look_at(&[("syscall", &call)])
        };
        let private = libc::FUTEX_PRIVATE_FLAG;
        assert_eq!(
            of(libc::FUTEX_WAIT | private),
            Look::Waiting(Wait::FutexWait)
        );
        assert_eq!(
            of(libc::FUTEX_WAIT_BITSET | private | libc::FUTEX_CLOCK_REALTIME),
            Look::Waiting(Wait::FutexWaitBitset)
        );
        assert_eq!(of(libc::FUTEX_LOCK_PI), Look::Waiting(Wait::FutexLockPi));
        assert_eq!(of(13), Look::Waiting(Wait::FutexLockPi));
    }

    #[test]
    fn a_read_is_of_a_disk_if_nothing_may_interrupt_it() {
        let call = format!("{} 0x3 0x1 0x2 0x0 0x0 0x0 0x1 0x2", libc::SYS_read);
        let with_state = |state| look_at(&[("syscall", &call), ("stat", state)]);
        assert_eq!(with_state("8 (a) R) D 1 2"), Look::Waiting(Wait::Disk));
        assert_eq!(with_state("8 (a) S 1 2"), Look::Waiting(Wait::PipeOrSocket));
        assert_eq!(with_state("8 (a) T 1 2"), Look::Waiting(Wait::Signal));
    }

    #[test]
    fn outside_of_a_call_only_the_state_tells() {
        assert_eq!(
            look_at(&[("syscall", "-1 0x7ffd 0x7f3a"), ("stat", "8 (a) D 1")]),
            Look::Waiting(Wait::Disk)
        );
        assert_eq!(look_at(&[("syscall", "running")]), Look::Running);
    }

    #[test]
    fn where_calls_may_not_be_read_the_kernels_function_tells() {
        for (function, wait) in [
            ("futex_do_wait", Wait::Futex),
            ("futex_wait_queue_me", Wait::Futex),
            ("do_epoll_wait", Wait::Events),
            ("do_poll.constprop.0", Wait::Events),
            ("hrtimer_nanosleep", Wait::Sleep),
            ("anon_pipe_read", Wait::PipeOrSocket),
            ("do_wait", Wait::Child),
            ("folio_wait_bit_common", Wait::Disk),
            ("some_driver", Wait::Other),
        ] {
            assert_eq!(
                look_at(&[("wchan", function)]),
                Look::Waiting(wait),
                "{function}"
            );
        }
    }

    #[test]
    fn of_others_no_more_than_the_state_is_known() {
        let of = |state| look_at(&[("wchan", "0"), ("stat", state)]);
        assert_eq!(of("8 (a) R 1"), Look::Running);
        assert_eq!(of("8 (a) D 1"), Look::Waiting(Wait::Disk));
        assert_eq!(of("8 (a) S 1"), Look::Unreadable);
        assert_eq!(look_at(&[]), Look::Unreadable);
    }

    proptest! {
        #[test]
        fn any_text_is_a_look_or_nothing(text in "-?[0-9]{0,20}( 0x[0-9a-f]{0,20}){0,3}|\\PC{0,30}") {
            let _ = parse_syscall(&text);
            let _ = by_function(&text);
        }
    }
}
