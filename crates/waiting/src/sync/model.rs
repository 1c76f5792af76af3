//! The same names under loom, with orderings that a test can weaken.

mod futex;

use core::cell::RefCell;
use core::panic::Location;
use std::collections::BTreeSet;
use std::string::String;
use std::vec::Vec;

pub use futex::Deadline;
pub use futex::FutexQueue;
use loom::sync::atomic as checked;
pub use loom::sync::atomic::Ordering;

/// A fault planted in every atomic operation and futex call that follows on this thread.
///
/// The model checker runs all threads of a model on the thread that called it, so a test sets the
/// fault before it calls `loom::model::Builder::check`, and tests that run at the same time do not
/// disturb each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// The unchanged algorithm.
    None,
    /// All acquire parts are lost: `Acquire` becomes `Relaxed`, `AcqRel` becomes `Release`.
    DropAcquire,
    /// All release parts are lost: `Release` becomes `Relaxed`, `AcqRel` becomes `Acquire`.
    DropRelease,
    /// The acquire or release part of one operation in the source is lost.
    DropAt(Site),
    /// `FUTEX_WAKE` wakes nobody.
    DropWake,
    /// `FUTEX_WAIT` sleeps without comparing the word with the expected value.
    SkipFutexCompare,
    /// An algorithm makes the mistake that its source calls by this name.
    Fault(String),
}

/// One half of an ordering that an operation in the source asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Where the operation is written: file, line, column.
    pub place: (String, u32, u32),
    /// Its acquire part, or otherwise its release part.
    pub acquire: bool,
}

std::thread_local! {
    static MUTATION: RefCell<Mutation> = const { RefCell::new(Mutation::None) };
    static SITES: RefCell<BTreeSet<Site>> = const { RefCell::new(BTreeSet::new()) };
}

impl Mutation {
    /// Plants this fault for everything that follows on the calling thread, and forgets the sites seen so far.
    pub fn plant(self) {
        MUTATION.set(self);
        SITES.take();
    }

    /// Returns the acquire and release parts that operations on this thread have asked for since the last
    /// [`plant`](Self::plant).
    pub fn sites() -> Vec<Site> {
        SITES.with_borrow(|sites| sites.iter().cloned().collect())
    }

    fn is_planted(&self) -> bool {
        MUTATION.with_borrow(|planted| planted == self)
    }

    /// Whether the acquire (or release) part of the operation at `place` is to be lost.
    fn drops(&self, place: &Location<'_>, acquire: bool) -> bool {
        match self {
            Self::DropAcquire => acquire,
            Self::DropRelease => !acquire,
            Self::DropAt(site) => {
                let (file, line, column) = &site.place;
                (acquire, place.line(), place.column()) == (site.acquire, *line, *column)
                    && place.file() == file
            }
            Self::None | Self::DropWake | Self::SkipFutexCompare | Self::Fault(_) => false,
        }
    }
}

/// Whether the fault of this name has been planted.
pub fn planted(fault: &str) -> bool {
    MUTATION.with_borrow(|planted| matches!(planted, Mutation::Fault(name) if name == fault))
}

/// Represents the memory of an object that may be freed while other threads run.
#[derive(Debug)]
pub struct Lifetime(loom::cell::UnsafeCell<()>);

// SAFETY: it is empty; loom checks whether its ends and uses overlap.
unsafe impl Sync for Lifetime {}

impl Default for Lifetime {
    fn default() -> Self {
        Self::new()
    }
}

impl Lifetime {
    /// Begins the object.
    pub fn new() -> Self {
        Self(loom::cell::UnsafeCell::new(()))
    }

    /// The object is used here, which must happen before its end.
    #[track_caller]
    pub fn touch(&self) {
        self.0.with(|_| ());
    }

    /// The object is freed here.
    #[track_caller]
    pub fn end(&self) {
        self.0.with_mut(|_| ());
    }
}

/// Returns what the planted fault leaves of an ordering.
#[track_caller]
fn spoiled(order: Ordering) -> Ordering {
    let place = Location::caller();
    let keeps = |acquire| {
        SITES.with_borrow_mut(|sites| {
            sites.insert(Site {
                place: (place.file().into(), place.line(), place.column()),
                acquire,
            })
        });
        MUTATION.with_borrow(|planted| !planted.drops(place, acquire))
    };
    let (acquires, releases) = match order {
        Ordering::Relaxed => (false, false),
        Ordering::Acquire => (keeps(true), false),
        Ordering::Release => (false, keeps(false)),
        Ordering::AcqRel => (keeps(true), keeps(false)),
        order => unreachable!("no algorithm here asks for {order:?}"),
    };
    match (acquires, releases) {
        (false, false) => Ordering::Relaxed,
        (true, false) => Ordering::Acquire,
        (false, true) => Ordering::Release,
        (true, true) => Ordering::AcqRel,
    }
}

#[track_caller]
pub fn fence(order: Ordering) {
    match spoiled(order) {
        // A relaxed fence is not a fence.
        Ordering::Relaxed => {}
        order => checked::fence(order),
    }
}

/// Tells the model checker that this thread cannot continue until another one has run.
pub fn spin_loop() {
    loom::thread::yield_now();
}

/// Lets another thread run.
pub fn yield_now() {
    loom::thread::yield_now();
}

/// There is no time in a model, so this is another thread's turn.
pub fn nap(_length_ns: u64) {
    loom::thread::yield_now();
}

#[derive(Debug)]
pub struct AtomicU32(checked::AtomicU32);

impl AtomicU32 {
    #[track_caller]
    pub fn new(value: u32) -> Self {
        Self(checked::AtomicU32::new(value))
    }

    #[track_caller]
    pub fn load(&self, order: Ordering) -> u32 {
        self.0.load(spoiled(order))
    }

    /// Stores by an exchange, since loom orders the stores of one word only partly: it would let a plain store come before an
    /// exchange that it has seen run before it, and a waiter would then exchange stale values forever. The cost is that a
    /// relaxed store no longer ends a release sequence.
    #[track_caller]
    pub fn store(&self, value: u32, order: Ordering) {
        self.0.swap(value, spoiled(order));
    }

    #[track_caller]
    pub fn swap(&self, value: u32, order: Ordering) -> u32 {
        self.0.swap(value, spoiled(order))
    }

    #[track_caller]
    pub fn fetch_add(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_add(value, spoiled(order))
    }

    #[track_caller]
    pub fn fetch_sub(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_sub(value, spoiled(order))
    }

    #[track_caller]
    pub fn fetch_and(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_and(value, spoiled(order))
    }

    #[track_caller]
    pub fn fetch_xor(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_xor(value, spoiled(order))
    }

    #[track_caller]
    pub fn fetch_or(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_or(value, spoiled(order))
    }

    #[track_caller]
    pub fn compare_exchange(
        &self,
        current: u32,
        new: u32,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u32, u32> {
        self.0
            .compare_exchange(current, new, spoiled(success), spoiled(failure))
    }
}

/// A word of 64 bits, for states that are only ever exchanged.
#[derive(Debug)]
pub struct AtomicU64(checked::AtomicU64);

impl AtomicU64 {
    /// The kernel's read of the word, which no planted fault spoils.
    pub fn look(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    #[track_caller]
    pub fn new(value: u64) -> Self {
        Self(checked::AtomicU64::new(value))
    }

    #[track_caller]
    pub fn load(&self, order: Ordering) -> u64 {
        self.0.load(spoiled(order))
    }

    #[track_caller]
    pub fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_add(value, spoiled(order))
    }

    #[track_caller]
    pub fn fetch_and(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_and(value, spoiled(order))
    }

    /// Stores by an exchange, as in [`AtomicU32::store`].
    #[track_caller]
    pub fn store(&self, value: u64, order: Ordering) {
        self.0.swap(value, spoiled(order));
    }

    #[track_caller]
    pub fn compare_exchange(
        &self,
        current: u64,
        new: u64,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u64, u64> {
        self.0
            .compare_exchange(current, new, spoiled(success), spoiled(failure))
    }
}

#[derive(Debug)]
pub struct AtomicPtr<T>(checked::AtomicPtr<T>);

impl<T> AtomicPtr<T> {
    #[track_caller]
    pub fn new(value: *mut T) -> Self {
        Self(checked::AtomicPtr::new(value))
    }

    #[track_caller]
    pub fn load(&self, order: Ordering) -> *mut T {
        self.0.load(spoiled(order))
    }

    /// A plain store: no pointer here is both stored and exchanged (see [`AtomicU32::store`]).
    #[track_caller]
    pub fn store(&self, value: *mut T, order: Ordering) {
        self.0.store(value, spoiled(order));
    }

    #[track_caller]
    pub fn swap(&self, value: *mut T, order: Ordering) -> *mut T {
        self.0.swap(value, spoiled(order))
    }

    #[track_caller]
    pub fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        self.0
            .compare_exchange(current, new, spoiled(success), spoiled(failure))
    }
}
