//! Models of timed waits: a waiter's time ends at any point that loom explores.
#![cfg(locktoll_loom)]

use locktoll_lock_checks::models as checker;
mod modelled;

use checker::{Models, ORDERINGS, Outcome, REFUSED, WRONG_DATA};
use locktoll_locks::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use modelled::{for_each_parking_lock, for_each_spin_lock};

struct Protected<R> {
    lock: R,
    count: UnsafeCell<u32>,
    deadline: Deadline,
}

// SAFETY: the count is touched under the lock; that this excludes is what loom checks.
unsafe impl<R: RawLock> Sync for Protected<R> {}
// SAFETY: as above.
unsafe impl<R: RawLock> Send for Protected<R> {}

impl<R: TimedLock> Protected<R> {
    fn count_up_and_unlock(&self) {
        // SAFETY: loom checks that no other access overlaps.
        self.count.with_mut(|count| unsafe { *count += 1 });
        // SAFETY: the callers have acquired the lock.
        unsafe { self.lock.unlock() };
    }

    fn locked(&self) -> u32 {
        self.lock.lock();
        self.count_up_and_unlock();
        1
    }

    fn locked_in_time(&self) -> u32 {
        let acquired = self.lock.try_lock_until(&self.deadline);
        if acquired {
            self.count_up_and_unlock();
        } else {
            assert!(self.deadline.has_passed(), "it gave up too early");
        }
        u32::from(acquired)
    }
}

/// When the time is up, as the thread that holds the lock at first has it.
#[derive(Clone, Copy)]
enum TimeIsUp {
    BeforeRelease,
    AfterRelease,
}

/// One thread holds the lock while another waits until a deadline and, with `patient`, a third without one. Then it lets the
/// time be up and releases the lock; or it releases the lock, lets the time be up, and comes once more.
fn model<R: TimedLock + 'static>(
    make: fn() -> R,
    patient: bool,
    time: TimeIsUp,
) -> impl Fn() + Send + Sync + 'static {
    move || {
        let shared = Arc::new(Protected {
            lock: make(),
            count: UnsafeCell::new(0),
            deadline: Deadline::when_told(),
        });
        shared.lock.lock();
        let spawn = |contend: fn(&Protected<R>) -> u32| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || contend(&shared))
        };
        let timed = spawn(Protected::locked_in_time);
        let patient = patient.then(|| spawn(Protected::locked));
        if matches!(time, TimeIsUp::BeforeRelease) {
            shared.deadline.pass();
        }
        shared.count_up_and_unlock();
        if matches!(time, TimeIsUp::AfterRelease) {
            shared.deadline.pass();
        }
        let mut acquired = 1;
        if matches!(time, TimeIsUp::AfterRelease) {
            acquired += shared.locked();
        }
        acquired += timed.join().unwrap();
        if let Some(patient) = patient {
            acquired += patient.join().unwrap();
        }
        // Acquired once more, so that the last release is seen too.
        acquired += shared.locked();
        shared.count.with(|count| {
            // SAFETY: all contenders have ended.
            assert_eq!(unsafe { *count }, acquired, "{WRONG_DATA}");
        });
        assert!(shared.lock.try_lock(), "{REFUSED}");
    }
}

/// One test: a timed waiter alone, and beside a patient one, whose wake-up must not be lost on it.
macro_rules! modelled {
    ($name:ident, $make:expr, $before:expr, $after:expr) => {
        #[test]
        fn $name() {
            Models::of(stringify!($name))
                .explore(
                    "alone",
                    ORDERINGS,
                    model($make, false, TimeIsUp::AfterRelease),
                )
                .explore(
                    "before",
                    &stuck_by($before),
                    model($make, true, TimeIsUp::BeforeRelease),
                )
                .explore(
                    "after",
                    &stuck_by($after),
                    model($make, true, TimeIsUp::AfterRelease),
                );
        }
    };
}

/// Faults by their names in the source, each of which leaves somebody waiting for ever.
fn stuck_by(faults: &[&str]) -> Vec<(Mutation, Outcome)> {
    faults
        .iter()
        .map(|name| (Mutation::Fault((*name).into()), Outcome::Stuck))
        .collect()
}

/// A wake-up that is lost on a sleeper whose time was up is missed by the patient one.
const LOST: &[&str] = &["wake-the-gone"];

/// The same for locks that give tokens, whose sleepers must look for one before they look at the clock.
///
/// A sleeper that stays on the count by mistake, or leaves its token, only leaves a token that the next one finds. That it
/// takes its token nevertheless keeps the lock's memory in use until the giver has written it. But a gate whose places are
/// miscounted stays closed to those that only try.
const COUNTED: &[&str] = &["wake-the-gone", "clock-first"];
const MISCOUNTED: &[&str] = &["skip-withdrawal", "leave-token"];

/// No fault is found by this model.
const NONE: &[&str] = &[];

macro_rules! parking {
    ($($name:ident: $make:expr, $threads:expr; $timed:expr, $before:ident, $after:ident;)+) => {
        $(modelled!($name, $timed, $before, $after);)+
    };
}
for_each_parking_lock!(parking);

/// With one preemption less where a third thread waits. No wake-up can be lost on one that has gone: each sleeper has a word of its
/// own, or is the only heir.
fn modelled_tollgate(test: &'static str, make: fn() -> Tollgate) {
    let mut models = Models::of(test).explore(
        "alone",
        ORDERINGS,
        model(make, false, TimeIsUp::AfterRelease),
    );
    models.preemptions = 2;
    models
        .explore("before", &[], model(make, true, TimeIsUp::BeforeRelease))
        .explore("after", &[], model(make, true, TimeIsUp::AfterRelease));
}

#[test]
fn tollgate() {
    modelled_tollgate("tollgate", Tollgate::new);
}

#[test]
fn tollgate_by_stores() {
    modelled_tollgate("tollgate_by_stores", || {
        Tollgate::new().releasing_by_stores()
    });
}

/// Locks that only look at the clock, or only try: with one waiter, since loom lets two that spin hand the processor to each
/// other for ever.
macro_rules! modelled_alone {
    ($($name:ident: $make:expr;)+) => {
        $(
            #[test]
            fn $name() {
                Models::of(stringify!($name))
                    .explore("before", ORDERINGS, model($make, false, TimeIsUp::BeforeRelease))
                    .explore("after", ORDERINGS, model($make, false, TimeIsUp::AfterRelease));
            }
        )+
    };
}
for_each_spin_lock!(modelled_alone);

modelled_alone! {
    one_spinner_that_spins: || OneSpinner::with_spin(1);
    gate_of_two: || Gate::<Ttas>::with_active(2);
}
