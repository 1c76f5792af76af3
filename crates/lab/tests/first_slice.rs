//! The first slice of a process, which is all that most processes run. Alone in its file, so that
//! nothing else has calibrated the clock before.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use locktoll_lab::cell::{Calibration, Cell, Length, Part};
use locktoll_lab::clock::Clock;
use locktoll_lab::contender::{Contender, CreateError, LockOptions};
use locktoll_lab::harness;

/// Looks, when it is made, whether the clock has been calibrated already.
struct Witness(Mutex<()>);

impl Contender for Witness {
    type Held<'a> = MutexGuard<'a, ()>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        let before = Instant::now();
        Clock::get();
        // To calibrate is to sleep for 16 ms; to look up takes some nanoseconds.
        assert!(before.elapsed() < Duration::from_millis(16));
        Ok(Self(Mutex::new(())))
    }

    fn acquire(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[test]
fn the_clock_is_calibrated_before_the_slice_and_not_in_it() {
    let calibration = Calibration { loops_per_ns: 1.0 };
    let cell = Cell {
        part: Part::Waiting,
        ..Cell::at_rest("witness", Length::Rounds { each: 10 }, calibration)
    };
    let slice = harness::run::<Witness>(&cell).expect("nothing is refused here");
    assert_eq!(slice.operations, [10]);
    assert_eq!(slice.acquire.expect("a waiting slice").count(), 10);
}
