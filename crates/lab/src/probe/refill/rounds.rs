//! The rounds of one point: a pass without a switch, a pass after one, and the kernel's count of switches between them.

use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

use super::chain::{Place, walk};
use super::turns::{Turn, await_turn, end, hand_over};
use crate::clock::Clock;
use crate::probe::count::Counted;
use crate::probe::series::LEAST_ROUNDS;

/// For one turn of the other thread; then it is given up.
const TURN_LIMIT: Duration = Duration::from_secs(2);

/// How much is measured at a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::probe) struct Effort {
    /// No further round after that time, if there are [`LEAST_ROUNDS`] whose counts were right.
    pub(in crate::probe) time: Duration,
    /// No further round after so many.
    pub(in crate::probe) rounds: usize,
    /// Lines in a pass at most. Longer ways are walked on from where the last pass ended, so that a line still returns only
    /// after all others.
    pub(in crate::probe) steps: usize,
}

/// What both sides share, across threads or processes.
#[derive(Clone, Copy)]
pub(super) struct Meeting<'a> {
    /// Whose turn it is.
    pub(super) turn: &'a AtomicU32,
    /// The other side's context switches so far, told at the end of each of its turns.
    pub(super) switches: &'a AtomicU64,
}

/// Reads counters around each pass, beside the clock.
pub(in crate::probe) trait Witness {
    /// The counters' state.
    fn read(&mut self) -> [u64; 2];
}

/// Looks at nothing and takes no time.
impl Witness for () {
    #[inline(always)]
    fn read(&mut self) -> [u64; 2] {
        [0; 2]
    }
}

/// One round whose switches were as they have to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::probe) struct Round {
    /// Added to a pass by the switch before it.
    pub(in crate::probe) added_ns: f64,
    /// The same of what the [`Witness`] counted.
    pub(in crate::probe) added_counts: [f64; 2],
}

/// All rounds of a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::probe) struct Rounds {
    /// Those in which the kernel counted one switch a hand-over and none in the pass that must have none.
    pub(in crate::probe) right: Vec<Round>,
    /// How many there were in all.
    pub(in crate::probe) made: usize,
}

impl Rounds {
    /// Why there is no figure: as for every other probe, what had to be picked out of many is not the probe.
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

/// The timed side.
///
/// # Errors
/// When the other side does not take its turn.
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
        // Acquire: the count was told before the turn was handed back; the turn's own Acquire would do.
        await_turn(meeting.turn, Turn::Timed, TURN_LIMIT).then(|| meeting.switches.load(Acquire))
    };
    let did_not = || "the other side did not take its turn".to_owned();

    // Both sides once, so that neither meets its working set for the first time.
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

/// The other side: a pass a turn, until it is told to end. Allocates nothing and takes no lock, as a forked child must.
///
/// # Safety
/// As for [`walk`].
pub(super) unsafe fn other(meeting: Meeting<'_>, mut place: Place, steps: usize) {
    while await_turn(meeting.turn, Turn::Other, TURN_LIMIT) {
        // SAFETY: as promised by the caller.
        place = unsafe { walk(place, steps) };
        // Release: as the Acquire of the timed side.
        meeting.switches.store(switches_of_this_thread(), Release);
        hand_over(meeting.turn, Turn::Timed);
    }
}

/// Context switches of the calling thread so far, of both kinds.
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
