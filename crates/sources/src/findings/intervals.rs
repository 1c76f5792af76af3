//! Intervals of which those that overlap a given time can be found.

use super::looks::look;

/// How many values of a level have one value in the next.
const FAN: usize = 16;

/// Intervals in the order of their beginnings, each with a number.
///
/// One long interval may begin before all others, so a search must pass over those that have ended without looking at each: it takes
/// a time that grows with the number of intervals found, and with the logarithm of the number of all.
pub struct Intervals {
    list: Vec<(u64, u64, u32)>,
    /// The latest end of each `FAN` intervals; of each `FAN` of these; and so on.
    latest: Vec<Vec<u64>>,
}

impl Intervals {
    /// Sorts intervals: beginning, end, number.
    pub fn new(mut list: Vec<(u64, u64, u32)>) -> Self {
        list.sort_unstable();
        let mut latest = Vec::new();
        let mut below = latest_of(&list, |it| it.1);
        while !below.is_empty() {
            let next = match below.len() {
                ..=FAN => Vec::new(),
                _ => latest_of(&below, |&it| it),
            };
            latest.push(std::mem::replace(&mut below, next));
        }
        Self { list, latest }
    }

    /// Returns the numbers of the intervals that have some time between `from_ns` and `to_ns`, the last one first.
    pub fn overlapping(&self, from_ns: u64, to_ns: u64) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.list.partition_point(|it| it.0 < to_ns);
        std::iter::from_fn(move || {
            next = self.last_before(next, from_ns)?;
            Some(self.list[next].2)
        })
    }

    /// Returns the last interval before number `before` that ends after `from_ns`.
    fn last_before(&self, before: usize, from_ns: u64) -> Option<usize> {
        let (mut level, mut at) = (0, before);
        loop {
            // Those that have no value in the next level together.
            while !at.is_multiple_of(FAN) || level == self.latest.len() {
                at = at.checked_sub(1)?;
                if self.end(level, at) > from_ns {
                    return Some(self.last_below(level, at, from_ns));
                }
            }
            level += 1;
            at /= FAN;
        }
    }

    /// Returns the last interval that ends after `from_ns` among those of a value, which has one.
    fn last_below(&self, mut level: usize, mut at: usize, from_ns: u64) -> usize {
        while level > 0 {
            level -= 1;
            let all = match level {
                0 => self.list.len(),
                _ => self.latest[level - 1].len(),
            };
            at = (at * FAN..((at + 1) * FAN).min(all))
                .rev()
                .find(|&it| self.end(level, it) > from_ns)
                .unwrap_or(at * FAN);
        }
        at
    }

    fn end(&self, level: usize, at: usize) -> u64 {
        look();
        match level {
            0 => self.list[at].1,
            _ => self.latest[level - 1][at],
        }
    }
}

fn latest_of<T>(all: &[T], end: impl Fn(&T) -> u64) -> Vec<u64> {
    let latest = all.chunks(FAN).map(|it| it.iter().map(&end).max());
    latest.map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_ones_are_found_as_by_looking_at_each(
            list in prop::collection::vec((0_u64..200, 0_u64..60), 0..600),
            from_ns in 0_u64..220,
            length in 1_u64..80,
        ) {
            let numbered = (0_u32..).zip(&list).map(|(number, &(begin, length))| (begin, begin + length, number));
            let all: Vec<(u64, u64, u32)> = numbered.collect();
            let to_ns = from_ns + length;
            let mut expected: Vec<u32> =
                all.iter().filter(|it| it.0 < to_ns && it.1 > from_ns).map(|it| it.2).collect();
            let mut found: Vec<u32> = Intervals::new(all).overlapping(from_ns, to_ns).collect();
            prop_assert!(found.windows(2).all(|pair| list[pair[0] as usize].0 >= list[pair[1] as usize].0));
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
