//! The cause of a blocking system call, by the call's number on this architecture.

use super::cause::SwitchCause;

/// Calls that wait for data, for room, for a disk, or for descriptors to be ready.
const INPUT_OUTPUT: &[libc::c_long] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_ioctl,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_sync_file_range,
    libc::SYS_msync,
    libc::SYS_fallocate,
    libc::SYS_ftruncate,
    libc::SYS_truncate,
    libc::SYS_getdents64,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_vmsplice,
    libc::SYS_copy_file_range,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_connect,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_recvmmsg,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_io_getevents,
    libc::SYS_io_submit,
    libc::SYS_io_uring_enter,
    // With flock(2) and the locks of fcntl(2), a thread waits for files, not for other threads of the program.
    libc::SYS_flock,
    libc::SYS_fcntl,
];

/// Calls that arm64 never had.
#[cfg(target_arch = "x86_64")]
const OLD_INPUT_OUTPUT: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_epoll_wait_old,
    libc::SYS_getdents,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_INPUT_OUTPUT: &[libc::c_long] = &[];

/// futex(2), and futex2's waiting calls, whose numbers all architectures share; libc does not name them yet.
const LOCK: &[libc::c_long] = &[libc::SYS_futex, 449, 455];

const SLEEP: &[libc::c_long] = &[libc::SYS_nanosleep, libc::SYS_clock_nanosleep];

/// Returns the numbers of system calls and what blocking in them means; the meaning of all others is unknown.
pub(super) fn meanings() -> impl Iterator<Item = (u32, SwitchCause)> {
    let of = |calls: &'static [libc::c_long], cause| calls.iter().map(move |&call| (call, cause));
    of(INPUT_OUTPUT, SwitchCause::InputOutput)
        .chain(of(OLD_INPUT_OUTPUT, SwitchCause::InputOutput))
        .chain(of(LOCK, SwitchCause::Lock))
        .chain(of(SLEEP, SwitchCause::Sleep))
        .chain(of(&[libc::SYS_sched_yield], SwitchCause::Yielded))
        .filter_map(|(call, cause)| Some((u32::try_from(call).ok()?, cause)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_call_means_two_things_and_all_have_a_place() {
        let mut seen = HashSet::new();
        for (call, _) in meanings() {
            // `CALLS` of bpf/switches.bpf.c.
            assert!(call < 1024 && seen.insert(call), "{call}");
        }
    }
}
