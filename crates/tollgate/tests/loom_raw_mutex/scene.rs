//! A lock, the data that it protects, and the threads that want it.

use locktoll_waiting::sync::Mutation;
use locktoll_waiting::{Deadline, TimedLock};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread::{self, JoinHandle};
use tollgate::RawMutex;
use tollgate::raw_mutex::Place;

use crate::checker::{Models, Outcome, REFUSED, WRONG_DATA};

pub struct Scene {
    pub lock: RawMutex,
    /// How often it has been acquired.
    count: UnsafeCell<u32>,
}

// SAFETY: the count is touched under the lock; that this excludes is what loom checks.
unsafe impl Sync for Scene {}
// SAFETY: as above.
unsafe impl Send for Scene {}

pub trait Preempted {
    /// Explores the models that follow with so many preemptions.
    fn preempted(self, times: usize) -> Self;
}

impl Preempted for Models {
    fn preempted(mut self, times: usize) -> Self {
        self.preemptions = times;
        self
    }
}

/// Heirs wait for as long as it takes, and releases are exchanges.
pub fn patient() -> RawMutex {
    RawMutex::new()
}

pub fn by_stores() -> RawMutex {
    RawMutex::new().releasing_by_stores()
}

/// Every second release that would be a store is interrupted, and is an exchange.
pub fn by_either() -> RawMutex {
    RawMutex::new().releasing_by_either()
}

pub fn impatient() -> RawMutex {
    RawMutex::impatient()
}

pub fn impatient_by_stores() -> RawMutex {
    RawMutex::impatient().releasing_by_stores()
}

pub fn impatient_by_either() -> RawMutex {
    RawMutex::impatient().releasing_by_either()
}

/// Nobody waits for an heir to which the lock has been handed over.
pub fn revoking() -> RawMutex {
    impatient().revoking()
}

pub fn revoking_by_stores() -> RawMutex {
    impatient_by_stores().revoking()
}

/// Faults by their names in the source.
pub fn faults(outcome: Outcome, names: &[&str]) -> Vec<(Mutation, Outcome)> {
    names
        .iter()
        .map(|name| (Mutation::Fault((*name).into()), outcome))
        .collect()
}

impl Scene {
    pub fn new(lock: RawMutex) -> Arc<Self> {
        Arc::new(Self {
            lock,
            count: UnsafeCell::new(0),
        })
    }

    /// The lock is held by the model's own thread.
    pub fn held(lock: RawMutex) -> Arc<Self> {
        lock.lock();
        Self::new(lock)
    }

    /// The same, and so many places in the queue are taken; there is no heir.
    pub fn with_places<const N: usize>(lock: RawMutex) -> (Arc<Self>, [Place; N]) {
        lock.lock();
        let places = core::array::from_fn(|_| lock.take_place());
        (Self::new(lock), places)
    }

    /// For the holder: how many acquisitions that makes.
    pub fn count_up(&self) -> u32 {
        // SAFETY: loom checks that no other access overlaps.
        self.count.with_mut(|count| unsafe {
            *count += 1;
            *count
        })
    }

    pub fn unlock(&self) {
        // SAFETY: the callers have acquired the lock.
        unsafe { self.lock.unlock() };
    }

    pub fn count_up_and_unlock_fairly(&self) {
        self.count_up();
        // SAFETY: the callers have acquired the lock.
        unsafe { self.lock.unlock_fair() };
    }

    pub fn count_up_and_unlock(&self) {
        self.count_up();
        self.unlock();
    }

    pub fn locked(&self) -> u32 {
        self.lock.lock();
        self.count_up_and_unlock();
        1
    }

    pub fn locked_from(&self, place: Place) -> u32 {
        assert!(self.lock.wait_in(place, None), "it gave up too early");
        self.count_up_and_unlock();
        1
    }

    /// For a thread whose time is up when it falls asleep.
    pub fn locked_in_no_time_from(&self, place: Place) -> u32 {
        let acquired = self.lock.wait_in(place, Some(&Deadline::new()));
        if acquired {
            self.count_up_and_unlock();
        }
        u32::from(acquired)
    }

    pub fn locked_until(&self, deadline: &Deadline) -> u32 {
        let acquired = self.lock.try_lock_until(deadline);
        if acquired {
            self.count_up_and_unlock();
        } else {
            assert!(deadline.has_passed(), "it gave up too early");
        }
        u32::from(acquired)
    }

    /// Ends the model: its own thread has acquired the lock `own` times.
    pub fn close(&self, own: u32, others: impl IntoIterator<Item = JoinHandle<u32>>) {
        let mut acquired = own;
        for other in others {
            acquired += other.join().unwrap();
        }
        // Acquired once more, so that the last release is seen too.
        acquired += self.locked();
        self.count.with(|count| {
            // SAFETY: all contenders have ended.
            assert_eq!(unsafe { *count }, acquired, "{WRONG_DATA}");
        });
        assert!(self.lock.try_lock(), "{REFUSED}");
    }
}

/// Another thread of the scene, which says how often it has acquired the lock.
pub fn spawn(scene: &Arc<Scene>, contend: impl FnOnce(&Scene) -> u32 + 'static) -> JoinHandle<u32> {
    let scene = Arc::clone(scene);
    thread::spawn(move || contend(&scene))
}
