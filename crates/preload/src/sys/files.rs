//! Files, and the output to standard error.

use core::ffi::{CStr, c_int};
use core::ptr::NonNull;

use super::call::{Errno, call, checked};
use super::memory::map;

/// A file descriptor that is closed when dropped.
pub struct Fd(c_int);

/// open(2) with `O_CLOEXEC`. `path` is absolute.
pub fn open(path: &CStr, flags: c_int, mode: u32) -> Result<Fd, Errno> {
    let flags = flags | libc::O_CLOEXEC;
    let arguments = [
        libc::AT_FDCWD as usize,
        path.as_ptr() as usize,
        flags as usize,
        mode as usize,
    ];
    // SAFETY: S2, `path` ends with a zero byte.
    unsafe { checked(libc::SYS_openat, arguments) }.map(|fd| Fd(fd as c_int))
}

impl Drop for Fd {
    fn drop(&mut self) {
        // SAFETY: S1. Only this value has the descriptor.
        let _ = unsafe { call(libc::SYS_close, [self.0 as usize]) };
    }
}

impl Fd {
    /// read(2), restarted when a signal interrupts it.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize, Errno> {
        let arguments = [self.0 as usize, buffer.as_mut_ptr() as usize, buffer.len()];
        loop {
            // SAFETY: S2, the slice is writable.
            match unsafe { checked(libc::SYS_read, arguments) } {
                Err(Errno(libc::EINTR)) => {}
                result => return result,
            }
        }
    }

    /// Returns the device and inode, fstat(2), which identify the file whatever its name is.
    pub fn identity(&self) -> Result<(u64, u64), Errno> {
        // SAFETY: a `stat` of all zeros is a valid value.
        let mut stat: libc::stat = unsafe { core::mem::zeroed() };
        let arguments = [self.0 as usize, (&raw mut stat) as usize];
        // SAFETY: S2.
        unsafe { checked(libc::SYS_fstat, arguments) }?;
        Ok((stat.st_dev, stat.st_ino))
    }

    /// Allocates blocks to the file from `offset` on, so that writing through a mapping cannot fail later.
    ///
    /// It uses fallocate(2) if the file system supports it, and otherwise writes zeros.
    pub fn allocate(&self, offset: u64, length: u64) -> Result<(), Errno> {
        let arguments = [self.0 as usize, 0, offset as usize, length as usize];
        loop {
            // SAFETY: S1.
            match unsafe { checked(libc::SYS_fallocate, arguments) } {
                Err(Errno(libc::EINTR)) => {}
                Err(Errno(libc::EOPNOTSUPP | libc::ENOSYS | libc::EINVAL)) => break,
                result => return result.map(|_| ()),
            }
        }
        self.write_zeros(offset, length)
    }

    fn write_zeros(&self, offset: u64, length: u64) -> Result<(), Errno> {
        static ZEROS: [u8; 4096] = [0; 4096];
        let mut written = 0;
        while written < length {
            let piece = (length - written).min(ZEROS.len() as u64);
            let arguments = [
                self.0 as usize,
                ZEROS.as_ptr() as usize,
                piece as usize,
                (offset + written) as usize,
            ];
            // SAFETY: S2.
            match unsafe { checked(libc::SYS_pwrite64, arguments) } {
                Ok(0) => return Err(Errno(libc::ENOSPC)),
                Ok(bytes) => written += bytes as u64,
                Err(Errno(libc::EINTR)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Maps `length` bytes of the file from `offset` on, shared and writable.
    pub fn map_shared(&self, offset: u64, length: u64) -> Result<NonNull<u8>, Errno> {
        map(length as usize, libc::MAP_SHARED, self.0, offset)
    }
}

/// Returns the greatest length that this process may give a file, getrlimit(2) `RLIMIT_FSIZE`.
pub fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit64 {
        rlim_cur: 0,
        rlim_max: 0,
    };
    let arguments = [0, libc::RLIMIT_FSIZE as usize, 0, (&raw mut limit) as usize];
    // SAFETY: S2.
    match unsafe { checked(libc::SYS_prlimit64, arguments) } {
        Ok(_) => limit.rlim_cur,
        Err(_) => u64::MAX,
    }
}

/// Writes to stderr, as much as it accepts.
pub fn write_stderr(text: &[u8]) {
    let arguments = [
        libc::STDERR_FILENO as usize,
        text.as_ptr() as usize,
        text.len(),
    ];
    // SAFETY: S2.
    let _ = unsafe { call(libc::SYS_write, arguments) };
}
