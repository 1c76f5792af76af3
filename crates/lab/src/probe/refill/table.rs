//! All points: sizes times kinds.

use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

use super::chain::{Cycle, Place};
use super::pages::{PageSize, Pages};
use super::rounds::{Effort, Meeting, Rounds, Witness, other, timed};
use super::sizes::{available, last_level, line_bytes, sizes};
use super::turns::end;
use crate::machine::Tree;
use crate::probe::child::{Child, SharedWords};
use crate::probe::scheduling::Rank;
use crate::probe::series::LEAST_ROUNDS;
use crate::probe::session::{Seat, Session};
use crate::probe::{Prices, Refill, RefillKind};
use crate::stats::{Estimate, estimate};

/// Time for all points together, from which each gets an equal share; what small working sets leave over is for building the
/// arrays, and for large ones, which must have their rounds.
const BUDGET: Duration = Duration::from_millis(4_500);
const QUICK_BUDGET: Duration = Duration::from_millis(700);
/// No point is begun after that.
const LATEST: Duration = Duration::from_millis(6_000);
const QUICK_LATEST: Duration = Duration::from_millis(1_200);
/// More rounds than that make no interval narrower that matters.
const MOST_ROUNDS: usize = 101;
/// A child ends when it is told to; after that time it is killed.
const CHILD_LIMIT: Duration = Duration::from_secs(3);

const KINDS: [RefillKind; 4] = [
    RefillKind::Shared,
    RefillKind::Own,
    RefillKind::OwnProcess,
    RefillKind::OwnHugePages,
];

/// What a pass through a working set costs more after a switch, for each size and kind.
///
/// A round: a pass; a timed pass; a hand-over to the other side, which makes a pass; a hand-over back; a timed pass. The
/// difference of the timed ones is the sample. Only rounds count in which the kernel saw one switch for each hand-over and none
/// elsewhere; a point is refused where those are not more than half.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    let caches = &session.machine().topology.caches;
    let sizes = sizes(caches, available(&Tree::system()), session.plan().quick);
    let points = (sizes.bytes.len() * KINDS.len()).max(1);
    let budget = session.budget(BUDGET, QUICK_BUDGET) / points as u32;
    let latest = session.budget(LATEST, QUICK_LATEST);
    let began = Instant::now();
    let seat = session.seat(session.home_cpu(), Rank::Measured);
    for bytes in &sizes.bytes {
        session.progress(&format!("refilling caches, {} KiB", bytes >> 10));
        let cycle = Cycle::draw(*bytes as usize, line_bytes(caches));
        let effort = Effort {
            time: budget,
            rounds: MOST_ROUNDS,
            steps: steps(&cycle, last_level(caches)),
        };
        for kind in KINDS {
            let value = if session.interrupted() {
                Err("stopped before its turn".into())
            } else if began.elapsed() > latest {
                Err(format!(
                    "no time left: smaller working sets took {latest:?}"
                ))
            } else {
                rounds_of(kind, &cycle, seat, effort, &mut ()).and_then(|rounds| added_ns(&rounds))
            };
            prices.refill.push(row(*bytes, kind, value));
        }
    }
    if let Some((bytes, reason)) = sizes.left_out {
        let rows = KINDS.map(|kind| row(bytes, kind, Err(reason.clone())));
        prices.refill.extend(rows);
    }
}

/// Lines in a pass: all of them as long as the working set can be in a cache at all. Beyond, every line comes from memory
/// whatever part of the way a pass is.
fn steps(cycle: &Cycle, last_level: u64) -> usize {
    let most = if cycle.bytes() as u64 > last_level {
        1 << 15
    } else {
        1 << 17
    };
    cycle.lines().min(most)
}

fn row(bytes: u64, kind: RefillKind, value: Result<Estimate, String>) -> Refill {
    Refill {
        bytes,
        kind,
        added_ns: value.as_ref().ok().copied(),
        refused: value.err(),
    }
}

fn added_ns(rounds: &Rounds) -> Result<Estimate, String> {
    let right = rounds.right.len();
    let samples: Vec<f64> = rounds.right.iter().map(|round| round.added_ns).collect();
    match estimate(&samples) {
        // As for every other probe: what had to be picked out of many is not the probe.
        Some(estimate) if 2 * right > rounds.made && right >= LEAST_ROUNDS => Ok(estimate),
        _ => Err(format!(
            "in {} of {} rounds the kernel counted more or fewer switches than the hand-overs are",
            rounds.made - right,
            rounds.made
        )),
    }
}

/// The rounds of one point, on a thread of its own.
pub(in crate::probe) fn rounds_of(
    kind: RefillKind,
    cycle: &Cycle,
    seat: Seat,
    effort: Effort,
    witness: &mut (impl Witness + Send),
) -> Result<Rounds, String> {
    std::thread::scope(|scope| {
        let timed = scope.spawn(|| {
            // The other side inherits it.
            seat.take()?;
            match kind {
                RefillKind::Shared => between_threads(cycle, PageSize::Small, 1, effort, witness),
                RefillKind::Own => between_threads(cycle, PageSize::Small, 2, effort, witness),
                RefillKind::OwnHugePages => {
                    between_threads(cycle, PageSize::Huge, 2, effort, witness)
                }
                RefillKind::OwnProcess => between_processes(cycle, effort, witness),
            }
        });
        timed
            .join()
            .map_err(|_| "the timed thread panicked".to_owned())?
    })
}

/// `arrays`: one that both read, or one for each.
fn between_threads(
    cycle: &Cycle,
    size: PageSize,
    arrays: usize,
    effort: Effort,
    witness: &mut impl Witness,
) -> Result<Rounds, String> {
    let bytes = cycle.bytes();
    let mut pages = (0..arrays)
        .map(|_| Pages::map(bytes, size))
        .collect::<Result<Vec<_>, _>>()?;
    let places: Vec<Place> = pages.iter_mut().map(|pages| cycle.write(pages)).collect();
    let (turn, switches) = (AtomicU32::new(0), AtomicU64::new(0));
    let meeting = Meeting {
        turn: &turn,
        switches: &switches,
    };
    std::thread::scope(|scope| {
        // SAFETY: the pages outlive this scope and hold whole cycles; nobody writes to them any more.
        scope.spawn(|| unsafe { other(meeting, places[arrays - 1], effort.steps) });
        // SAFETY: as above.
        let rounds = unsafe { timed(meeting, places[0], effort, witness) };
        // Also after an error, or the scope would wait for the other side's patience.
        end(&turn);
        rounds
    })
}

fn between_processes(
    cycle: &Cycle,
    effort: Effort,
    witness: &mut impl Witness,
) -> Result<Rounds, String> {
    let mut pages = Pages::map(cycle.bytes(), PageSize::Small)?;
    let place = cycle.write(&mut pages);
    let shared = SharedWords::new(2).map_err(|error| format!("no shared memory: {error}"))?;
    let [turn, switches] = shared.words() else {
        unreachable!("two words were asked for")
    };
    let meeting = Meeting {
        // SAFETY: the first half of a word that is used in no other way; aligned, shared, and zero to begin with.
        turn: unsafe { AtomicU32::from_ptr(turn.as_ptr().cast()) },
        switches,
    };
    let child = Child::fork(|| {
        pages.make_own();
        // SAFETY: the child's copy of the pages is as the parent's was, and nobody writes to it any more.
        unsafe { other(meeting, place, effort.steps) };
    })
    .map_err(|error| format!("no child process: {error}"))?;
    // SAFETY: the parent's pages are mapped until the end of this function, and nobody writes to them.
    let rounds = unsafe { timed(meeting, place, effort, witness) };
    end(meeting.turn);
    child.wait(CHILD_LIMIT);
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::probe::Plan;

    fn brief(cycle: &Cycle) -> Effort {
        Effort {
            time: Duration::from_millis(30),
            rounds: 15,
            steps: steps(cycle, 1 << 20),
        }
    }

    #[test]
    fn every_kind_makes_its_rounds() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let seat = session.seat(session.home_cpu(), Rank::Measured);
        let cycle = Cycle::draw(64 << 10, 64);
        for kind in KINDS {
            match rounds_of(kind, &cycle, seat, brief(&cycle), &mut ()) {
                Ok(rounds) => assert!(rounds.made >= LEAST_ROUNDS, "{kind:?}: {rounds:?}"),
                // A machine without huge pages; nothing else may be missing.
                Err(reason) => assert!(kind == RefillKind::OwnHugePages, "{kind:?}: {reason}"),
            }
        }
    }

    #[test]
    fn rounds_with_other_switches_are_told() {
        let right = super::super::rounds::Round::default();
        let rounds = |right_ones, made| Rounds {
            right: vec![right; right_ones],
            made,
        };
        assert_eq!(added_ns(&rounds(6, 10)).unwrap().n, 6);
        let reason = added_ns(&rounds(6, 12)).unwrap_err();
        assert!(reason.starts_with("in 6 of 12 rounds"), "{reason}");
        assert!(added_ns(&rounds(5, 5)).is_err());
        assert!(added_ns(&rounds(0, 0)).is_err());
    }

    #[test]
    fn what_fits_no_cache_is_walked_in_parts() {
        let cycle = Cycle::draw(4 << 20, 64);
        assert_eq!(steps(&cycle, 4 << 20), cycle.lines());
        assert_eq!(steps(&cycle, 1 << 20), 1 << 15);
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_a_reason() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let seat = session.seat(60_000, Rank::Measured);
        let cycle = Cycle::draw(4096, 64);
        let reason = rounds_of(RefillKind::Own, &cycle, seat, brief(&cycle), &mut ()).unwrap_err();
        assert!(reason.contains("60000"), "{reason}");
    }
}
