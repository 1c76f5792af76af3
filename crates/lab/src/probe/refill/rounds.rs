//! The rounds of one point: a pass without a switch, a pass after one, and the kernel's count of switches between them.

use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

use super::chain::{Place, walk};
use super::turns::{Turn, await_turn, end, hand_over};
use crate::clock::Clock;
use crate::probe::count::Counted;
use crate::probe::series::LEAST_ROUNDS;

/// Time limit for one turn of the other thread, after which it is given up.
const TURN_LIMIT: Duration = Duration::from_secs(2);

/// How much to measure at a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::probe) struct Effort {
    /// No further round starts after this time, if there are [`LEAST_ROUNDS`] whose counts were right.
    pub(in crate::probe) time: Duration,
    /// No further round starts after this many.
    pub(in crate::probe) rounds: usize,
    /// Most lines in a pass. A longer path continues where the last pass ended, so that a line still comes up again only after
    /// all others.
    pub(in crate::probe) steps: usize,
}

/// The data that both sides share, across threads or processes.
#[derive(Clone, Copy)]
pub(super) struct Meeting<'a> {
    /// Whose turn it is.
    pub(super) turn: &'a AtomicU32,
    /// The other side's context switches so far, reported at the end of each of its turns.
    pub(super) switches: &'a AtomicU64,
}

/// Reads counters around each pass, in addition to the clock.
pub(in crate::probe) trait Witness {
    /// Reads the state of the counters.
    fn read(&mut self) -> [u64; 2];
}

/// Reads nothing and takes no time.
impl Witness for () {
    #[inline(always)]
    fn read(&mut self) -> [u64; 2] {
        [0; 2]
    }
}

/// One round with the right numbers of switches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::probe) struct Round {
    /// Time that the switch before a pass adds to it.
    pub(in crate::probe) added_ns: f64,
    /// The same for the counts of the [`Witness`].
    pub(in crate::probe) added_counts: [f64; 2],
}

/// All rounds of a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::probe) struct Rounds {
    /// Rounds in which the kernel counted one switch per hand-over and none in the pass that must have none.
    pub(in crate::probe) right: Vec<Round>,
    /// Number of rounds in all.
    pub(in crate::probe) made: usize,
}

impl Rounds {
    /// Returns why there is no figure. As for every other probe, a few rounds picked out of many do not represent the probe.
    pub(in crate::probe) fn wrong(&self) -> Option<String> {
        let right = self.right.len();
        let enough = 2 * right > self.made && right >= LEAST_ROUNDS;
        (!enough).then(|| {
            format!(
                "in {} of {} rounds the kernel counted more or fewer switches than the hand-overs are",
                self.made - right,
                self.made
            )
        })
    }
}

/// Runs the timed side.
///
/// # Errors
/// If the other side does not take its turn.
///
/// # Safety
/// As for [`walk`].
pub(super) unsafe fn timed(
    meeting: Meeting<'_>,
    mut place: Place,
    effort: Effort,
    witness: &mut impl Witness,
) -> Result<Rounds, String> {
    let clock = Clock::get();
    let steps = effort.steps;
    let mut pass = |timed: bool| {
        if !timed {
            // SAFETY: as promised by the caller.
            place = unsafe { walk(place, steps) };
            return (0.0, [0; 2]);
        }
        let counts = witness.read();
        let start = clock.now();
        // SAFETY: as above.
        place = unsafe { walk(place, steps) };
        let elapsed_ns = clock.ns(clock.now() - start);
        let after = witness.read();
        (
            elapsed_ns,
            [0, 1].map(|index| after[index].saturating_sub(counts[index])),
        )
    };
    let turn_of_the_other = || {
        hand_over(meeting.turn, Turn::Other);
        // Acquire: the count was stored before the turn was handed back; the turn's own Acquire would be enough.
        await_turn(meeting.turn, Turn::Timed, TURN_LIMIT).then(|| meeting.switches.load(Acquire))
    };
    let did_not = || "the other side did not take its turn".to_owned();

    // Both sides run once, so that neither meets its working set for the first time in a round.
    pass(false);
    let mut others = turn_of_the_other().ok_or_else(did_not)?;
    let mut rounds = Rounds::default();
    let began = Instant::now();
    loop {
        let late = began.elapsed() >= effort.time;
        let enough = rounds.right.len() >= LEAST_ROUNDS || rounds.made >= 2 * LEAST_ROUNDS;
        if rounds.made >= effort.rounds || (late && enough) {
            break;
        }
        rounds.made += 1;
        let before = switches_of_this_thread();
        pass(false);
        let (without_ns, without) = pass(true);
        let between = switches_of_this_thread();
        let others_now = turn_of_the_other().ok_or_else(did_not)?;
        let (after_ns, after) = pass(true);
        let switched = switches_of_this_thread() - between;
        let others_switched = others_now - std::mem::replace(&mut others, others_now);
        // One switch each: from here to the other side, and back.
        if (between - before, switched, others_switched) == (0, 1, 1) {
            rounds.right.push(Round {
                added_ns: after_ns - without_ns,
                added_counts: [0, 1].map(|index| after[index] as f64 - without[index] as f64),
            });
        }
    }
    end(meeting.turn);
    Ok(rounds)
}

/// Runs the other side: one pass per turn, until it is told to end. Allocates nothing and takes no lock, as a forked child must.
///
/// # Safety
/// As for [`walk`].
pub(super) unsafe fn other(meeting: Meeting<'_>, mut place: Place, steps: usize) {
    while await_turn(meeting.turn, Turn::Other, TURN_LIMIT) {
        // SAFETY: as promised by the caller.
        place = unsafe { walk(place, steps) };
        // Release: pairs with the Acquire of the timed side.
        meeting.switches.store(switches_of_this_thread(), Release);
        hand_over(meeting.turn, Turn::Timed);
    }
}

/// Returns the context switches of the calling thread so far, of both kinds.
fn switches_of_this_thread() -> u64 {
    let counted = Counted::of_this_thread();
    counted.voluntary + counted.involuntary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_with_other_switches_are_told() {
        let rounds = |right, made| Rounds {
            right: vec![Round::default(); right],
            made,
        };
        assert_eq!(rounds(6, 10).wrong(), None);
        let reason = rounds(6, 12).wrong().unwrap();
        assert!(reason.starts_with("in 6 of 12 rounds"), "{reason}");
        assert!(rounds(5, 5).wrong().is_some());
        assert!(rounds(0, 0).wrong().is_some());
    }
}
