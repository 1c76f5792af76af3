//! A lock made of one System V semaphore.
//!
//! | semaphore | meaning |
//! |---|---|
//! | 1 | free |
//! | 0 | held |
//!
//! # Invariants
//!
//! - **I1** The semaphore is 1 before its identifier is published, and only a holder adds to it.
//! - **I2** `semop` takes 1 off a positive value, or sleeps, in one step: the thread that it
//!   returns to holds the lock.
//!
//! A System V semaphore outlives the process that made it, and there are only a few (32,000 by default, see
//! `/proc/sys/kernel/sem`). It is removed when the lock is dropped. A harness that may be killed can use [`SysvSemaphore::id`]
//! to remove the semaphores that it left. There is no undo on exit (`SEM_UNDO`): a lock held by a dead thread stays held, as
//! with all locks here.
//!
//! Source: semget(2), semop(2); the kernel orders everything before a `semop` that adds before everything after the one that
//! takes.

use core::ffi::c_int;

use rustix::io::Errno;

use super::Refused;
use super::lazy::{Handle, Lazy, retry};
use crate::RawLock;
use crate::raw::impl_raw_mutex;

/// A kernel lock: System V semaphore, `semop`.
///
/// ```
/// use locktoll_locks::{Mutex, Refused, SysvSemaphore};
///
/// # fn main() -> Result<(), Refused> {
/// let count = Mutex::from_raw(SysvSemaphore::create()?, 0);
/// *count.lock() += 1;
/// assert_eq!(count.into_inner(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SysvSemaphore {
    semaphore: Lazy<Id>,
}

impl SysvSemaphore {
    /// Creates a free lock, whose semaphore is made at the first use.
    ///
    /// ```
    /// use locktoll_locks::SysvSemaphore;
    ///
    /// static LOCK: SysvSemaphore = SysvSemaphore::new();
    /// // A lock that is never used takes no semaphore of the system.
    /// assert_eq!(LOCK.id(), None);
    /// ```
    pub const fn new() -> Self {
        Self {
            semaphore: Lazy::new(),
        }
    }

    /// Creates a free lock, and its semaphore immediately.
    ///
    /// ```
    /// use locktoll_locks::{Refused, SysvSemaphore};
    ///
    /// // All semaphores of a table, or the reason why the system does not have enough.
    /// let locks: Result<Vec<SysvSemaphore>, Refused> = (0..4).map(|_| SysvSemaphore::create()).collect();
    /// assert!(locks?.iter().all(|lock| lock.id().is_some()));
    /// # Ok::<(), Refused>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The error of semget(2): `ENOSPC` if the system has no semaphore left, `ENOSYS` without System V IPC.
    pub fn create() -> Result<Self, Refused> {
        Lazy::create()
            .map(|semaphore| Self { semaphore })
            .map_err(Refused::by)
    }

    /// Returns the semaphore's identifier (as passed to `ipcrm -s`), if it has been made.
    ///
    /// ```
    /// use locktoll_locks::{Refused, SysvSemaphore};
    ///
    /// let lock = SysvSemaphore::create()?;
    /// if let Some(id) = lock.id() {
    ///     println!("if this process is killed: ipcrm -s {id}");
    /// }
    /// # assert!(lock.id().is_some());
    /// # Ok::<(), Refused>(())
    /// ```
    pub fn id(&self) -> Option<i32> {
        self.semaphore.made().map(|id| id.0)
    }
}

/// The identifier of a set of one semaphore.
#[derive(Debug)]
struct Id(c_int);

impl Id {
    /// Adds `change` to the semaphore, waiting until that is possible.
    #[inline]
    fn change(&self, change: i16, flags: i16) -> Result<(), Errno> {
        let mut operation = libc::sembuf {
            sem_num: 0,
            sem_op: change,
            sem_flg: flags,
        };
        // SAFETY: one operation, alive during the call.
        retry(|| check(unsafe { libc::semop(self.0, &mut operation, 1) }).map(drop))
    }
}

impl Handle for Id {
    fn make() -> Result<Self, Errno> {
        // SAFETY: no pointers.
        let id = check(unsafe { libc::semget(libc::IPC_PRIVATE, 1, libc::IPC_CREAT | 0o600) })?;
        // I1. SAFETY: SETVAL takes an integer as its fourth argument.
        if let Err(errno) = check(unsafe { libc::semctl(id, 0, libc::SETVAL, 1 as c_int) }) {
            Self(id).destroy();
            return Err(errno);
        }
        Ok(Self(id))
    }

    fn destroy(self) {
        // Fails only if somebody else has removed it, which is equally good.
        // SAFETY: no pointers.
        unsafe { libc::semctl(self.0, 0, libc::IPC_RMID) };
    }

    fn pack(&self) -> u64 {
        u64::from(self.0.cast_unsigned())
    }

    fn unpack(packed: u64) -> Self {
        Self((packed as u32).cast_signed())
    }
}

fn check(result: c_int) -> Result<c_int, Errno> {
    if result >= 0 {
        Ok(result)
    } else {
        // SAFETY: always valid on Linux.
        Err(Errno::from_raw_os_error(unsafe {
            *libc::__errno_location()
        }))
    }
}

// SAFETY: exclusion by I1 and I2.
unsafe impl RawLock for SysvSemaphore {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        let taken = self.semaphore.get().change(-1, 0);
        taken.unwrap_or_else(|errno| panic!("the semaphore is gone: {errno}"));
    }

    #[inline]
    fn try_lock(&self) -> bool {
        match self.semaphore.get().change(-1, libc::IPC_NOWAIT as i16) {
            Ok(()) => true,
            Err(Errno::AGAIN) => false,
            Err(errno) => panic!("the semaphore is gone: {errno}"),
        }
    }

    #[inline]
    unsafe fn unlock(&self) {
        // An error means that the semaphore was removed from outside. Then nobody can wait on it, and the next `lock` reports
        // it; a release must not panic.
        let _ = self.semaphore.get().change(1, 0);
    }

    fn is_locked(&self) -> bool {
        // SAFETY: GETVAL takes no fourth argument.
        self.semaphore
            .made()
            .is_some_and(|id| unsafe { libc::semctl(id.0, 0, libc::GETVAL) } == 0)
    }
}

impl_raw_mutex!(SysvSemaphore);
