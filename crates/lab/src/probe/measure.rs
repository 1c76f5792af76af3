//! All probes, section by section.

use crate::machine::Machine;

use super::Prices;
use super::sections::SECTIONS;
use super::session::Session;

/// What to measure, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Fewer and shorter batches: wider intervals in a quarter of the time.
    pub quick: bool,
    /// Try `SCHED_FIFO` for the probes' threads; where it is not permitted, `SCHED_OTHER` serves.
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

    /// Every probe, shorter.
    pub fn quick() -> Plan {
        Plan {
            quick: true,
            ..Plan::full()
        }
    }
}

/// Who looks on, and may stop it.
pub trait Watcher {
    /// `section` of `sections` is at work, and measures what `title` says. Called many times for each section.
    fn next(&mut self, section: usize, sections: usize, title: &str);

    /// True ends the measurement early: what has too few rounds then has no figure.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Nobody looks on.
impl Watcher for () {
    fn next(&mut self, _: usize, _: usize, _: &str) {}
}

/// A family of probes: fills in what it measures, with a reason where it cannot.
pub(super) type Section = fn(&Session<'_>, &mut Prices);

/// Measures the prices of this machine (those of locks are not among them: they are cells of an experiment).
///
/// Everything runs in threads and processes made for it, so affinity and scheduling of the calling thread stay. What
/// cannot be measured here has its reason in the result; there are no errors and no panics.
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
    // Stable: within a group the order of measuring is the order of reading.
    prices.parts.sort_by_key(|part| part.group);
    prices
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Stops after so many looks.
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
