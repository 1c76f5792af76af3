//! The threads that acquired a lock.

use std::collections::HashMap;

use locktoll_recording::reader::Count;

use super::part_view::PartView;
use crate::joiner::plus;
use locktoll_results::profile::Takers;

/// Acquisitions by thread, over all processes.
#[derive(Default)]
pub struct ByThread {
    /// Acquisitions by the position of the part and the thread slot.
    slots: HashMap<(usize, u32), u64>,
    /// Whether some were made in a slot that several threads have used one after another, so that their thread is not known.
    is_shared: bool,
}

impl ByThread {
    /// Adds a count of acquisitions.
    pub fn add(&mut self, view: &PartView<'_>, count: &Count) {
        if count.acquisitions == 0 {
            return;
        }
        self.is_shared |= !view.slots_alone.contains(&count.thread_slot);
        let slot = (view.position, count.thread_slot);
        plus(self.slots.entry(slot).or_default(), count.acquisitions);
    }

    /// Returns the takers, if the threads of all acquisitions are known.
    pub fn known(&self) -> Option<Takers> {
        let most = self.slots.values().copied().max()?;
        (!self.is_shared).then_some(Takers {
            threads: self.slots.len() as u64,
            most,
        })
    }
}
