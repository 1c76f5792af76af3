//! Waits, added up.

/// Waits of any one kind. Times are nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waits {
    /// Their number.
    pub count: u64,
    /// Their total time.
    pub total_ns: u64,
    /// The longest wait; `None` where it is not known, such as for the time between two readings.
    pub max_ns: Option<u64>,
    /// Waits by powers of two of their length: entry `i` counts from 2^i up to 2^(i+1) ns, the last entry all longer waits.
    pub log2: Vec<u64>,
}

impl Waits {
    /// Returns the sum of no waits, whose longest is known.
    pub fn none() -> Self {
        Self {
            max_ns: Some(0),
            ..Self::default()
        }
    }

    /// Adds other waits.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.total_ns += other.total_ns;
        self.max_ns = self
            .max_ns
            .zip(other.max_ns)
            .map(|(mine, its)| mine.max(its));
        add(&mut self.log2, &other.log2);
    }

    /// Returns the waits that came after `earlier` was read.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            count: self.count.saturating_sub(earlier.count),
            total_ns: self.total_ns.saturating_sub(earlier.total_ns),
            max_ns: None,
            log2: difference(&self.log2, &earlier.log2),
        }
    }
}

/// Adds a histogram to another, which grows as needed.
pub fn add(to: &mut Vec<u64>, other: &[u64]) {
    if to.len() < other.len() {
        to.resize(other.len(), 0);
    }
    for (sum, count) in to.iter_mut().zip(other) {
        *sum += count;
    }
}

/// Returns a histogram without the counts of an earlier reading of it.
pub fn difference(now: &[u64], earlier: &[u64]) -> Vec<u64> {
    let earlier = earlier.iter().copied().chain(std::iter::repeat(0));
    let entries = now.iter().zip(earlier);
    entries
        .map(|(now, before)| now.saturating_sub(before))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_between_two_readings_has_no_known_longest() {
        let one = |count, total_ns, max_ns| Waits {
            count,
            total_ns,
            max_ns: Some(max_ns),
            log2: vec![0, count],
        };
        let mut all = Waits::none();
        all.add(&one(2, 5, 3));
        assert_eq!(all, one(2, 5, 3));
        let before = all.clone();
        all.add(&one(1, 2, 2));
        assert_eq!(all.max_ns, Some(3));
        let between = all.since(&before);
        assert_eq!((between.count, between.total_ns), (1, 2));
        assert_eq!((between.max_ns, between.log2), (None, vec![0, 1]));
    }
}
