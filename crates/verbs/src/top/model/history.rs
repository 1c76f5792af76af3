//! The intervals before the one shown: how many threads waited in each of them, row by row.

use std::collections::HashMap;

use locktoll_results::top::Interval;

/// How many intervals are remembered, including the one shown.
pub const REMEMBERED: usize = 8;

/// Average number of waiting threads, interval by interval, the oldest first. `None` means unknown.
pub type Trend = [Option<f64>; REMEMBERED];

/// The trend of each row, by the row's key: a process id or a lock's id.
#[derive(Clone, Debug, Default)]
pub struct History {
    rows: HashMap<String, Trend>,
    has_gap: bool,
}

impl History {
    /// Adds an interval.
    pub fn add(&mut self, interval: &Interval) {
        if std::mem::take(&mut self.has_gap) {
            self.move_on();
        }
        self.move_on();
        for (id, waiters) in waiters(interval) {
            let trend = self.rows.entry(id).or_default();
            trend[REMEMBERED - 1] = waiters;
        }
        self.rows
            .retain(|_, trend| trend.iter().any(Option::is_some));
    }

    /// Marks a gap for intervals that were not shown.
    pub fn leave_out(&mut self) {
        self.has_gap = true;
    }

    /// Returns the trend of a row.
    pub fn of(&self, id: &str) -> Trend {
        self.rows.get(id).copied().unwrap_or_default()
    }

    fn move_on(&mut self) {
        for trend in self.rows.values_mut() {
            trend.rotate_left(1);
            trend[REMEMBERED - 1] = None;
        }
    }
}

/// Returns the average number of threads that waited in this interval: for each lock of the chosen program, or else for each
/// program.
fn waiters(interval: &Interval) -> Vec<(String, Option<f64>)> {
    let average = |wait_ns: Option<u64>, over_ns: u64| {
        let wait_ns = wait_ns.filter(|_| over_ns > 0)?;
        Some(wait_ns as f64 / over_ns as f64)
    };
    match &interval.chosen {
        Some(chosen) => {
            let locks = chosen.locks.iter().map(|lock| {
                let wait_ns = lock.last.as_ref().map(|last| last.wait_ns);
                (lock.id.clone(), average(wait_ns, chosen.window_ns))
            });
            locks.collect()
        }
        None => {
            let programs = interval.programs.iter().map(|program| {
                let over_ns = program.waits_window_ns.unwrap_or(interval.interval_ns);
                (program.pid.to_string(), average(program.wait_ns, over_ns))
            });
            programs.collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    /// Returns an interval in which program 4242 waited for this many seconds per second.
    fn waited(seconds: u64) -> Interval {
        let mut interval = made_up::machine();
        for program in &mut interval.programs {
            program.waits_window_ns = Some(1_000_000_000);
            program.wait_ns = (program.pid == 4242).then_some(seconds * 1_000_000_000);
        }
        interval
    }

    #[test]
    fn the_last_intervals_are_remembered_oldest_first() {
        let mut history = History::default();
        for seconds in 1..=9 {
            history.add(&waited(seconds));
        }
        let whole = [2, 3, 4, 5, 6, 7, 8, 9].map(|seconds| Some(f64::from(seconds)));
        assert_eq!(history.of("4242"), whole);
        assert_eq!(history.of("977"), Trend::default());
    }

    #[test]
    fn a_row_that_is_away_and_intervals_that_were_not_shown_leave_gaps() {
        let mut history = History::default();
        history.add(&waited(1));
        let mut without = waited(0);
        without.programs.retain(|program| program.pid != 4242);
        history.add(&without);
        history.add(&waited(3));
        history.leave_out();
        history.leave_out();
        history.add(&waited(0));
        let end = [Some(1.0), None, Some(3.0), None, Some(0.0)];
        assert_eq!(history.of("4242")[REMEMBERED - 5..], end);
        for _ in 0..REMEMBERED {
            history.add(&without);
        }
        assert!(
            history.rows.is_empty(),
            "a program that is gone is forgotten"
        );
    }

    #[test]
    fn locks_have_trends_of_their_own() {
        let mut history = History::default();
        let interval = made_up::program();
        history.add(&interval);
        let chosen = interval.chosen.unwrap();
        let lock = &chosen.locks[0];
        let expected = lock.last.as_ref().unwrap().wait_ns as f64 / chosen.window_ns as f64;
        assert_eq!(history.of(&lock.id)[REMEMBERED - 1], Some(expected));
    }
}
