//! The time that a command may take (`--budget`): which claims are run in it, and which get more rounds.

use std::time::{Duration, Instant};

/// The time that is left.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    ends: Instant,
}

impl Budget {
    /// Begins now.
    pub fn new(length: Duration) -> Self {
        let now = Instant::now();
        // A length beyond what the clock can show is a day, which nobody waits for.
        let ends = now.checked_add(length);
        Self {
            ends: ends.unwrap_or(now + Duration::from_secs(86_400)),
        }
    }

    /// Returns the seconds that are left.
    pub fn seconds(self) -> f64 {
        self.ends
            .saturating_duration_since(Instant::now())
            .as_secs_f64()
    }
}

/// Returns how many claims of these seconds, in their order, fit into the budget.
pub fn fitting(seconds: &[f64], budget: f64) -> usize {
    let mut sum = 0.0;
    seconds
        .iter()
        .take_while(|each| {
            sum += **each;
            sum <= budget
        })
        .count()
}

/// A claim that is not judged yet: the number of tries, and the time of the next look.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The looks so far, including those thrown away because the machine was busy.
    pub tries: u32,
    /// The seconds of the next look.
    pub seconds: f64,
}

/// Returns the index of the claim to look at again: the one with the fewest tries, and among those the shortest, if there is
/// time for it. So each claim gets its second try before any gets a third, even if the rounds of one are thrown away each time.
pub fn next(open: &[Open], left: f64) -> Option<usize> {
    let fits = open.iter().enumerate().filter(|(_, it)| it.seconds <= left);
    fits.min_by(|(_, a), (_, b)| a.tries.cmp(&b.tries).then(a.seconds.total_cmp(&b.seconds)))
        .map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(tries: u32, seconds: f64) -> Open {
        Open { tries, seconds }
    }

    #[test]
    fn the_fewest_tries_come_first_and_then_the_shortest() {
        let all = [open(2, 5.0), open(1, 30.0), open(1, 20.0), open(3, 1.0)];
        assert_eq!(next(&all, 100.0), Some(2));
        // The two that would come first do not fit.
        assert_eq!(next(&all, 10.0), Some(0));
        assert_eq!(next(&all, 4.0), Some(3));
        assert_eq!(next(&all, 0.5), None);
        assert_eq!(next(&[], 100.0), None);
    }

    #[test]
    fn claims_fit_in_their_order() {
        assert_eq!(fitting(&[10.0, 20.0, 1.0], 100.0), 3);
        assert_eq!(fitting(&[10.0, 20.0, 1.0], 30.0), 2);
        // The third would fit, but comes after one that does not.
        assert_eq!(fitting(&[10.0, 20.0, 1.0], 12.0), 1);
        assert_eq!(fitting(&[10.0], 9.0), 0);
        // What needs no run takes no time.
        assert_eq!(fitting(&[0.0, 10.0], 0.0), 1);
    }

    #[test]
    fn a_budget_runs_out() {
        assert_eq!(Budget::new(Duration::ZERO).seconds(), 0.0);
        assert!(Budget::new(Duration::MAX).seconds() > 80_000.0);
    }
}
