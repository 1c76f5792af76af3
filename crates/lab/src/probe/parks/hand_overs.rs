//! Two threads on one CPU that park and unpark each other, in blocks of many hand-overs.

use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use crate::probe::count::Counted;
use crate::probe::refill::{Turn, await_turn, end, hand_over};

/// Time limit for one turn of the other thread, after which it is given up.
const TURN_LIMIT: Duration = Duration::from_secs(2);

/// Share by which a block's switches may differ from its hand-overs, as for the other probes.
const OFF_BY: f64 = 0.02;

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// No further block starts after this time, if there are enough.
    pub(super) time: Duration,
    /// No further block starts after this many.
    pub(super) blocks: usize,
    /// Round trips in a block: each is two switches, one of each thread.
    pub(super) round_trips: u32,
}

/// Number of groups of blocks. Misses come in bursts, which the median of many short blocks would not show.
const GROUPS: usize = 15;

/// The figures of the blocks whose switches were those of the hand-overs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Blocks {
    /// One figure per block.
    pub(super) right: Vec<f64>,
    /// Number of blocks in all.
    pub(super) made: usize,
}

impl Blocks {
    /// Returns the mean figures of groups of blocks, in the order in which they were run.
    pub(super) fn in_groups(&self) -> Vec<f64> {
        let blocks = self.right.len().div_ceil(GROUPS).max(1);
        let mean = |group: &[f64]| group.iter().sum::<f64>() / group.len() as f64;
        self.right.chunks(blocks).map(mean).collect()
    }

    /// Returns why there is no figure: a few blocks picked out of many do not represent the probe.
    pub(super) fn wrong(&self, least: usize) -> Option<String> {
        let right = self.right.len();
        (2 * right <= self.made || right < least).then(|| {
            format!(
                "in {} of {} blocks, the kernel's count of switches differs from the number of hand-overs",
                self.made - right,
                self.made
            )
        })
    }
}

/// Runs blocks. In each turn, `mine` is called on the calling thread and `others` on the other thread; `block` gets a function
/// that makes the hand-overs of a block, and returns the block's figure. The first block warms up, and does not count.
///
/// # Errors
/// If the other thread does not take its turn.
pub(super) fn blocks<M: FnMut()>(
    effort: Effort,
    least: usize,
    mut mine: M,
    mut others: impl FnMut() + Send,
    mut block: impl FnMut(&mut dyn FnMut() -> Result<bool, String>) -> Result<Option<f64>, String>,
) -> Result<Blocks, String> {
    let word = AtomicU32::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while await_turn(&word, Turn::Other, TURN_LIMIT) {
                others();
                hand_over(&word, Turn::Timed);
            }
        });
        let mut turns = || round_trips(&word, effort.round_trips, &mut mine);
        let mut run = || {
            block(&mut turns)?;
            let (mut blocks, began) = (Blocks::default(), Instant::now());
            loop {
                let late = began.elapsed() >= effort.time;
                let enough = blocks.right.len() >= least || blocks.made >= 2 * least;
                if blocks.made >= effort.blocks || (late && enough) {
                    return Ok(blocks);
                }
                blocks.made += 1;
                blocks.right.extend(block(&mut turns)?);
            }
        };
        let blocks = run();
        // Also after an error, or the scope would wait until the other side gives up.
        end(&word);
        blocks
    })
}

/// Makes the round trips of a block. Returns whether the calling thread was switched once in each, as the kernel counts.
fn round_trips(
    word: &AtomicU32,
    round_trips: u32,
    mine: &mut impl FnMut(),
) -> Result<bool, String> {
    let before = Counted::of_this_thread();
    for _ in 0..round_trips {
        mine();
        hand_over(word, Turn::Other);
        if !await_turn(word, Turn::Timed, TURN_LIMIT) {
            return Err("the other thread did not take its turn".to_owned());
        }
    }
    let counted = Counted::of_this_thread().since(before);
    let switches = (counted.voluntary + counted.involuntary) as f64;
    let expected = f64::from(round_trips);
    Ok((switches - expected).abs() <= OFF_BY * expected)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::AtomicU64;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn both_threads_have_their_turns_and_the_first_block_does_not_count() {
        let (mine, others) = (Cell::new(0u64), AtomicU64::new(0));
        let effort = Effort {
            time: Duration::ZERO,
            blocks: 3,
            round_trips: 50,
        };
        let made = Cell::new(0u64);
        let blocks = blocks(
            effort,
            3,
            || mine.set(mine.get() + 1),
            || {
                others.fetch_add(1, Relaxed);
            },
            |turns| {
                turns()?;
                made.set(made.get() + 1);
                Ok(Some(1.0))
            },
        )
        .unwrap();
        assert_eq!((blocks.made, blocks.right.len(), made.get()), (3, 3, 4));
        assert_eq!((mine.get(), others.load(Relaxed)), (200, 200));
    }

    #[test]
    fn a_burst_shows_in_the_mean_of_its_group() {
        let right: Vec<f64> = (0..60).map(|block| f64::from(block % 4)).collect();
        let all = Blocks { made: 60, right };
        assert_eq!(all.in_groups(), [1.5; 15]);
        let few = Blocks {
            right: vec![1.0, 2.0],
            made: 2,
        };
        assert_eq!(few.in_groups(), [1.0, 2.0]);
        assert_eq!(Blocks::default().in_groups(), [0.0; 0]);
    }

    #[test]
    fn blocks_with_other_switches_are_a_reason() {
        let blocks = |right, made| Blocks {
            right: vec![0.1; right],
            made,
        };
        assert_eq!(blocks(6, 11).wrong(6), None);
        let reason = blocks(6, 12).wrong(6).unwrap();
        assert!(reason.starts_with("in 6 of 12 blocks"), "{reason}");
        assert!(blocks(5, 5).wrong(6).is_some());
    }
}
