//! What threads of a recorded process are doing at the moment of an alert.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::glimpse::Hold;
use super::process::{is_held, is_same};
use super::seen::Raised;
use super::watch::Event;
use super::witness::{Witness, Witnessed};
use crate::mapped::part_of;

/// An event, with what the threads of its alerts were doing.
pub struct Seized {
    /// The event.
    pub event: Event,
    /// For each of its alerts.
    pub(super) witnessed: Vec<Witnessed>,
}

impl Seized {
    /// Reads the threads of an event at once.
    pub fn of(witness: &mut Witness, event: Event) -> Self {
        let pid = event.glimpse.pid;
        if event.raised.is_empty() {
            // Something goes on that may become an alert.
            witness.prepare(pid);
        }
        let witnessed = event.raised.iter().map(|it| of_one(witness, &event, it));
        Self {
            witnessed: witnessed.collect(),
            event,
        }
    }
}

fn of_one(witness: &mut Witness, event: &Event, raised: &Raised) -> Witnessed {
    let glimpse = &event.glimpse;
    let (lock, waiter) = match raised {
        Raised::Hold(hold, _) => (hold.lock, None),
        Raised::Wait(wait, _) => (wait.lock, Some(wait.tid)),
    };
    let hold: Option<&Hold> = match raised {
        Raised::Hold(hold, _) => Some(hold),
        Raised::Wait(..) => glimpse.holds.iter().find(|it| it.lock == lock),
    };
    // The places of other waits are in the recording.
    let longest = || {
        let waits = glimpse.waits.iter().filter(|it| it.lock == lock);
        waits.min_by_key(|it| it.since_ns).map(|it| it.tid)
    };
    let waiters: Vec<u32> = waiter.or_else(longest).into_iter().collect();
    let pid = glimpse.pid;
    if !records_into(pid, &event.part) {
        return Witnessed::nothing("the process has another id here");
    }
    let holds = || hold.is_some_and(|it| is_held(pid, it) && is_same(pid, it));
    witness.read(pid, hold.map(|it| it.tid), &waiters, holds)
}

/// Whether this is the process that writes the part. A process of another pid namespace calls itself by an id that another process may
/// have here.
fn records_into(pid: u32, part: &Path) -> bool {
    let of = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let here = part_of(pid).and_then(|file| file.metadata().ok());
    here.is_some_and(|here| part.metadata().is_ok_and(|it| of(it) == of(here)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_records_nothing_is_not_the_one() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(!records_into(std::process::id(), file.path()));
        assert!(!records_into(1 << 23, file.path()));
    }
}
