//! System calls that are made to see the result. None of them has an effect that outlasts the call.
//!
//! 1. Each call is made with arguments for which its man page promises that the kernel neither writes to the process's memory,
//!    except to a buffer for the result, nor changes anything; or it is made in a child, and its effect ends with the child.

use locktoll_lab::probe;

use super::{SliceExtension, forked};

/// The results. Errors are numbers of errno(3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// The error of bpf(2) for a command that does not exist: `EINVAL` where the call gets through to the kernel.
    pub bpf_error: i32,
    /// The error of opening a hardware counter for the user mode of the calling thread, if there was one.
    pub counter_error: Option<i32>,
    /// The commands that membarrier(2) knows, one bit each.
    pub membarrier: Option<u32>,
    /// Whether the C library has registered its threads for restartable sequences (rseq(2)).
    pub restartable_sequences: bool,
    /// The time slice extension, which is part of it.
    pub slice_extension: SliceExtension,
    /// Whether threads may have real-time scheduling.
    pub real_time: RealTime,
    /// The error of asking to be traced (ptrace(2), `PTRACE_TRACEME`), if there was one.
    pub tracing_error: Option<i32>,
    /// The error of becoming the reaper of orphaned processes (prctl(2), `PR_SET_CHILD_SUBREAPER`), if there was one.
    pub subreaper_error: Option<i32>,
    /// The error of reading our own memory with process_vm_readv(2), if there was one.
    pub own_memory_error: Option<i32>,
    /// Whether a child finds zeros in memory that is to be wiped on fork (`MADV_WIPEONFORK`, madvise(2)).
    pub is_wiped_on_fork: Option<bool>,
}

/// Whether threads may have real-time scheduling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealTime {
    /// They may.
    Permitted,
    /// They may not, and why.
    Refused(String),
}

impl Calls {
    /// The bit of `MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ`.
    const MEMBARRIER_RSEQ: u32 = 1 << 7;

    /// Makes all the calls.
    pub(super) fn make() -> Self {
        Self {
            bpf_error: bpf_error(),
            counter_error: probe::hardware_counter()
                .err()
                .map(|error| error.raw_os_error().unwrap_or(libc::EIO)),
            membarrier: membarrier(),
            restartable_sequences: restartable_sequences(),
            slice_extension: SliceExtension::read(),
            real_time: match probe::real_time_refused() {
                None => RealTime::Permitted,
                Some(reason) => RealTime::Refused(reason),
            },
            tracing_error: probe::locks::tracing_refused()
                .map(|error| error.raw_os_error().unwrap_or(libc::EIO)),
            subreaper_error: forked::subreaper_error(),
            own_memory_error: own_memory_error(),
            is_wiped_on_fork: forked::is_wiped_on_fork(),
        }
    }

    /// Whether membarrier(2) can restart sequences in other threads.
    pub fn restarts_sequences(&self) -> Option<bool> {
        self.membarrier
            .map(|commands| commands & Self::MEMBARRIER_RSEQ != 0)
    }
}

fn bpf_error() -> i32 {
    const NO_COMMAND: libc::c_int = libc::c_int::MAX;
    // SAFETY: invariant 1: no attributes are passed, and the command does not exist.
    let result = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            NO_COMMAND,
            std::ptr::null::<libc::c_void>(),
            0,
        )
    };
    match result {
        -1 => std::io::Error::last_os_error().raw_os_error().unwrap_or(0),
        _ => 0,
    }
}

fn membarrier() -> Option<u32> {
    const QUERY: libc::c_int = 0;
    // SAFETY: invariant 1: a query takes no pointer.
    let commands = unsafe { libc::syscall(libc::SYS_membarrier, QUERY, 0, 0) };
    u32::try_from(commands).ok()
}

/// Tests process_vm_readv(2), with which the recorder reads memory that may be unmapped meanwhile: a failure is then an error,
/// not a signal.
fn own_memory_error() -> Option<i32> {
    let (there, mut read) = (7_u8, 0_u8);
    let local = libc::iovec {
        iov_base: (&raw mut read).cast(),
        iov_len: 1,
    };
    let remote = libc::iovec {
        iov_base: (&raw const there).cast_mut().cast(),
        iov_len: 1,
    };
    // SAFETY: invariant 1: one byte of ours is read, and written to another one.
    let count = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    match count {
        1 if read == there => None,
        -1 => Some(
            std::io::Error::last_os_error()
                .raw_os_error()
                .unwrap_or(libc::EIO),
        ),
        _ => Some(libc::EIO),
    }
}

/// Whether the C library registers restartable sequences. glibc (2.35 and later) reports this in a variable, which is zero where
/// the kernel refused or the user disabled it.
fn restartable_sequences() -> bool {
    // SAFETY: the name ends with a NUL; dlsym looks it up and keeps nothing.
    let size = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()) };
    // SAFETY: where the C library has the variable, it is an `unsigned int` that nobody writes to after start-up.
    !size.is_null() && unsafe { size.cast::<libc::c_uint>().read() } != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_knows_no_such_command() {
        let error = bpf_error();
        assert!(
            [libc::EINVAL, libc::EPERM, libc::ENOSYS].contains(&error),
            "{error}"
        );
    }

    #[test]
    fn own_memory_is_read() {
        assert_eq!(own_memory_error(), None);
    }

    #[test]
    fn the_bit_is_the_kernels() {
        assert_eq!(
            Calls::MEMBARRIER_RSEQ,
            libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ as u32
        );
    }
}
