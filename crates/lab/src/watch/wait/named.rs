//! The kind of a wait by the names of calls, operations and kernel functions.

use super::Wait;

/// Returns the kind of wait by the operation of futex(2), its second argument.
pub(super) fn by_operation(operation: u64) -> Wait {
    let flags = (libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) as u64;
    // The kernel reads only the lower 32 bits; the upper ones are left over from before.
    match (operation & 0xffff_ffff & !flags) as libc::c_int {
        libc::FUTEX_WAIT => Wait::FutexWait,
        libc::FUTEX_WAIT_BITSET => Wait::FutexWaitBitset,
        // 13 is LOCK_PI2 (Linux 5.14).
        libc::FUTEX_LOCK_PI | 13 => Wait::FutexLockPi,
        _ => Wait::Futex,
    }
}

/// Returns the kind of wait by the call's number on the architecture that this program was built for. A program for another one,
/// such as a 32-bit program on a 64-bit kernel, uses other numbers, and its waits are named wrongly.
pub(super) fn by_call(number: i64) -> Wait {
    /// futex_wait (Linux 6.7).
    const SYS_FUTEX_WAIT: i64 = 455;
    #[cfg(target_arch = "x86_64")]
    match number {
        libc::SYS_poll | libc::SYS_select | libc::SYS_epoll_wait => return Wait::Events,
        libc::SYS_pause => return Wait::Signal,
        _ => {}
    }
    match number {
        libc::SYS_futex_waitv | SYS_FUTEX_WAIT => Wait::Futex,
        libc::SYS_semop
        | libc::SYS_semtimedop
        | libc::SYS_msgrcv
        | libc::SYS_msgsnd
        | libc::SYS_mq_timedreceive
        | libc::SYS_mq_timedsend => Wait::Ipc,
        libc::SYS_ppoll
        | libc::SYS_pselect6
        | libc::SYS_epoll_pwait
        | libc::SYS_epoll_pwait2
        | libc::SYS_io_getevents
        | libc::SYS_io_uring_enter => Wait::Events,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => Wait::Sleep,
        libc::SYS_wait4 | libc::SYS_waitid => Wait::Child,
        libc::SYS_rt_sigtimedwait | libc::SYS_rt_sigsuspend => Wait::Signal,
        libc::SYS_fsync | libc::SYS_fdatasync | libc::SYS_sync | libc::SYS_syncfs => Wait::Disk,
        libc::SYS_read
        | libc::SYS_write
        | libc::SYS_readv
        | libc::SYS_writev
        | libc::SYS_recvfrom
        | libc::SYS_sendto
        | libc::SYS_recvmsg
        | libc::SYS_sendmsg
        | libc::SYS_recvmmsg
        | libc::SYS_sendmmsg
        | libc::SYS_accept
        | libc::SYS_accept4
        | libc::SYS_connect
        | libc::SYS_splice
        | libc::SYS_sendfile => Wait::PipeOrSocket,
        _ => Wait::Other,
    }
}

/// Returns the kind of wait by the kernel function that sleeps. The names are those of Linux 5.4 to 6.18.
pub(super) fn by_function(function: &str) -> Option<Wait> {
    const KNOWN: [(&str, Wait); 25] = [
        ("futex_", Wait::Futex),
        ("do_futex", Wait::Futex),
        ("rt_mutex", Wait::FutexLockPi),
        ("ep_poll", Wait::Events),
        ("do_epoll", Wait::Events),
        ("do_poll", Wait::Events),
        ("do_sys_poll", Wait::Events),
        ("do_select", Wait::Events),
        ("poll_schedule", Wait::Events),
        ("io_cqring", Wait::Events),
        ("hrtimer_nanosleep", Wait::Sleep),
        ("do_nanosleep", Wait::Sleep),
        ("do_semtimedop", Wait::Ipc),
        ("do_msg", Wait::Ipc),
        ("wq_sleep", Wait::Ipc),
        ("do_wait", Wait::Child),
        ("kernel_wait", Wait::Child),
        ("do_sigtimedwait", Wait::Signal),
        ("sigsuspend", Wait::Signal),
        ("do_signal_stop", Wait::Signal),
        ("folio_wait", Wait::Disk),
        ("io_schedule", Wait::Disk),
        ("wait_on_page", Wait::Disk),
        ("jbd2_", Wait::Disk),
        ("rq_qos", Wait::Disk),
    ];
    const STREAMS: [&str; 11] = [
        "pipe_",
        "anon_pipe_",
        "unix_stream",
        "__skb_wait",
        "sk_wait",
        "sk_stream",
        "inet_csk",
        "inet_wait",
        "wait_woken",
        "eventfd_read",
        "n_tty_read",
    ];
    if function == "0" {
        return None;
    }
    let known = KNOWN.iter().find(|(start, _)| function.starts_with(start));
    Some(match known {
        Some((_, wait)) => *wait,
        None if STREAMS.iter().any(|start| function.starts_with(start)) => Wait::PipeOrSocket,
        None => Wait::Other,
    })
}
