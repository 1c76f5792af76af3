//! All probes, section by section.

use crate::machine::Machine;

use super::Prices;
use super::sections::SECTIONS;
use super::session::Session;

/// What to measure, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Fewer and shorter batches: wider intervals in a quarter of the time.
    pub quick: bool,
    /// Try `SCHED_FIFO` for the probes' threads; where it is not permitted, use `SCHED_OTHER`.
    pub real_time: bool,
}

impl Plan {
    /// Every probe at its full length.
    pub fn full() -> Plan {
        Plan {
            quick: false,
            real_time: true,
        }
    }

    /// Every probe, in less time.
    pub fn quick() -> Plan {
        Plan {
            quick: true,
            ..Plan::full()
        }
    }
}

/// An observer of the measurement, which may stop it.
pub trait Watcher {
    /// Reports progress: `section` of `sections` is running, and measures what `title` says. Called many times for each section.
    fn next(&mut self, section: usize, sections: usize, title: &str);

    /// Returns true to end the measurement early; a probe with too few rounds by then has no figure.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl Watcher for () {
    fn next(&mut self, _: usize, _: usize, _: &str) {}
}

/// A family of probes: fills in its figures, or the reasons why it has none.
pub(super) type Section = fn(&Session<'_>, &mut Prices);

/// Measures the prices of this machine, except those of locks, which are cells of an experiment.
///
/// Everything runs in threads and processes made for the purpose, so the affinity and scheduling of the calling thread do not
/// change. A figure that cannot be measured here has a reason in the result instead; there are no errors and no panics.
pub fn measure(plan: &Plan, machine: &Machine, watcher: &mut dyn Watcher) -> Prices {
    let session = Session::new(*plan, machine, watcher);
    let mut prices = Prices {
        scheduling: session.scheduling().clone(),
        ..Prices::default()
    };
    for (index, section) in SECTIONS.iter().enumerate() {
        session.begin_section(index, SECTIONS.len());
        section(&session, &mut prices);
    }
    // A stable sort: within a group, lines keep the order in which they were measured.
    prices.parts.sort_by_key(|part| part.group);
    prices
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Interrupts after this many checks.
    struct Impatient(Cell<u32>);

    impl Watcher for Impatient {
        fn next(&mut self, section: usize, sections: usize, title: &str) {
            assert!(section < sections && !title.is_empty());
        }

        fn interrupted(&self) -> bool {
            let left = self.0.get();
            self.0.set(left.saturating_sub(1));
            left == 0
        }
    }

    #[test]
    fn a_list_cut_short_says_so_in_each_line() {
        let mut watcher = Impatient(Cell::new(0));
        let prices = measure(&Plan::quick(), &Machine::observe(), &mut watcher);
        assert!(!prices.parts.is_empty());
        for part in &prices.parts {
            assert!(part.value.is_none(), "{part:?}");
            assert!(part.refused.is_some(), "{part:?}");
        }
        for row in &prices.refill {
            assert!(row.added_ns.is_none() && row.refused.is_some(), "{row:?}");
        }
    }
}
