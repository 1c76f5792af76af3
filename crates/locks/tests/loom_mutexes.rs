//! Models of the locks that need no node. Each is explored as it is, and again with each planted fault that
//! concerns it, which the model must find.
#![cfg(locktoll_loom)]

use locktoll_lock_checks::models as checker;
mod modelled;

use checker::{Models, ORDERINGS, PARKING, WRONG_DATA};
use locktoll_locks::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use modelled::{for_each_parking_lock, for_each_spin_lock};

struct Protected<R> {
    lock: R,
    count: UnsafeCell<u32>,
}

// SAFETY: the count is touched under the lock; that this excludes is what loom checks.
unsafe impl<R: RawLock> Sync for Protected<R> {}
// SAFETY: as above.
unsafe impl<R: RawLock> Send for Protected<R> {}

impl<R: RawLock> Protected<R> {
    fn count_up(&self) {
        // SAFETY: loom checks that no other access overlaps.
        self.count.with_mut(|count| unsafe { *count += 1 });
        // SAFETY: the callers have acquired the lock.
        unsafe { self.lock.unlock() };
    }

    fn locked(&self, times: u32) -> u32 {
        for _ in 0..times {
            self.lock.lock();
            self.count_up();
        }
        times
    }

    fn tried(&self) -> u32 {
        // Makes loom explore first what happens when the other contender has come and gone.
        thread::yield_now();
        let acquired = self.lock.try_lock();
        if acquired {
            self.count_up();
        }
        u32::from(acquired)
    }
}

/// `threads` contenders, of which the model's own thread is one, acquire the lock `rounds` times
/// each. With `tries`, that one tries once instead.
fn model<R: RawLock + 'static>(
    make: fn() -> R,
    threads: usize,
    rounds: u32,
    tries: bool,
) -> impl Fn() + Send + Sync + 'static {
    move || {
        let shared = Arc::new(Protected {
            lock: make(),
            count: UnsafeCell::new(0),
        });
        let spawned: Vec<_> = (1..threads)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.locked(rounds))
            })
            .collect();
        let mut acquired = if tries {
            shared.tried()
        } else {
            shared.locked(rounds)
        };
        for contender in spawned {
            acquired += contender.join().unwrap();
        }
        // Acquired once more, so that the last release is seen too.
        acquired += shared.locked(1);
        shared.count.with(|count| {
            // SAFETY: all contenders have ended.
            assert_eq!(unsafe { *count }, acquired, "{WRONG_DATA}");
        });
        assert!(!shared.lock.is_locked());
    }
}

/// One test: contenders that lock, and contenders of which one tries.
macro_rules! modelled {
    ($name:ident, $make:expr, $threads:expr, $faults:expr) => {
        #[test]
        fn $name() {
            Models::of(stringify!($name))
                .explore("locks", $faults, model($make, $threads, 1, false))
                .explore("locks twice", &[], model($make, 2, 2, false))
                .explore("locks and a try", ORDERINGS, model($make, 2, 1, true))
                .need_every_ordering(&[]);
        }
    };
}

macro_rules! spinning {
    ($($name:ident: $make:expr;)+) => {
        $(modelled!($name, $make, 2, ORDERINGS);)+
    };
}
for_each_spin_lock!(spinning);

macro_rules! parking {
    ($($name:ident: $make:expr, $threads:expr; $timed:expr, $before:ident, $after:ident;)+) => {
        $(modelled!($name, $make, $threads, PARKING);)+
    };
}
for_each_parking_lock!(parking);

modelled!(futex2_spinning, || Futex2::with_spin(1), 2, PARKING);
modelled!(futex3_spinning, || Futex3::with_spin(1), 2, PARKING);
modelled!(
    designated_waker_spinning,
    || DesignatedWaker::with_spin(1),
    2,
    PARKING
);
modelled!(
    one_spinner_that_only_parks,
    || OneSpinner::with_spin(0),
    2,
    PARKING
);
modelled!(tollgate, Tollgate::new, 3, PARKING);
modelled!(tollgate_of_the_impatient, Tollgate::impatient, 2, PARKING);
modelled!(
    tollgate_by_stores,
    || Tollgate::new().releasing_by_stores(),
    2,
    PARKING
);
// A lock that parks, since for a few steps of a release two may contend for it beside its holder.
modelled!(gate_of_two, || Gate::<Futex3>::with_active(2), 3, PARKING);

/// The word, waiting in one way, behind the trait.
struct Word {
    lock: FutexWord,
    waiting: Waiting,
}

impl Word {
    fn waiting(spin: u32, yields: u16) -> Self {
        Self {
            lock: FutexWord::new(),
            waiting: Waiting { spin, yields },
        }
    }
}

// SAFETY: as `FutexWord`.
unsafe impl RawLock for Word {
    fn new() -> Self {
        Self::waiting(0, 0)
    }

    fn lock(&self) {
        self.lock.lock(self.waiting);
    }

    fn try_lock(&self) -> bool {
        self.lock.try_lock()
    }

    unsafe fn unlock(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.lock.unlock() }
    }

    fn is_locked(&self) -> bool {
        self.lock.is_locked()
    }
}

modelled!(futex_word, Word::new, 3, PARKING);
modelled!(futex_word_spinning, || Word::waiting(1, 0), 2, PARKING);
// To loom, a yield lets the other thread run until it is done: nobody parks after it.
modelled!(futex_word_yielding, || Word::waiting(0, 1), 2, ORDERINGS);
