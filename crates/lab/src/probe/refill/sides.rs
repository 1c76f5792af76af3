//! The two sides of a point: two threads with one array or with an array each, or two processes.

use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;

use super::chain::{Cycle, Place};
use super::pages::{PageSize, Pages};
use super::rounds::{Effort, Meeting, Rounds, Witness, other, timed};
use super::turns::end;
use crate::probe::RefillKind;
use crate::probe::child::{Child, SharedWords};
use crate::probe::session::Seat;

/// A child ends when it is told to; after this time it is killed.
const CHILD_LIMIT: Duration = Duration::from_secs(3);

/// Runs the rounds of one point in a separate thread, in which `open` makes the witness.
///
/// # Errors
/// A sentence that says why there are none: the CPU cannot be used, there are no such pages, no child process, or no witness.
pub(in crate::probe) fn rounds_of<W: Witness>(
    kind: RefillKind,
    cycle: &Cycle,
    seat: Seat,
    effort: Effort,
    open: impl FnOnce() -> Result<W, String> + Send,
) -> Result<Rounds, String> {
    std::thread::scope(|scope| {
        let timed = scope.spawn(|| {
            // The other side inherits the CPU and the policy.
            seat.take()?;
            let witness = &mut open()?;
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

/// Runs the rounds between two threads; `arrays` is 1 if both read the same array, or 2 for one each.
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
        // Also after an error, or the scope would wait until the other side gives up.
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
        // SAFETY: the first half of a word that has no other use; it is aligned, shared, and initially zero.
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
    use crate::probe::scheduling::Rank;
    use crate::probe::series::LEAST_ROUNDS;
    use crate::probe::session::Session;
    use crate::processors;

    fn brief(cycle: &Cycle) -> Effort {
        Effort {
            time: Duration::from_millis(30),
            rounds: 15,
            steps: cycle.lines(),
        }
    }

    #[test]
    fn every_kind_makes_its_rounds() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let seat = session.seat(session.home_cpu(), Rank::Measured);
        let cycle = Cycle::draw(64 << 10, 64);
        let _turn = processors::alone();
        let kinds = [
            RefillKind::Shared,
            RefillKind::Own,
            RefillKind::OwnProcess,
            RefillKind::OwnHugePages,
        ];
        for kind in kinds {
            match rounds_of(kind, &cycle, seat, brief(&cycle), || Ok(())) {
                Ok(rounds) => assert!(rounds.made >= LEAST_ROUNDS, "{kind:?}: {rounds:?}"),
                // A machine without huge pages, or one too busy to let both sides run within seconds.
                Err(reason) => assert!(
                    kind == RefillKind::OwnHugePages || reason.contains("did not take its turn"),
                    "{kind:?}: {reason}"
                ),
            }
        }
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_a_reason() {
        let machine = Machine::observe();
        let mut watcher = ();
        let session = Session::new(Plan::quick(), &machine, &mut watcher);
        let seat = session.seat(60_000, Rank::Measured);
        let cycle = Cycle::draw(4096, 64);
        let reason =
            rounds_of(RefillKind::Own, &cycle, seat, brief(&cycle), || Ok(())).unwrap_err();
        assert!(reason.contains("60000"), "{reason}");
    }
}
