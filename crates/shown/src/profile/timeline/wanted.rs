//! The locks whose events are shown.

use std::collections::HashSet;

use crate::profile::Selection;
use locktoll_results::profile::timeline::Timeline;

/// The locks whose events are shown.
pub struct Wanted(Vec<bool>);

impl Wanted {
    /// Returns all locks, or those of the row that was asked for.
    pub fn of(selection: &Selection<'_>, timeline: &Timeline) -> Self {
        let ids: Option<HashSet<&str>> = selection
            .opened
            .then(|| selection.shown().iter().map(|it| it.id.as_str()).collect());
        let locks = timeline.locks.iter();
        Self(
            locks
                .map(|lock| {
                    ids.as_ref()
                        .is_none_or(|ids| ids.contains(lock.id.as_str()))
                })
                .collect(),
        )
    }

    /// Whether the events of a lock are shown.
    pub fn has(&self, lock: u32) -> bool {
        self.0.get(lock as usize).copied().unwrap_or(false)
    }
}

/// Says why `format` cannot be made of a profile without a timeline.
pub fn needs_a_timeline(format: &str) -> String {
    format!(
        "{format} is made from the timeline, and this recording has none; \
         record it again with `locktoll record --timeline`"
    )
}
