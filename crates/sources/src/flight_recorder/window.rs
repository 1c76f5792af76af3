//! The time around long waits that is being copied.

use super::trigger::{LongWait, Trigger};

/// The time around long waits that is being copied: it grows while further waits are too long.
pub struct Window {
    /// From when on, `CLOCK_MONOTONIC`.
    pub from_ns: u64,
    /// Whether one of the waits was certainly for a lock.
    pub is_certain: bool,
    /// For each wait whose surroundings have not been copied whole: until when they last.
    until_ns: Vec<u64>,
}

impl Window {
    /// Begins with these waits; `None` without any.
    pub fn around(waits: &[LongWait], trigger: &Trigger) -> Option<Self> {
        let mut window = Self {
            from_ns: u64::MAX,
            is_certain: false,
            until_ns: Vec::new(),
        };
        window.add(waits, trigger);
        (!waits.is_empty()).then_some(window)
    }

    /// Adds waits.
    pub fn add(&mut self, waits: &[LongWait], trigger: &Trigger) {
        for wait in waits {
            let from_ns = wait.begin_ns.saturating_sub(trigger.around_ns);
            self.from_ns = self.from_ns.min(from_ns);
            self.is_certain |= wait.is_certain;
            self.until_ns
                .push(wait.end_ns.saturating_add(trigger.around_ns));
        }
    }

    /// Notes that all events were copied that were written before `ns`. Returns whether the window ends there.
    pub fn is_over_at(&mut self, ns: u64) -> bool {
        self.until_ns.retain(|&it| it > ns);
        self.until_ns.is_empty()
    }

    /// Returns how many waits have surroundings of which something was not copied yet.
    pub fn pending(&self) -> u64 {
        self.until_ns.len() as u64
    }
}
