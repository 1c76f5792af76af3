//! An event that is open.

use std::fmt;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::attributes::{Attributes, CPU_CLOCK, SOFTWARE, flag};

/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: libc::c_ulong = 8;
/// `PERF_EVENT_IOC_ENABLE` and `PERF_EVENT_IOC_DISABLE`: `_IO('$', 0)` and `_IO('$', 1)`.
const ENABLE: libc::c_ulong = 0x2400;
const DISABLE: libc::c_ulong = 0x2401;

/// Why the kernel does not open an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Not permitted: `kernel.perf_event_paranoid`, a filter of system calls in a container, or another user's process.
    NotPermitted,
    /// The kernel, or an emulator in its place, has no such events.
    NotThere,
    /// All of them are in use: watchpoints, descriptors, or locked memory.
    InUse,
    /// The thread has ended.
    Gone,
    /// Another reason, as the system's error number.
    Other(i32),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPermitted => "the kernel does not permit perf events",
            Self::NotThere => "this system has no perf events",
            Self::InUse => "the kernel has no room for more perf events",
            Self::Gone | Self::Other(_) => "the kernel refused perf events",
        })
    }
}

impl Refused {
    pub(super) fn of(error: &io::Error) -> Self {
        match error.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => Self::NotPermitted,
            Some(libc::ENOENT | libc::ENOSYS | libc::ENODEV | libc::EOPNOTSUPP) => Self::NotThere,
            Some(libc::EBUSY | libc::ENOSPC | libc::EMFILE | libc::ENFILE | libc::ENOMEM) => {
                Self::InUse
            }
            Some(libc::ESRCH) => Self::Gone,
            other => Self::Other(other.unwrap_or(0)),
        }
    }
}

/// Which thread an event watches, and on which CPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// A thread; 0 for the calling thread, −1 for all.
    pub thread: i32,
    /// A CPU; −1 for all.
    pub cpu: i32,
}

/// An event, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Event(OwnedFd);

impl Event {
    pub fn open(attributes: &Attributes, target: Target) -> io::Result<Self> {
        // SAFETY: the kernel reads `size` bytes of the attributes, which are a live value of that size; no memory is written.
        let fd = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                std::ptr::from_ref(attributes),
                target.thread,
                target.cpu,
                -1_i32,
                CLOSE_ON_EXEC,
            )
        };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: just made, and owned by nothing else.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(fd as i32) }))
    }

    pub fn enable(&self) -> io::Result<()> {
        self.control(ENABLE)
    }

    pub fn disable(&self) -> io::Result<()> {
        self.control(DISABLE)
    }

    pub fn descriptor(&self) -> &OwnedFd {
        &self.0
    }

    fn control(&self, what: libc::c_ulong) -> io::Result<()> {
        // SAFETY: the descriptor is open; these two take no pointer.
        match unsafe { libc::ioctl(self.0.as_raw_fd(), what as _, 0) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Asks whether the kernel lets this user sample its own programs.
///
/// # Errors
/// The reason why not.
pub fn may_sample() -> Result<(), Refused> {
    let mut attributes = Attributes::new(SOFTWARE, CPU_CLOCK);
    attributes.flags = flag::DISABLED | flag::EXCLUDE_KERNEL | flag::EXCLUDE_HYPERVISOR;
    let own = Target { thread: 0, cpu: -1 };
    match Event::open(&attributes, own) {
        Ok(_) => Ok(()),
        Err(error) => Err(Refused::of(&error)),
    }
}
