//! Intervals of which those that overlap a given time can be found.

/// Intervals in the order of their beginnings, each with a number.
pub struct Intervals {
    list: Vec<(u64, u64, u32)>,
    /// The latest end of each interval and those before it.
    latest: Vec<u64>,
}

impl Intervals {
    /// Sorts intervals: beginning, end, number.
    pub fn new(mut list: Vec<(u64, u64, u32)>) -> Self {
        list.sort_unstable();
        let mut end = 0;
        let latest = list.iter().map(|it| {
            end = end.max(it.1);
            end
        });
        Self {
            latest: latest.collect(),
            list,
        }
    }

    /// Returns the numbers of the intervals that have some time between `from_ns` and `to_ns`, the last one first.
    pub fn overlapping(&self, from_ns: u64, to_ns: u64) -> impl Iterator<Item = u32> + '_ {
        let end = self.list.partition_point(|it| it.0 < to_ns);
        (0..end)
            .rev()
            .take_while(move |&at| self.latest[at] > from_ns)
            .filter(move |&at| self.list[at].1 > from_ns)
            .map(|at| self.list[at].2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_ones_are_found_as_by_looking_at_each(
            list in prop::collection::vec((0_u64..200, 0_u64..60), 0..60),
            from_ns in 0_u64..220,
            length in 1_u64..80,
        ) {
            let numbered = (0_u32..).zip(&list).map(|(number, &(begin, length))| (begin, begin + length, number));
            let all: Vec<(u64, u64, u32)> = numbered.collect();
            let to_ns = from_ns + length;
            let mut expected: Vec<u32> =
                all.iter().filter(|it| it.0 < to_ns && it.1 > from_ns).map(|it| it.2).collect();
            let mut found: Vec<u32> = Intervals::new(all).overlapping(from_ns, to_ns).collect();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
