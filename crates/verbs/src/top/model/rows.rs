//! The rows that are shown, and their order.

use std::cmp::Ordering;

use locktoll_results::profile::Use;
use locktoll_results::top::{Figures, Interval, LockRow, Program};
use locktoll_terminal::escape::shown_text;

/// The order of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgramSort {
    /// Time waited for locks.
    #[default]
    Waiting,
    /// Waits for locks.
    Waits,
    /// Context switches.
    Switches,
    /// Time on CPUs.
    Cpu,
    /// Name.
    Name,
}

/// The order of locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockSort {
    /// Time waited.
    #[default]
    Waiting,
    /// Waits.
    Waits,
    /// Mean length of a wait.
    Mean,
    /// Acquisitions.
    Acquisitions,
    /// Name.
    Name,
}

impl ProgramSort {
    /// Returns the next order, and after the last one the first.
    pub fn next(self) -> Self {
        match self {
            Self::Waiting => Self::Waits,
            Self::Waits => Self::Switches,
            Self::Switches => Self::Cpu,
            Self::Cpu => Self::Name,
            Self::Name => Self::Waiting,
        }
    }
}

impl LockSort {
    /// Returns the next order, and after the last one the first.
    pub fn next(self) -> Self {
        match self {
            Self::Waiting => Self::Waits,
            Self::Waits => Self::Mean,
            Self::Mean => Self::Acquisitions,
            Self::Acquisitions => Self::Name,
            Self::Name => Self::Waiting,
        }
    }
}

/// Returns the programs with `filter` in their name or as their id, largest first.
pub fn programs<'a>(
    interval: &'a Interval,
    sort: ProgramSort,
    reversed: bool,
    filter: &str,
) -> Vec<&'a Program> {
    let mut rows: Vec<&Program> = interval
        .programs
        .iter()
        .filter(|it| matches(&it.name, filter) || it.pid.to_string() == filter.trim())
        .collect();
    let switches = |it: &Program| it.voluntary.saturating_add(it.involuntary);
    rows.sort_by(|a, b| {
        // An unknown value is less than zero, so it comes last.
        let order = match sort {
            ProgramSort::Waiting => b
                .wait_ns
                .cmp(&a.wait_ns)
                .then(b.waiting_now.cmp(&a.waiting_now)),
            ProgramSort::Waits => b.waits.cmp(&a.waits),
            ProgramSort::Switches => Ordering::Equal,
            ProgramSort::Cpu => b.run_ns.cmp(&a.run_ns),
            ProgramSort::Name => a.name.cmp(&b.name),
        };
        let order = order.then_with(|| switches(b).cmp(&switches(a)));
        turned(order, reversed).then(a.pid.cmp(&b.pid))
    });
    rows
}

/// Returns the locks of the chosen program with `filter` in their name, largest first; signals come after locks in every order.
/// `whole`: by their figures since the start.
pub fn locks<'a>(
    interval: &'a Interval,
    sort: LockSort,
    reversed: bool,
    filter: &str,
    whole: bool,
) -> Vec<&'a LockRow> {
    let all = interval.chosen.iter().flat_map(|chosen| &chosen.locks);
    let mut rows: Vec<&LockRow> = all.filter(|it| matches(&it.name, filter)).collect();
    rows.sort_by(|a, b| {
        let (x, y) = (a.figures(whole), b.figures(whole));
        let of = |figure: fn(&Figures) -> Option<u64>| y.and_then(figure).cmp(&x.and_then(figure));
        let order = match sort {
            LockSort::Waiting => of(|it| Some(it.wait_ns)),
            LockSort::Waits => of(|it| Some(it.waits)),
            LockSort::Mean => of(|it| it.mean_ns().map(|ns| ns as u64)),
            LockSort::Acquisitions => of(|it| it.acquisitions),
            LockSort::Name => a.name.cmp(&b.name),
        };
        // Among equal rows, the lock with the longest waiting time so far comes first; among those, the order is always the same.
        let order = order.then_with(|| b.whole.wait_ns.cmp(&a.whole.wait_ns));
        let signal = |it: &LockRow| it.used_as == Use::Signal;
        signal(a)
            .cmp(&signal(b))
            .then(turned(order, reversed))
            .then_with(|| a.id.cmp(&b.id))
    });
    rows
}

fn matches(name: &str, filter: &str) -> bool {
    // As it is shown and as people type: without regard to case.
    let lower = |text: &str| shown_text(text).to_lowercase();
    lower(name).contains(&lower(filter))
}

fn turned(order: Ordering, reversed: bool) -> Ordering {
    if reversed { order.reverse() } else { order }
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    #[test]
    fn every_order_is_one_of_the_same_rows() {
        let interval = made_up::program();
        let mut sort = LockSort::default();
        let count = interval.chosen.as_ref().unwrap().locks.len();
        for _ in 0..5 {
            for (reversed, whole) in [(false, false), (true, false), (false, true)] {
                let rows = locks(&interval, sort, reversed, "", whole);
                assert_eq!(rows.len(), count);
                let signals = rows.iter().skip_while(|it| it.used_as == Use::Lock);
                assert!(signals.into_iter().all(|it| it.used_as == Use::Signal));
            }
            sort = sort.next();
        }
        assert_eq!(sort, LockSort::default());
    }

    #[test]
    fn what_is_not_known_is_behind_what_is() {
        let interval = made_up::machine();
        let rows = programs(&interval, ProgramSort::Waiting, false, "");
        let known: Vec<bool> = rows.iter().map(|it| it.wait_ns.is_some()).collect();
        assert!(
            known.is_sorted_by(|a, b| a >= b) && known.contains(&true),
            "{known:?}"
        );
    }

    #[test]
    fn a_filter_is_a_part_of_the_name_or_the_whole_id() {
        let interval = made_up::machine();
        let found = |filter: &str| -> Vec<u32> {
            let rows = programs(&interval, ProgramSort::Name, false, filter);
            rows.iter().map(|it| it.pid).collect()
        };
        assert_eq!(found("JOB-SERVER"), [4242]);
        assert_eq!(found("4242"), [4242]);
        assert!(found("424").is_empty());
        assert!(found("").len() > 2);
    }
}
