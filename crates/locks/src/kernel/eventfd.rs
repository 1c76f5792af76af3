//! A lock made of an eventfd in semaphore mode.
//!
//! | counter | meaning |
//! |---|---|
//! | 1 | free |
//! | 0 | held |
//!
//! # Invariants
//!
//! - **I1** The counter is 1 before the descriptor is published, and only a holder adds to it.
//! - **I2** A read takes 1 off a positive counter, or sleeps, in one step: the thread that it
//!   returns to holds the lock.
//!
//! Source: eventfd(2), `EFD_SEMAPHORE`.

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::fd::{BorrowedFd, IntoRawFd, RawFd};
use rustix::io::{Errno, IoSliceMut, ReadWriteFlags, preadv2, read, write};

use super::Refused;
use super::lazy::{Handle, Lazy, retry};
use crate::RawLock;
use crate::raw::impl_raw_mutex;

/// A kernel lock: eventfd, `read` and `write`.
///
/// ```
/// use locktoll_locks::{Eventfd, Mutex};
///
/// static COUNT: Mutex<Eventfd, u32> = Mutex::new(0);
/// // No thread waits, but each acquisition is a read(2), and each release is a write(2).
/// *COUNT.lock() += 1;
/// assert_eq!(*COUNT.lock(), 1);
/// ```
#[derive(Debug)]
pub struct Eventfd {
    counter: Lazy<Counter>,
}

impl Eventfd {
    /// Creates a free lock, whose descriptor is made at the first use.
    ///
    /// ```
    /// use locktoll_locks::{Eventfd, RawLock};
    ///
    /// static LOCK: Eventfd = Eventfd::new();
    /// assert!(!LOCK.is_locked());
    /// // The descriptor is made here. A refusal by the kernel would be a panic.
    /// LOCK.lock();
    /// assert!(LOCK.is_locked());
    /// ```
    pub const fn new() -> Self {
        Self {
            counter: Lazy::new(),
        }
    }

    /// Creates a free lock, and its descriptor immediately.
    ///
    /// ```
    /// use locktoll_locks::{Eventfd, Mutex, Refused};
    ///
    /// fn counter() -> Result<Mutex<Eventfd, u32>, Refused> {
    ///     // A refusal is reported here, and not at the first use.
    ///     Ok(Mutex::from_raw(Eventfd::create()?, 0))
    /// }
    /// assert_eq!(*counter()?.lock(), 0);
    /// # Ok::<(), Refused>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The error of eventfd(2): `EMFILE` or `ENFILE` if there are too many open files.
    pub fn create() -> Result<Self, Refused> {
        Lazy::create()
            .map(|counter| Self { counter })
            .map_err(Refused::by)
    }
}

#[derive(Debug)]
struct Counter(RawFd);

impl Counter {
    #[inline]
    fn fd(&self) -> BorrowedFd<'_> {
        // SAFETY: open until the lock is dropped, and the lock is borrowed while this is in use.
        unsafe { BorrowedFd::borrow_raw(self.0) }
    }
}

impl Handle for Counter {
    fn make() -> Result<Self, Errno> {
        let fd = eventfd(1, EventfdFlags::SEMAPHORE | EventfdFlags::CLOEXEC)?;
        Ok(Self(fd.into_raw_fd()))
    }

    fn destroy(self) {
        // SAFETY: this lock's own, and not used after this.
        unsafe { rustix::io::close(self.0) };
    }

    fn pack(&self) -> u64 {
        u64::from(self.0.cast_unsigned())
    }

    fn unpack(packed: u64) -> Self {
        Self((packed as u32).cast_signed())
    }
}

// SAFETY: exclusion by I1 and I2.
unsafe impl RawLock for Eventfd {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        let counter = self.counter.get();
        let mut taken = [0; 8];
        retry(|| read(counter.fd(), &mut taken))
            .unwrap_or_else(|errno| panic!("the eventfd is gone: {errno}"));
    }

    /// Needs Linux 5.8: before that, a blocking descriptor cannot be read without the risk of blocking, so every attempt
    /// fails.
    #[inline]
    fn try_lock(&self) -> bool {
        let counter = self.counter.get();
        let mut taken = [0; 8];
        // An offset of -1 means the file's own offset, which an eventfd does not have.
        let read = retry(|| {
            preadv2(
                counter.fd(),
                &mut [IoSliceMut::new(&mut taken)],
                u64::MAX,
                ReadWriteFlags::NOWAIT,
            )
        });
        read.is_ok()
    }

    #[inline]
    unsafe fn unlock(&self) {
        let counter = self.counter.get();
        // This cannot block, as the counter is 0. It fails only if somebody else has closed the descriptor, which the next
        // `lock` reports: a release must not panic.
        let _ = retry(|| write(counter.fd(), &1u64.to_ne_bytes()));
    }

    fn is_locked(&self) -> bool {
        self.counter.made().is_some_and(|counter| {
            let mut counters = [PollFd::from_borrowed_fd(counter.fd(), PollFlags::IN)];
            poll(
                &mut counters,
                Some(&rustix::event::Timespec {
                    tv_sec: 0,
                    tv_nsec: 0,
                }),
            ) == Ok(0)
        })
    }
}

impl_raw_mutex!(Eventfd);
