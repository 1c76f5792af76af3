//! Makes locks in the states from which the models start.

use super::RawMutex;
use super::arrive::Turn;
use super::asymmetric::Sequences;
use super::queue::Node;
use super::word::{ATTENTIVE, CALL, DUE, HEIR, QUEUED, has_any};
use crate::Deadline;
use crate::sync::Ordering;

/// A place in the queue that has been taken for a thread that is still to come.
#[derive(Debug)]
pub struct Place(&'static Node);

// SAFETY: Q2: the node is used by its thread, and by the thread that changes the queue.
unsafe impl Send for Place {}

impl RawMutex {
    /// Creates a free lock whose heirs have no patience at all. With other locks, their patience is unlimited.
    #[must_use]
    pub fn impatient() -> Self {
        Self {
            patience_ns: 0,
            ..Self::new()
        }
    }

    /// Returns the same lock, released by stores if nobody asks for attention.
    #[must_use]
    pub fn releasing_by_stores(self) -> Self {
        Self {
            sequences: Some(Sequences::new()),
            ..self
        }
    }

    /// Returns the same lock, released by stores or by exchanges: a debugger interrupts every second release that would be a
    /// store.
    #[must_use]
    pub fn releasing_by_either(self) -> Self {
        Self {
            sequences: Some(Sequences::debugged()),
            ..self
        }
    }

    /// Returns the same lock, where a hand-over is revoked as soon as it is seen. With other locks, a hand-over stands
    /// forever.
    #[must_use]
    pub fn revoking(self) -> Self {
        Self {
            revocation_ns: 0,
            ..self
        }
    }

    pub(super) fn revocation_ns(&self) -> u64 {
        self.revocation_ns
    }

    pub(super) fn patience_ns(&self) -> u64 {
        self.patience_ns
    }

    /// Whether the next release must hand the lock over.
    #[must_use]
    pub fn is_due(&self) -> bool {
        // Relaxed: for a holder, whose release examines the same word later.
        has_any(self.word.load(Ordering::Relaxed), DUE)
    }

    /// Whether a fair release must hand the lock over.
    #[must_use]
    pub fn has_first(&self) -> bool {
        // Relaxed: as above. An heir or a queue stays until a release, if nobody gives up.
        has_any(self.word.load(Ordering::Relaxed), HEIR | QUEUED)
    }

    /// Takes the last place of a lock whose holder was the heir: the next release appoints the first of the queue. To be
    /// called by the holder, while the lock is not shared.
    #[must_use]
    pub fn take_place(&self) -> Place {
        let node = Node::leaked(None);
        let mut queue = self.queue.change();
        let state = self.word.load(Ordering::Relaxed);
        self.word
            .store(state | QUEUED | CALL | ATTENTIVE, Ordering::Relaxed);
        // SAFETY: Q2: the node is never freed.
        unsafe { queue.push(node) };
        Place(node)
    }

    /// Waits in a place in this lock's queue, and then as the heir, until the lock is acquired (`true`) or until the deadline.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "nobody waits there twice")]
    pub fn wait_in(&self, place: Place, deadline: Option<&Deadline>) -> bool {
        let turn = self.await_turn(place.0, QUEUED, deadline);
        place.0.end();
        match turn {
            Turn::Heir { for_ns } => self.inherit(Some(for_ns), deadline),
            Turn::GaveUp => false,
            Turn::Acquired | Turn::Again(_) => unreachable!("nothing has been handed over yet"),
        }
    }

    /// Tells the model that the lock is freed here.
    pub fn end(&self) {
        self.word.end();
        self.queue.end();
    }
}
