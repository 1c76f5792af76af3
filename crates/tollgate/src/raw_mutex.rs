//! A blocking mutex for everyday use, with bounded waiting.
//!
//! A thread that finds the lock free takes it, however many threads wait (barging), for the sake of throughput. At most one of
//! the waiters spins, one is the *heir*, and all others sleep in a queue in the order of their arrival. The heir is the thread
//! that has waited longest. It sleeps too, but not indefinitely: when it has waited for
//! [`PATIENCE`](RawMutex::PATIENCE), the next release hands the lock over to it. So each waiter is passed over for a
//! bounded time for each thread before it in the queue. Beyond that, it waits only while holders hold the lock.
//!
//! An uncontended acquisition and release is one compare-and-exchange and one plain store; the waiters pay for the safety of
//! that store (`asymmetric.rs`). This holds for Linux on x86-64; elsewhere, the release is an exchange too.
//!
//! # The first word
//!
//! The lower half is 0 while the lock is free, otherwise the holder's mark, which names the processor it ran on. The upper
//! half:
//!
//! | bit | set by | cleared by | meaning |
//! |---|---|---|---|
//! | `SPINNER` | a waiter | the same | a waiter spins; a release need not wake a thread |
//! | `HEIR` | a waiter that finds neither heir nor queue; the thread that appoints the first of the queue: a release, an heir that gives up, a broadcast | the heir, when it acquires or gives up with an empty queue | there is an heir |
//! | `COMING` | the thread that wakes the heir, or appoints it | the heir, as soon as it runs | other waiters yield their processors to it |
//! | `QUEUED` | a waiter that enters the queue; a broadcast that moves waiters there | the thread that empties it | the queue is not empty |
//! | `ATTENTIVE` | the thread that sets `CALL` or `DUE` | a release that finds neither; the heir, before it naps | releases examine this word, and free the lock by an exchange |
//! | `CALL` | the heir, before it sleeps; an heir that acquires, if there is a queue | the release that does it; the heir | the next release wakes the heir, unless a thread spins, or else appoints the first of the queue |
//! | `DUE` | the heir, out of patience; a revocation | the release that does it | the next release hands the lock over |
//! | `GRANTED` | a release | the heir that takes it; a revocation | the lock is the heir's, which has not taken it yet |
//!
//! # A thread that waits
//!
//! | state | leaves it when | next state |
//! |---|---|---|
//! | arrives | it has yielded once, if the holder was last on its processor or a woken heir does not run | glances |
//! | glances | it finds the lock free, in the first half of a microsecond | holder |
//! | spins (one) | the lock is free | holder |
//! | | the lock has been handed over, and the heir may need this thread's processor | queue |
//! | | a wake-up's time has passed, and there is neither heir nor queue | heir |
//! | | the same, but there is one | queue |
//! | waits for a condition | released by a signal, or by a broadcast that finds the lock free | glances |
//! | | moved by a broadcast that finds the lock held | queue |
//! | | the same, as the first, and there is no heir | heir |
//! | queue | appointed | heir |
//! | | entered during a hand-over that is still pending after 1 ms | holder, by revocation |
//! | heir, sleeps until called | called by a release, and the lock is free | holder |
//! | | called, but another thread was faster: threads acquire the lock all the time | heir, naps |
//! | heir, naps (50, 100, 200 us) | the lock is free when it wakes | holder |
//! | heir | patience is over | heir, due |
//! | heir, due | the lock is handed over | holder |
//! | queue, heir | its own deadline passes | gives up; an heir appoints the next |
//!
//! # Invariants
//!
//! - **I1** A thread that exchanges a lower half of 0 for its mark is the holder, and so is the heir that clears `GRANTED`, or
//!   the thread that revokes. Otherwise only the holder changes the lower half, to 0 or to `HANDED_OVER`.
//! - **I2** `SPINNER` and `HEIR` each refer to at most one thread.
//! - **I3** If the queue is not empty, there is an heir, or `CALL` is set, and then the release appoints one before it frees the
//!   lock.
//! - **I4** A waiter falls asleep only if one step has shown that the lock is held and, for an heir that does not nap, that
//!   `ATTENTIVE` and `CALL` are set. Every release that begins afterwards examines the word. Every release that had begun has
//!   been made to examine it (A2), or has freed the lock, which the heir sees when it checks again after the barrier. If the
//!   kernel refuses barriers, the heir checks again after at most a millisecond (A4). A broadcast makes
//!   no request: the step in which it moves waiters either finds an heir or makes one, and the heir makes the request.
//! - **I5** `QUEUED` is set and cleared while the queue is being changed.
//! - **I6** While `GRANTED` is set, the lower half is not 0, and the heir is on its way. A revocation leaves `DUE` behind, so the
//!   very next release hands over again.
//! - **I7** After the exchange or the store that frees the lock or hands it over, a release no longer touches the lock, except
//!   that it wakes its address. It still touches the node that it has taken out before; the node exists until it has been
//!   notified. A broadcast does not touch the lock after the end of the queue change that moves its waiters: before that, none
//!   of them can be appointed, and a waiter needs the lock.
//!
//! `models/README.md` describes a Promela model of these invariants, which checks them in all states that a few threads can
//! reach.
//!
//! It follows that an heir waits for `PATIENCE`, then until the holder releases, then until it runs, and that a thread in
//! the queue waits until each thread before it has been heir. [`TURN`](RawMutex::TURN) is intended as the length of
//! one such turn if locks are held for a short time: if N threads want the lock, no thread waits for longer than N times that. It does not bound
//! the time for which the lock is held, or the time for which the scheduler keeps a woken thread from running. On Windows a
//! sleep ends with a tick of the system's timer ([`Deadline`]), and so may a turn: the heir's nap, its patience and a
//! revocation each take at least one tick.
//!
//! # Prior work
//!
//! A semaphore that lets one thread contend and keeps the others asleep (J. Hart, "Win32 System Programming", and earlier
//! gates); one designated waker (M. Burrows, nsync); hand-over after a bounded time (like the fairness of WebKit's
//! `WTF::Lock`, F. Pizlo 2016, but by the waiter's clock instead of the holder's); rseq(2) and membarrier(2) for the release.
//! It has no separate set of passive threads, no thread overtakes in the queue, and no order of arrival is reversed: generic
//! concurrency restriction, Malthusian locks and reciprocating locks are patented by others.

mod arrive;
mod asymmetric;
mod bound;
mod heir;
mod processors;
mod queue;
mod release;
mod requeue;
mod round_trip;
#[cfg(locktoll_loom)]
mod staged;
mod word;

use core::panic::{RefUnwindSafe, UnwindSafe};
use core::time::Duration;
#[cfg(all(feature = "std", not(locktoll_loom)))]
use std::time::Instant;

use crate::park::WideFutex;
use crate::sync::{Ordering, const_fn};
#[cfg(not(locktoll_loom))]
use crate::system::DeadlineClock;
use crate::{Deadline, ForkLock, RawLock, TimedLock, Waiter};

use queue::Queue;
use release::After;
#[cfg(locktoll_loom)]
pub use staged::Place;
use word::{GRANTED, HOLDER};

/// The lock without data: two words. [`Mutex`](crate::Mutex) is this lock with the data that it protects.
///
/// The module's page describes [the protocol](self).
///
/// ```
/// use tollgate::RawMutex;
///
/// static LOCK: RawMutex = RawMutex::new();
/// LOCK.lock();
/// // SAFETY: acquired in the line above.
/// unsafe { LOCK.unlock() };
/// ```
///
/// Any thread may release it on the holder's behalf, and the thread that releases it last may free its memory at once.
#[derive(Debug)]
#[repr(C)]
pub struct RawMutex {
    /// The holder and the state of the waiters; the heir sleeps on the upper half.
    word: WideFutex,
    /// All other waiters.
    queue: Queue,
    /// Either 0 or unlimited; the same for the lifetime of a hand-over.
    #[cfg(locktoll_loom)]
    patience_ns: u64,
    #[cfg(locktoll_loom)]
    revocation_ns: u64,
    /// Present if threads release by stores.
    #[cfg(locktoll_loom)]
    sequences: Option<asymmetric::Sequences>,
}

#[cfg(not(locktoll_loom))]
const _: () = assert!(size_of::<RawMutex>() <= 16);

impl RawMutex {
    /// How long the heir lets others overtake it; on Windows, until the next tick of the timer after that
    /// ([`Deadline`]).
    pub const PATIENCE: Duration = Duration::from_micros(400);
    /// How long a hand-over remains in force if the heir does not run: many times the length of a wake-up.
    pub const REVOCATION: Duration = Duration::from_millis(1);
    /// One turn in the queue: the heir's patience, and time for it to be woken.
    pub const TURN: Duration = Duration::from_micros(500);

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// static LOCK: tollgate::RawMutex = tollgate::RawMutex::new();
        /// ```
        pub fn new() -> Self {
            Self {
                word: WideFutex::new(0),
                queue: Queue::new(),
                #[cfg(locktoll_loom)]
                patience_ns: u64::MAX,
                #[cfg(locktoll_loom)]
                revocation_ns: u64::MAX,
                #[cfg(locktoll_loom)]
                sequences: None,
            }
        }
    }

    /// Does the same as [`tollgate::prepare`](crate::prepare).
    ///
    /// ```
    /// tollgate::RawMutex::prepare();
    /// ```
    pub fn prepare() {
        asymmetric::prepare();
        processors::are_many();
    }

    /// Waits until the lock is acquired.
    ///
    /// ```
    /// let lock = tollgate::RawMutex::new();
    /// lock.lock();
    /// assert!(lock.is_locked());
    /// ```
    #[inline]
    pub fn lock(&self) {
        if !asymmetric::try_acquire(&self.word) {
            self.wait(None);
        }
    }

    /// Acquires the lock if this needs no waiting. Returns whether it did.
    ///
    /// ```
    /// let lock = tollgate::RawMutex::new();
    /// assert!(lock.try_lock());
    /// assert!(!lock.try_lock());
    /// ```
    #[inline]
    #[must_use = "if it returns true, the lock must be released"]
    pub fn try_lock(&self) -> bool {
        asymmetric::try_acquire(&self.word)
    }

    /// Waits for the lock for at most `timeout`. Returns whether it was acquired.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let lock = tollgate::RawMutex::new();
    /// assert!(lock.try_lock_for(Duration::ZERO));
    /// assert!(!lock.try_lock_for(Duration::from_millis(1)));
    /// ```
    #[cfg(not(locktoll_loom))]
    #[must_use = "if it returns true, the lock must be released"]
    pub fn try_lock_for(&self, timeout: Duration) -> bool {
        self.try_lock() || self.wait(Some(&Deadline::after(DeadlineClock::Monotonic, timeout)))
    }

    /// Waits for the lock until `deadline` at most. Returns whether it was acquired. A free lock is acquired even after the deadline.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let lock = tollgate::RawMutex::new();
    /// lock.lock();
    /// assert!(!lock.try_lock_until(Instant::now() + Duration::from_millis(1)));
    /// ```
    #[cfg(all(feature = "std", not(locktoll_loom)))]
    #[must_use = "if it returns true, the lock must be released"]
    pub fn try_lock_until(&self, deadline: Instant) -> bool {
        self.try_lock_for(deadline.saturating_duration_since(Instant::now()))
    }

    /// Releases the lock.
    ///
    /// # Safety
    /// The lock is held, and the caller gives up the holder's rights by this call.
    ///
    /// ```
    /// let lock = tollgate::RawMutex::new();
    /// lock.lock();
    /// // SAFETY: acquired in the line above.
    /// unsafe { lock.unlock() };
    /// assert!(!lock.is_locked());
    /// ```
    #[inline]
    pub unsafe fn unlock(&self) {
        if !asymmetric::try_release(self) {
            self.release(After::Anybody);
        }
    }

    /// Releases the lock, and hands it over to the thread that has slept longest, if one sleeps: a thread that comes at this
    /// moment does not overtake it.
    ///
    /// # Safety
    /// As for [`unlock`](Self::unlock).
    ///
    /// ```
    /// let lock = tollgate::RawMutex::new();
    /// lock.lock();
    /// // SAFETY: acquired in the line above.
    /// unsafe { lock.unlock_fair() };
    /// ```
    pub unsafe fn unlock_fair(&self) {
        self.release(After::TheFirst);
    }

    /// Whether a thread held the lock a moment ago.
    ///
    /// ```
    /// assert!(!tollgate::RawMutex::new().is_locked());
    /// ```
    #[inline]
    pub fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) & HOLDER != 0
    }

    /// Whether a thread slept, waiting for the lock, a moment ago.
    #[cfg(not(locktoll_loom))]
    pub(crate) fn has_sleepers(&self) -> bool {
        // Relaxed: as in `is_locked`.
        word::has_any(self.word.load(Ordering::Relaxed), word::HEIR | word::QUEUED)
    }

    /// Forgets all waiters, which do not exist in the child of a fork(2). The lock stays free or held.
    ///
    /// A lock that another thread held at the fork stays held for ever, as POSIX specifies for a mutex. It may be called
    /// again.
    ///
    /// # Safety
    /// The caller is the only thread of the process.
    ///
    /// ```
    /// let lock = tollgate::RawMutex::new();
    /// // In the child of a fork:
    /// // SAFETY: it has one thread.
    /// unsafe { lock.after_fork_in_child() };
    /// ```
    pub unsafe fn after_fork_in_child(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.forget_waiters() };
    }

    #[cfg(not(locktoll_loom))]
    #[expect(clippy::unused_self, reason = "the model's differ")]
    const fn revocation_ns(&self) -> u64 {
        Self::REVOCATION.as_nanos() as u64
    }

    #[cfg(not(locktoll_loom))]
    #[expect(clippy::unused_self, reason = "the model's differ")]
    const fn patience_ns(&self) -> u64 {
        Self::PATIENCE.as_nanos() as u64
    }
}

#[doc(hidden)]
// SAFETY: exclusion by I1; the orderings there pass on what the holder wrote.
unsafe impl RawLock for RawMutex {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        Self::lock(self);
    }

    #[inline]
    fn try_lock(&self) -> bool {
        Self::try_lock(self)
    }

    #[inline]
    unsafe fn unlock(&self) {
        // SAFETY: the caller's promise.
        unsafe { Self::unlock(self) };
    }

    unsafe fn lock_after_wait(&self, waiter: &Waiter, wait: impl FnOnce() -> bool) -> bool {
        // SAFETY: the caller's promise.
        unsafe { requeue::lock_after_wait(self, waiter, wait) }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        Self::is_locked(self)
    }
}

#[doc(hidden)]
// SAFETY: I1.
unsafe impl TimedLock for RawMutex {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.try_lock() || self.wait(Some(deadline))
    }
}

#[doc(hidden)]
impl ForkLock for RawMutex {
    unsafe fn forget_waiters(&self) {
        // Relaxed throughout: nobody else uses the lock. A lock that was handed over to a thread that is not here is free.
        let state = self.word.load(Ordering::Relaxed);
        let held = if state & GRANTED == 0 {
            state & HOLDER
        } else {
            0
        };
        self.word.store(held, Ordering::Relaxed);
        self.queue.clear();
    }
}

// A panic cannot leave it half changed: no code of the program runs while its words are being changed.
impl UnwindSafe for RawMutex {}
impl RefUnwindSafe for RawMutex {}

impl Default for RawMutex {
    fn default() -> Self {
        Self::new()
    }
}
