//! A holder's priority is raised while it holds, and only then; `--background` makes a background process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Good, cell};
use crate::cell::{Cell, Length, Part, Slice};
use crate::harness::run::on;
use crate::harness::{Contender, CreateError, LockOptions};
use crate::platform::{Raised, own_priority};
use crate::processors;
use crate::workload::{Aim, Kind, Workload};

const THREADS: u32 = 3;
const EACH: u64 = 200;

/// Priorities of a thread, one for each operation.
#[derive(Default)]
struct Seen {
    before: Vec<i32>,
    inside: Vec<i32>,
}

/// Reads its thread's priority before each acquisition and inside.
struct Looking;

/// The priorities that [`Looking`] saw, for all threads of a slice together.
static SEEN: Mutex<Vec<Seen>> = Mutex::new(Vec::new());

impl Workload for Looking {
    type Local = Seen;

    fn new(_: &Cell) -> Self {
        Self
    }

    fn local(&self, _thread: u32) -> Seen {
        Seen::default()
    }

    fn aim(&self, local: &mut Seen) -> Aim {
        local.before.push(own_priority().unwrap());
        Aim {
            stripe: 0,
            read_only: false,
        }
    }

    fn enter(&self, local: &mut Seen) -> bool {
        local.inside.push(own_priority().unwrap());
        true
    }

    fn verify(&self, locals: Vec<Seen>, _operations: u64) -> Result<(), String> {
        *unpoisoned(&SEEN) = locals;
        Ok(())
    }
}

/// A lock that reads its holder's priority when it is released.
struct LookingAtRelease(Mutex<()>);

struct Held<'a>(#[expect(dead_code, reason = "held for its drop")] MutexGuard<'a, ()>);

static RELEASED: Mutex<Vec<i32>> = Mutex::new(Vec::new());

impl Drop for Held<'_> {
    fn drop(&mut self) {
        unpoisoned(&RELEASED).push(own_priority().unwrap());
    }
}

impl Contender for LookingAtRelease {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(Mutex::new(())))
    }

    fn acquire(&self) -> Held<'_> {
        Held(unpoisoned(&self.0))
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Slices share the recorded priorities.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn slice<L: Contender>(cell: &Cell) -> Result<Slice, CreateError> {
    let _turn = processors::alone();
    on::<L, Looking>(cell)
}

fn rounds(part: Part) -> Cell {
    Cell {
        part,
        ..cell(Kind::Pair, THREADS).with(|knobs| {
            knobs.length = Length::Rounds { each: EACH };
        })
    }
}

/// Returns every operation's priorities, before and inside; each thread recorded one pair for each operation.
fn seen() -> (Vec<i32>, Vec<i32>) {
    let seen = std::mem::take(&mut *unpoisoned(&SEEN));
    assert_eq!(seen.len(), THREADS as usize);
    let all = |of: fn(&Seen) -> &Vec<i32>| seen.iter().flat_map(of).copied().collect::<Vec<_>>();
    let (before, inside) = (all(|seen| &seen.before), all(|seen| &seen.inside));
    assert_eq!(inside.len() as u64, u64::from(THREADS) * EACH);
    assert_eq!(before.len(), inside.len());
    (before, inside)
}

#[test]
fn a_holder_is_raised_after_each_acquisition_and_put_back_before_each_release() {
    let _alone = unpoisoned(&ONE_AT_A_TIME);
    let usual = own_priority().unwrap();
    for (part, background, depth, nested) in [
        (Part::Throughput, false, 1, false),
        (Part::Waiting, false, 1, false),
        (Part::Throughput, true, 1, false),
        (Part::Throughput, false, 3, true),
    ] {
        let cell = rounds(part).with(|knobs| {
            knobs.raise_while_holding = true;
            knobs.background = background;
            knobs.depth = depth;
            knobs.nested = nested;
        });
        unpoisoned(&RELEASED).clear();
        let slice = slice::<LookingAtRelease>(&cell);
        if Raised::over(cell.nice, background).refused().is_some() {
            let refused = slice.expect_err("what is not permitted is not measured");
            assert!(
                refused.to_string().starts_with("raise a thread's priority"),
                "{refused}"
            );
            continue;
        }
        assert_eq!(slice.unwrap().total(), u64::from(THREADS) * EACH);
        let (before, inside) = seen();
        let (outside, raised) = (before[0], inside[0]);
        assert_ne!(outside, raised);
        assert!(
            before.iter().all(|priority| *priority == outside),
            "{before:?}"
        );
        assert!(
            inside.iter().all(|priority| *priority == raised),
            "{inside:?}"
        );
        let released = unpoisoned(&RELEASED);
        let locks = if nested { 2 } else { 1 } * depth as usize;
        assert_eq!(released.len(), inside.len() * locks);
        assert!(
            released.iter().all(|priority| *priority == outside),
            "{released:?}"
        );
    }
    assert_eq!(own_priority().unwrap(), usual);
}

#[test]
fn nobody_is_raised_unasked() {
    let _alone = unpoisoned(&ONE_AT_A_TIME);
    let usual = own_priority().unwrap();
    for part in [Part::Throughput, Part::Waiting] {
        slice::<Good>(&rounds(part)).unwrap();
        let (before, inside) = seen();
        assert!(
            before
                .iter()
                .chain(&inside)
                .all(|priority| *priority == usual)
        );
    }
}

#[test]
fn a_background_leaves_the_starter_as_it_was() {
    let _alone = unpoisoned(&ONE_AT_A_TIME);
    let usual = own_priority().unwrap();
    let cell = rounds(Part::Throughput).with(|knobs| {
        knobs.background = true;
        knobs.hogs = 1;
    });
    slice::<Good>(&cell).unwrap();
    let (before, inside) = seen();
    assert!(
        before
            .iter()
            .chain(&inside)
            .all(|priority| *priority == before[0])
    );
    assert_eq!(own_priority().unwrap(), usual);
}
