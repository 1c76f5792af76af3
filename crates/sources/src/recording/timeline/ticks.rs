//! Converts the processor's counter to the clock.
//!
//! The recording has pairs of both readings. The clock is read first, and the thread may lose its processor before it reads the
//! counter: then the counter is too late, never too early. So in each stretch of time the pair whose counter is earliest,
//! compared with a straight line, is the right one, and a straight line leads from each of those to the next.

use locktoll_recording::layout::{EventKind, EventWords};

/// A stretch of time of which one pair is taken. The kernel changes the rate of its clock by less than one part in a thousand
/// million in that time.
const STRETCH_NS: u64 = 20_000_000;

/// Pairs of ticks and nanoseconds, both rising.
#[derive(Default)]
pub struct Ticks {
    pairs: Vec<(u64, u64)>,
}

impl Ticks {
    /// Finds the pairs among the events of a process.
    pub fn of(events: impl Iterator<Item = EventWords>) -> Self {
        let of_both = [Some(EventKind::Clock), Some(EventKind::Release)];
        let pairs = events.filter(|event| of_both.contains(&event.kind()));
        Self::new(pairs.map(|event| (event.0[2], event.0[0])).collect())
    }

    fn new(mut pairs: Vec<(u64, u64)>) -> Self {
        pairs.sort_unstable_by_key(|&(ticks, ns)| (ns, ticks));
        // The first line may lead through late readings; the second hardly does.
        let best = earliest(&pairs, &pairs);
        let best = earliest(&pairs, &best);
        // A clock that goes back is not followed.
        let mut rising: Vec<(u64, u64)> = Vec::new();
        for pair in best {
            if rising
                .last()
                .is_none_or(|last| pair.0 > last.0 && pair.1 > last.1)
            {
                rising.push(pair);
            }
        }
        Self { pairs: rising }
    }

    /// Returns the time at `ticks`, nanoseconds of the clock. With a single pair, a tick is taken for a nanosecond.
    pub fn ns(&self, ticks: u64) -> u64 {
        let after = self.pairs.partition_point(|&(at, _)| at <= ticks);
        match self.pairs[..] {
            [] => ticks,
            [(at, ns)] => shifted(ns, i128::from(ticks) - i128::from(at)),
            _ => {
                let right = after.clamp(1, self.pairs.len() - 1);
                between(self.pairs[right - 1], self.pairs[right], ticks)
            }
        }
    }
}

/// Returns the earliest pair of each stretch of time, compared with the line through the first and the last of `line`.
fn earliest(pairs: &[(u64, u64)], line: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let (Some(&first), Some(&last)) = (line.first(), line.last()) else {
        return Vec::new();
    };
    let late = |(ticks, ns): (u64, u64)| i128::from(between(first, last, ticks)) - i128::from(ns);
    let stretches = pairs.chunk_by(|a, b| a.1 / STRETCH_NS == b.1 / STRETCH_NS);
    stretches
        .filter_map(|stretch| stretch.iter().copied().min_by_key(|&pair| late(pair)))
        .collect()
}

/// Returns the time at `ticks` on the line through two pairs.
fn between(left: (u64, u64), right: (u64, u64), ticks: u64) -> u64 {
    let run = i128::from(right.0) - i128::from(left.0);
    if run == 0 {
        return left.1;
    }
    let rise = i128::from(right.1) - i128::from(left.1);
    let distance = i128::from(ticks) - i128::from(left.0);
    // Ten million times: a division of 64 bits takes a fraction of the time of one of 128 bits.
    if let (Ok(short_run), Ok(short_rise), Ok(short_distance)) = (
        i64::try_from(run),
        i64::try_from(rise),
        i64::try_from(distance),
    ) && let Some(product) = short_distance.checked_mul(short_rise)
    {
        return shifted(left.1, i128::from(product / short_run));
    }
    // Only times of a damaged recording have products that do not fit.
    let by = distance
        .checked_mul(rise)
        .map_or(rise, |product| product / run);
    shifted(left.1, by)
}

fn shifted(ns: u64, by: i128) -> u64 {
    u64::try_from((i128::from(ns) + by).max(0)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks of a processor at 2.5 GHz, one part in a million faster after the first second.
    fn true_ticks(ns: u64) -> u64 {
        let after = ns.saturating_sub(1_000_000_000);
        7_000 + ns * 5 / 2 + after * 5 / 2_000_000
    }

    #[test]
    fn late_readings_do_not_move_the_line() {
        let mut pairs = Vec::new();
        for step in 0..3_000_u64 {
            let ns = step * 1_000_000;
            // Two of three readings come after an interruption.
            let late = [0, 40_000, 9_000_000][(step % 3) as usize];
            pairs.push((true_ticks(ns) + late, ns));
        }
        let ticks = Ticks::new(pairs);
        for ns in (0..2_990_000_000).step_by(7_777_777) {
            let off = ticks.ns(true_ticks(ns)).abs_diff(ns);
            assert!(off <= 40, "{off} ns at {ns}");
        }
    }

    #[test]
    fn few_pairs_and_none_are_enough() {
        assert_eq!(Ticks::default().ns(77), 77);
        assert_eq!(Ticks::new(vec![(100, 5_000)]).ns(90), 4_990);
        let two = Ticks::new(vec![(0, 0), (u64::MAX, u64::MAX)]);
        assert_eq!(two.ns(u64::MAX), u64::MAX);
        let back = Ticks::new(vec![(0, 30_000_000), (10, 0), (20, 60_000_000)]);
        assert!(back.ns(0) <= back.ns(10) && back.ns(20) == 60_000_000);
    }
}
