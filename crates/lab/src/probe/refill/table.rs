//! All points: sizes times kinds.

use std::time::{Duration, Instant};

use super::chain::Cycle;
use super::rounds::{Effort, Rounds};
use super::sides::rounds_of;
use super::sizes::{available, last_level, line_bytes, sizes};
use crate::machine::Caches;
use crate::platform::linux::Tree;
use crate::probe::scheduling::Rank;
use crate::probe::session::Session;
use crate::probe::{Prices, Refill, RefillKind};
use crate::stats::{Estimate, estimate};

/// Time for all points together, of which each gets an equal share. The time that small working sets leave over goes into
/// building the arrays, and into large working sets, which must have their rounds.
const BUDGET: Duration = Duration::from_millis(4_500);
const QUICK_BUDGET: Duration = Duration::from_millis(700);
/// No point starts after this time.
const LATEST: Duration = Duration::from_millis(6_000);
const QUICK_LATEST: Duration = Duration::from_millis(1_200);
/// More rounds than this do not narrow any interval that matters.
const MOST_ROUNDS: usize = 101;

/// Larger last-level caches are shared by so many CPUs that half of one is not a realistic working set.
const MOST_HALF: u64 = 16 << 20;

const KINDS: [RefillKind; 4] = [
    RefillKind::Shared,
    RefillKind::Own,
    RefillKind::OwnProcess,
    RefillKind::OwnHugePages,
];

/// Measures how much more a pass through a working set costs after a switch, for each size and kind.
///
/// A round is a pass; a timed pass; a hand-over to the other side, which makes a pass; a hand-over back; and a timed pass. The
/// sample is the difference between the timed passes. A round counts only if the kernel saw one switch for each hand-over and
/// none elsewhere. A point is refused unless more than half of its rounds count.
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
                rounds_of(kind, &cycle, seat, effort, || Ok(()))
                    .and_then(|rounds| added_ns(&rounds))
            };
            prices.refill.push(row(*bytes, kind, value));
        }
    }
    if let Some((bytes, reason)) = sizes.left_out {
        let rows = KINDS.map(|kind| row(bytes, kind, Err(reason.clone())));
        prices.refill.extend(rows);
    }
}

/// Returns a path through half of the last-level cache, and the number of its steps in a pass.
pub(in crate::probe) fn half_of_last_level(caches: &Caches) -> (Cycle, usize) {
    let last_level = last_level(caches);
    let bytes = (last_level / 2).min(MOST_HALF);
    let cycle = Cycle::draw(bytes as usize, line_bytes(caches));
    let steps = steps(&cycle, last_level);
    (cycle, steps)
}

/// Returns the number of lines in a pass: all of them, but at most 65,536, or 32,768 of a working set larger than the last-level
/// cache. There, every line comes from memory, whatever part of the path a pass takes.
fn steps(cycle: &Cycle, last_level: u64) -> usize {
    let most = if cycle.bytes() as u64 > last_level {
        1 << 15
    } else {
        1 << 16
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
    let samples: Vec<f64> = rounds.right.iter().map(|round| round.added_ns).collect();
    match rounds.wrong() {
        Some(reason) => Err(reason),
        None => estimate(&samples).ok_or_else(|| "not measurable".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_no_cache_is_walked_in_parts() {
        let cycle = Cycle::draw(4 << 20, 64);
        assert_eq!(steps(&cycle, 4 << 20), cycle.lines());
        assert_eq!(steps(&cycle, 1 << 20), 1 << 15);
    }
}
