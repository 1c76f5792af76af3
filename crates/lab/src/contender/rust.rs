//! Locks from the standard library, `parking_lot`, `usync` and `spin`, as a program would use them.
//!
//! Each is the crate's own type around `()`, and the guard is the crate's own guard.

use std::sync::PoisonError;

use super::visit::{Listing, Visitor};
use super::{Contender, CreateError, Family, LockOptions};

pub(super) fn visit(visitor: &mut impl Visitor) {
    let rust = |name, summary| Listing::new(name, Family::Rust, summary);
    visitor.lock::<Std>(rust(
        "std",
        "std::sync::Mutex: three-state futex, spins up to 100 looks, then parks; barging",
    ));
    visitor.lock::<StdRwLock>(
        rust(
            "std-rwlock",
            "std::sync::RwLock: futex, writers preferred; writes unless the workload reads",
        )
        .knobs(&["shared"]),
    );
    visitor.lock::<ParkingLot>(rust(
        "parking_lot",
        "parking_lot::Mutex: one byte, spins briefly, parks in a global table; hands off about every 0.5 ms",
    ));
    visitor.lock::<ParkingLotFair>(rust(
        "parking_lot-fair",
        "parking_lot::FairMutex: like parking_lot, but every contended release is a hand-off",
    ));
    visitor.lock::<ParkingLotRwLock>(
        rust(
            "parking_lot-rwlock",
            "parking_lot::RwLock: one word, parks in a global table",
        )
        .knobs(&["shared"]),
    );
    visitor.lock::<Usync>(rust(
        "usync",
        "usync::Mutex: one word, spins briefly, then queues nodes on the waiters' stacks and parks; barging",
    ));
    visitor.lock::<Spin>(rust(
        "spin",
        "spin::mutex::SpinMutex: test-and-test-and-set, never parks or yields",
    ));
    visitor.lock::<SpinTicket>(
        rust(
            "spin-ticket",
            "spin::mutex::TicketMutex: ticket lock, never parks or yields",
        )
        .fifo(),
    );
}

/// `std::sync::Mutex`. Poisoning is ignored: the workload's own check finds broken data.
struct Std(std::sync::Mutex<()>);

impl Contender for Std {
    type Held<'a> = std::sync::MutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(std::sync::Mutex::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `std::sync::RwLock`.
struct StdRwLock(std::sync::RwLock<()>);

impl Contender for StdRwLock {
    type Held<'a> = std::sync::RwLockWriteGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(std::sync::RwLock::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn read<R>(&self, mut body: impl FnMut() -> R) -> R {
        let _shared = self.0.read().unwrap_or_else(PoisonError::into_inner);
        body()
    }
}

/// `parking_lot::Mutex`.
struct ParkingLot(parking_lot::Mutex<()>);

impl Contender for ParkingLot {
    type Held<'a> = parking_lot::MutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(parking_lot::Mutex::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.lock()
    }
}

/// `parking_lot::FairMutex`.
struct ParkingLotFair(parking_lot::FairMutex<()>);

impl Contender for ParkingLotFair {
    type Held<'a> = parking_lot::FairMutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(parking_lot::FairMutex::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.lock()
    }
}

/// `parking_lot::RwLock`.
struct ParkingLotRwLock(parking_lot::RwLock<()>);

impl Contender for ParkingLotRwLock {
    type Held<'a> = parking_lot::RwLockWriteGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(parking_lot::RwLock::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.write()
    }

    #[inline]
    fn read<R>(&self, mut body: impl FnMut() -> R) -> R {
        let _shared = self.0.read();
        body()
    }
}

/// `usync::Mutex`.
struct Usync(usync::Mutex<()>);

impl Contender for Usync {
    type Held<'a> = usync::MutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(usync::Mutex::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.lock()
    }
}

/// `spin::mutex::SpinMutex`.
struct Spin(spin::mutex::SpinMutex<()>);

impl Contender for Spin {
    type Held<'a> = spin::mutex::SpinMutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(spin::mutex::SpinMutex::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.lock()
    }
}

/// `spin::mutex::TicketMutex`.
struct SpinTicket(spin::mutex::TicketMutex<()>);

impl Contender for SpinTicket {
    type Held<'a> = spin::mutex::TicketMutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(spin::mutex::TicketMutex::new(())))
    }

    #[inline]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.lock()
    }
}
