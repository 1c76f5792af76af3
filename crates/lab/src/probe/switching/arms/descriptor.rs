//! A byte through a pipe, or a count through an eventfd: one for each side.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use crate::probe::ping_pong::HandOver;

/// The descriptor that a side reads from, and the one that is written to wake it.
struct Way {
    read: OwnedFd,
    /// `None` means the same descriptor.
    write: Option<OwnedFd>,
}

/// A pipe or an eventfd for each side; `BYTES` bytes are written to wake and read to wait.
pub(super) struct Descriptors<const BYTES: usize> {
    ways: [Way; 2],
}

/// Pipes carry one byte.
pub(super) fn pipes() -> io::Result<Descriptors<1>> {
    Ok(Descriptors {
        ways: [pipe()?, pipe()?],
    })
}

/// Eventfds carry a count of eight bytes (eventfd(2)).
pub(super) fn eventfds() -> io::Result<Descriptors<8>> {
    Ok(Descriptors {
        ways: [eventfd()?, eventfd()?],
    })
}

fn pipe() -> io::Result<Way> {
    let mut ends: [RawFd; 2] = [-1; 2];
    // SAFETY: the kernel fills the two places.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: both were opened just now and belong to nobody else.
    let [read, write] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
    Ok(Way {
        read,
        write: Some(write),
    })
}

fn eventfd() -> io::Result<Way> {
    // SAFETY: plain numbers.
    let descriptor = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: opened just now, and belongs to nobody else.
    let read = unsafe { OwnedFd::from_raw_fd(descriptor) };
    Ok(Way { read, write: None })
}

impl<const BYTES: usize> HandOver for Descriptors<BYTES> {
    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        let way = &self.ways[side];
        let descriptor = way.write.as_ref().unwrap_or(&way.read).as_raw_fd();
        let mut one = [0_u8; BYTES];
        // An eventfd takes a number in the machine's byte order; only that it is not zero matters.
        one[0] = 1;
        // SAFETY: the kernel reads `BYTES` bytes of the array.
        let written = unsafe { libc::write(descriptor, one.as_ptr().cast(), BYTES) };
        whole(written, BYTES)
    }

    #[inline]
    fn wait(&self, side: usize) -> io::Result<()> {
        let mut buffer = [0_u8; BYTES];
        loop {
            // SAFETY: the kernel writes at most `BYTES` bytes into the array.
            let read = unsafe {
                libc::read(
                    self.ways[side].read.as_raw_fd(),
                    buffer.as_mut_ptr().cast(),
                    BYTES,
                )
            };
            match whole(read, BYTES) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

#[inline]
fn whole(done: isize, bytes: usize) -> io::Result<()> {
    match done {
        -1 => Err(io::Error::last_os_error()),
        done if done as usize == bytes => Ok(()),
        done => Err(io::Error::other(format!("{done} of {bytes} bytes"))),
    }
}
