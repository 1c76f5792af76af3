//! Converts the processor's counter to the clock.
//!
//! The recording has pairs of both readings. In a pair that a release left, the clock was read first, and the thread may have lost its
//! processor before it read the counter: then the counter is too late, never too early. (In the other pairs, the shortest of three
//! readings, it is wrong by at most half of the time that the reading took.) So in each stretch of time the pair whose
//! counter is earliest, compared with a straight line, is the right one; a pair that is late compared with those around it is
//! left out; and a straight line leads from each of the others to the next.

use locktoll_recording::layout::{EventKind, EventWords};

/// The longest stretch of time of which one pair is taken. The kernel may change the rate of its clock by up to 500 parts in a million
/// (adjtimex(2)), which makes the line wrong by 3 us at most in the stretch of the change, and by nothing in the others.
const STRETCH_NS: u64 = 20_000_000;
/// Before the first and after the last pair, the line leads through a pair this far away, if there is one: the rate between two
/// neighbours may be wrong by as much as their readings are.
const FAR_NS: u64 = 2 * STRETCH_NS;
/// A short process is divided into this many stretches: the rate cannot be found from a single pair.
const STRETCHES: u64 = 16;
/// A pair is late if its counter is above the line through the pairs around it by this much, plus so many millionths of their distance:
/// the kernel may have changed the rate of its clock between them.
const LATE_NS: i128 = 200;
const LATE_PPM: i128 = 20;

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
        let span_ns = match pairs[..] {
            [first, .., last] => last.1 - first.1,
            _ => 0,
        };
        let stretch_ns = (span_ns / STRETCHES).clamp(1, STRETCH_NS);
        let best = without_late(earliest(&pairs, stretch_ns));
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
            [first, ref later @ ..] if after == 0 => {
                between(first, far_after(later, first).unwrap_or(first), ticks)
            }
            [ref earlier @ .., last] if after == self.pairs.len() => {
                between(far_before(earlier, last).unwrap_or(last), last, ticks)
            }
            _ => between(self.pairs[after - 1], self.pairs[after], ticks),
        }
    }
}

/// Returns the earliest pair of each stretch of time, compared with one straight line.
fn earliest(pairs: &[(u64, u64)], stretch_ns: u64) -> Vec<(u64, u64)> {
    let Some((first, last)) = longest_edge(pairs) else {
        return Vec::new();
    };
    let stretches = pairs.chunk_by(|a, b| a.1 / stretch_ns == b.1 / stretch_ns);
    stretches
        .filter_map(|stretch| {
            let pairs = stretch.iter().copied();
            pairs.min_by_key(|&pair| late_ns(pair, first, last))
        })
        .collect()
}

/// Returns two pairs below whose line there is none, as far apart as possible. Late pairs lie above the line of the others.
fn longest_edge(pairs: &[(u64, u64)]) -> Option<((u64, u64), (u64, u64))> {
    let distance = |from: (u64, u64), to: (u64, u64)| {
        let difference = |from: u64, to: u64| to as f64 - from as f64;
        (difference(from.0, to.0), difference(from.1, to.1))
    };
    let mut hull: Vec<(u64, u64)> = Vec::new();
    for &pair in pairs {
        while let [.., before, middle] = hull[..] {
            let (to_middle, to_pair) = (distance(before, middle), distance(before, pair));
            if to_middle.0 * to_pair.1 < to_pair.0 * to_middle.1 {
                break;
            }
            hull.pop();
        }
        hull.push(pair);
    }
    let edges = hull.windows(2).map(|it| (it[0], it[1]));
    let longest = edges.max_by_key(|(from, to)| to.1 - from.1);
    longest.or_else(|| hull.first().map(|&only| (only, only)))
}

/// Returns how much later than the line through two others a pair's counter is, nanoseconds.
fn late_ns((ticks, ns): (u64, u64), left: (u64, u64), right: (u64, u64)) -> i128 {
    i128::from(between(left, right, ticks)) - i128::from(ns)
}

/// Returns the first pair that is far enough after `from`, or else the last one.
fn far_after(pairs: &[(u64, u64)], from: (u64, u64)) -> Option<(u64, u64)> {
    let is_far = |it: &&(u64, u64)| it.1 >= from.1.saturating_add(FAR_NS);
    pairs.iter().find(is_far).or(pairs.last()).copied()
}

/// Returns the last pair that is far enough before `from`, or else the first one.
fn far_before(pairs: &[(u64, u64)], from: (u64, u64)) -> Option<(u64, u64)> {
    let is_far = |it: &&(u64, u64)| it.1.saturating_add(FAR_NS) <= from.1;
    pairs.iter().rev().find(is_far).or(pairs.first()).copied()
}

/// Whether a pair is late compared with the line through two others. Outside of these two, small errors of theirs grow.
fn is_late(pair: (u64, u64), left: (u64, u64), right: (u64, u64)) -> bool {
    let distance_ns = i128::from(right.1.abs_diff(left.1)).max(1);
    let before_ns = left.1.saturating_sub(pair.1);
    let outside_ns = i128::from(before_ns.max(pair.1.saturating_sub(right.1)));
    let of_readings = LATE_NS + LATE_NS * outside_ns / distance_ns;
    late_ns(pair, left, right) > of_readings + (distance_ns + outside_ns) * LATE_PPM / 1_000_000
}

/// Leaves out the pairs that are late compared with those around them; at the ends, with those on one side.
fn without_late(pairs: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    let mut kept: Vec<(u64, u64)> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        while let [.., before, middle] = kept[..]
            && is_late(middle, before, pair)
        {
            kept.pop();
        }
        kept.push(pair);
    }
    // Either end may be late itself, so each is compared with pairs between both ends, if there are two of them.
    while let [first, between @ .., right, last] = &kept[..]
        && is_late(*last, far_before(between, *right).unwrap_or(*first), *right)
    {
        kept.pop();
    }
    let mut late_at_first = 0;
    while let [first, left, between @ .., last] = &kept[late_at_first..]
        && is_late(*first, *left, far_after(between, *left).unwrap_or(*last))
    {
        late_at_first += 1;
    }
    kept.split_off(late_at_first)
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

    /// Lasts for less than a stretch of a long process; some threads lost the processor within a pair, also the first and the last one.
    #[test]
    fn a_short_process_has_a_rate() {
        for (first_ns, span_ns) in [
            (19_995_000, 10_000_u64),
            (3_000_000, 800_000),
            (7_000_000, 9_000_000),
        ] {
            for late_at in 0..5 {
                let pair = |step: u64| {
                    let ns = first_ns + step * span_ns / 40;
                    let is_late =
                        matches!((step, late_at), (0, 1 | 3) | (40, 2 | 3)) || step % 5 == late_at;
                    (
                        true_ticks(ns) + if is_late { 1_000_000 } else { 20 * (step % 3) },
                        ns,
                    )
                };
                let ticks = Ticks::new((0..=40).map(pair).collect());
                for ns in (first_ns..first_ns + span_ns).step_by(777) {
                    let off = ticks.ns(true_ticks(ns)).abs_diff(ns);
                    assert!(off <= 60, "{off} ns at {ns} of {span_ns}, {late_at}");
                }
            }
        }
    }

    /// Two pairs beside a boundary of stretches are near each other, and each is wrong by some nanoseconds.
    #[test]
    fn the_rate_at_the_ends_is_not_that_of_two_neighbours() {
        let near = |ns: u64, off: u64| (true_ticks(ns) + off, ns);
        let pairs = vec![
            near(59_999_000, 60),
            near(60_000_500, 0),
            near(90_000_000, 0),
            near(119_999_500, 0),
            near(120_000_500, 60),
        ];
        let ticks = Ticks::new(pairs);
        for ns in [53_000_000, 59_000_000, 121_000_000, 127_000_000] {
            let off = ticks.ns(true_ticks(ns)).abs_diff(ns);
            assert!(off <= 60, "{off} ns at {ns}");
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
