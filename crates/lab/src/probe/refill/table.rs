//! All points: sizes times kinds.

use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;

use super::chain::{Cycle, Place};
use super::pages::{PageSize, Pages};
use super::rounds::{Effort, FEWEST_ROUNDS, Meeting, Rounds, Witness, other, timed};
use super::sizes::{available, line_bytes, sizes};
use super::turns::end;
use crate::machine::{Caches, Tree, pin_current_thread};
use crate::probe::child::{Child, SharedWords};
use crate::probe::{Refill, RefillKind};
use crate::stats::{Estimate, estimate};

/// Time for all points together, the building of the arrays apart.
const BUDGET: Duration = Duration::from_millis(4_500);
const QUICK_BUDGET: Duration = Duration::from_millis(700);
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

/// What a pass through a working set costs more after a switch, for each size and kind, on `cpu`.
///
/// A round: a pass; a timed pass; a hand-over to the other side, which makes a pass; a hand-over back; a timed pass. The
/// difference of the timed ones is the sample. Only rounds count in which the kernel saw one switch for each hand-over and none
/// elsewhere; a point is refused where those are fewer than half.
pub(in crate::probe) fn refill(cpu: usize, caches: &Caches, quick: bool) -> Vec<Refill> {
    let sizes = sizes(caches, available(&Tree::system()), quick);
    let budget = if quick { QUICK_BUDGET } else { BUDGET };
    let points = (sizes.bytes.len() * KINDS.len()).max(1);
    let effort = Effort {
        time: budget / points as u32,
        rounds: MOST_ROUNDS,
    };
    let mut rows = Vec::with_capacity(points);
    for bytes in &sizes.bytes {
        let cycle = Cycle::draw(*bytes as usize, line_bytes(caches));
        for kind in KINDS {
            let value =
                rounds_of(kind, &cycle, cpu, effort, &mut ()).and_then(|rounds| added_ns(&rounds));
            rows.push(row(*bytes, kind, value));
        }
    }
    if let Some((bytes, reason)) = sizes.left_out {
        rows.extend(KINDS.map(|kind| row(bytes, kind, Err(reason.clone()))));
    }
    rows
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
        Some(estimate) if 2 * right >= rounds.made && 2 * right >= FEWEST_ROUNDS => Ok(estimate),
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
    cpu: usize,
    effort: Effort,
    witness: &mut (impl Witness + Send),
) -> Result<Rounds, String> {
    std::thread::scope(|scope| {
        let timed = scope.spawn(|| {
            // The other side inherits it.
            pin_current_thread(cpu)
                .map_err(|error| format!("CPU {cpu} cannot be used: {error}"))?;
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
        scope.spawn(|| unsafe { other(meeting, places[arrays - 1], cycle.lines()) });
        // SAFETY: as above.
        let rounds = unsafe { timed(meeting, places[0], cycle.lines(), effort, witness) };
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
        unsafe { other(meeting, place, cycle.lines()) };
    })
    .map_err(|error| format!("no child process: {error}"))?;
    // SAFETY: the parent's pages are mapped until the end of this function, and nobody writes to them.
    let rounds = unsafe { timed(meeting, place, cycle.lines(), effort, witness) };
    end(meeting.turn);
    child.wait(CHILD_LIMIT);
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::usable_cpus;

    const BRIEF: Effort = Effort {
        time: Duration::from_millis(30),
        rounds: 15,
    };

    #[test]
    fn every_kind_makes_its_rounds() {
        let cpu = usable_cpus().unwrap()[0];
        let cycle = Cycle::draw(64 << 10, 64);
        for kind in KINDS {
            match rounds_of(kind, &cycle, cpu, BRIEF, &mut ()) {
                Ok(rounds) => assert!(rounds.made >= FEWEST_ROUNDS, "{kind:?}: {rounds:?}"),
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
        let reason = added_ns(&rounds(4, 10)).unwrap_err();
        assert!(reason.starts_with("in 6 of 10 rounds"), "{reason}");
        assert!(added_ns(&rounds(1, 1)).is_err());
        assert!(added_ns(&rounds(0, 0)).is_err());
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_a_reason() {
        let cycle = Cycle::draw(4096, 64);
        let reason = rounds_of(RefillKind::Own, &cycle, 60_000, BRIEF, &mut ()).unwrap_err();
        assert!(reason.contains("60000"), "{reason}");
    }
}
