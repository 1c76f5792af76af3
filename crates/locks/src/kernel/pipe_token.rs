//! A lock made of a pipe with one byte in it: the thread that reads the byte holds the lock.
//!
//! | pipe | meaning |
//! |---|---|
//! | 1 byte | free |
//! | empty | held |
//!
//! # Invariants
//!
//! - **I1** One byte is in the pipe before its descriptors are published, and only a holder writes
//!   another.
//! - **I2** A byte is read by one reader only; a reader of an empty pipe sleeps.
//!
//! Source: pipe(7); the token pipe is old Unix practice, e.g. make's job server.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{BorrowedFd, IntoRawFd, RawFd};
use rustix::io::{Errno, IoSliceMut, ReadWriteFlags, preadv2, read, write};
use rustix::pipe::{PipeFlags, pipe_with};

use super::Refused;
use super::lazy::{Handle, Lazy, retry};
use crate::RawLock;
use crate::raw::impl_raw_mutex;

/// A kernel lock: a token in a pipe, `read` and `write`.
///
/// ```
/// use locktoll_locks::{Mutex, PipeToken};
///
/// static NAMES: Mutex<PipeToken, Vec<&str>> = Mutex::new(Vec::new());
/// std::thread::scope(|scope| {
///     for name in ["a", "b"] {
///         // A thread that finds the pipe empty sleeps in read(2).
///         scope.spawn(move || NAMES.lock().push(name));
///     }
/// });
/// assert_eq!(NAMES.lock().len(), 2);
/// ```
#[derive(Debug)]
pub struct PipeToken {
    pipe: Lazy<Ends>,
}

impl PipeToken {
    /// Creates a free lock, whose pipe is made at the first use.
    ///
    /// ```
    /// use locktoll_locks::{Mutex, PipeToken};
    ///
    /// // Each lock that has been used has two descriptors, until it is dropped.
    /// let lock = Mutex::from_raw(PipeToken::new(), 0);
    /// *lock.lock() += 1;
    /// assert_eq!(lock.into_inner(), 1);
    /// ```
    pub const fn new() -> Self {
        Self { pipe: Lazy::new() }
    }

    /// Creates a free lock, and its pipe immediately.
    ///
    /// ```
    /// use locktoll_locks::{PipeToken, RawLock};
    ///
    /// match PipeToken::create() {
    ///     Ok(lock) => assert!(!lock.is_locked()),
    ///     Err(refused) => eprintln!("no pipe for a lock: {refused}"),
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of pipe(2): `EMFILE` or `ENFILE` if there are too many open files.
    pub fn create() -> Result<Self, Refused> {
        Lazy::create()
            .map(|pipe| Self { pipe })
            .map_err(Refused::by)
    }
}

#[derive(Debug)]
struct Ends {
    reader: RawFd,
    writer: RawFd,
}

impl Ends {
    #[inline]
    fn reader(&self) -> BorrowedFd<'_> {
        // SAFETY: open until the lock is dropped, and the lock is borrowed while this is in use.
        unsafe { BorrowedFd::borrow_raw(self.reader) }
    }

    #[inline]
    fn writer(&self) -> BorrowedFd<'_> {
        // SAFETY: as above.
        unsafe { BorrowedFd::borrow_raw(self.writer) }
    }

    #[inline]
    fn put_token(&self) -> Result<usize, Errno> {
        retry(|| write(self.writer(), &[1]))
    }
}

impl Handle for Ends {
    fn make() -> Result<Self, Errno> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
        let ends = Self {
            reader: reader.into_raw_fd(),
            writer: writer.into_raw_fd(),
        };
        match ends.put_token() {
            Ok(_) => Ok(ends),
            Err(errno) => {
                ends.destroy();
                Err(errno)
            }
        }
    }

    fn destroy(self) {
        // SAFETY: this lock's own, and not used after this.
        unsafe {
            rustix::io::close(self.reader);
            rustix::io::close(self.writer);
        }
    }

    fn pack(&self) -> u64 {
        u64::from(self.reader.cast_unsigned()) << 32 | u64::from(self.writer.cast_unsigned())
    }

    fn unpack(packed: u64) -> Self {
        Self {
            reader: ((packed >> 32) as u32).cast_signed(),
            writer: (packed as u32).cast_signed(),
        }
    }
}

// SAFETY: exclusion by I1 and I2.
unsafe impl RawLock for PipeToken {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        let ends = self.pipe.get();
        retry(|| read(ends.reader(), &mut [0]))
            .unwrap_or_else(|errno| panic!("the pipe is gone: {errno}"));
    }

    /// Needs a kernel whose pipes can be read without waiting (`RWF_NOWAIT`: Linux 6.5). Before that, every attempt fails.
    #[inline]
    fn try_lock(&self) -> bool {
        let ends = self.pipe.get();
        // An offset of -1 means the file's own offset, which a pipe does not have.
        let read = retry(|| {
            preadv2(
                ends.reader(),
                &mut [IoSliceMut::new(&mut [0])],
                u64::MAX,
                ReadWriteFlags::NOWAIT,
            )
        });
        read.is_ok()
    }

    #[inline]
    unsafe fn unlock(&self) {
        // This cannot block, as the pipe is empty. It fails only if somebody else has closed a descriptor, which the next
        // `lock` reports: a release must not panic.
        let _ = self.pipe.get().put_token();
    }

    fn is_locked(&self) -> bool {
        self.pipe.made().is_some_and(|ends| {
            let mut readers = [PollFd::from_borrowed_fd(ends.reader(), PollFlags::IN)];
            poll(
                &mut readers,
                Some(&rustix::event::Timespec {
                    tv_sec: 0,
                    tv_nsec: 0,
                }),
            ) == Ok(0)
        })
    }
}

impl_raw_mutex!(PipeToken);
