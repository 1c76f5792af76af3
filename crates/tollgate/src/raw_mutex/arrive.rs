//! A thread that has found the lock held: it spins if no other thread does, and then becomes the heir or enters the queue.

use super::asymmetric::{self, own_mark};
use super::bound::Due;
use super::queue::{Changing, Node};
use super::word::{
    ATTENTIVE, COMING, DUE, GRANTED, HEIR, HOLDER, QUEUED, SPINNER, has_any, is_free,
};
use super::{RawMutex, processors, round_trip};
use crate::Deadline;
use crate::backoff::Polls;
use crate::sync::{Ordering, planted, yield_now};

/// The units of checking the lock before a thread counts as a waiter: three checks in half a microsecond.
const GLANCES: u32 = if cfg!(locktoll_loom) { 0 } else { 20 };
const FIRST_GLANCE: u32 = 8;
/// The units between the spinner's first two checks.
pub(super) const FIRST_GAP: u32 = 128;

/// The outcome for a thread that has arrived.
enum Arrived {
    Acquired,
    GaveUp,
    Heir,
    /// It has to enter the queue; it still spins if this is `SPINNER`.
    Queue(u64),
}

/// The outcome for a thread that was in the queue.
pub(super) enum Turn {
    /// It is the heir; it was appointed this long before it ran.
    Heir {
        for_ns: u64,
    },
    Acquired,
    GaveUp,
    /// The lock, or the heir's place, may be free. The thread has this role.
    Again(u64),
}

impl RawMutex {
    /// Waits until the lock is acquired (`true`), or until the deadline if there is one.
    #[cold]
    pub(super) fn wait(&self, deadline: Option<&Deadline>) -> bool {
        if self.glance() {
            return true;
        }
        asymmetric::prepare();
        let mut role = 0;
        loop {
            match self.arrive(role, deadline) {
                Arrived::Acquired => return true,
                Arrived::GaveUp => return false,
                Arrived::Heir => return self.inherit(None, deadline),
                Arrived::Queue(with) => {
                    match Node::with(None, |node| self.queue_up(node, with, deadline)) {
                        Turn::Heir { for_ns } => return self.inherit(Some(for_ns), deadline),
                        Turn::Acquired => return true,
                        Turn::GaveUp => return false,
                        Turn::Again(with) => role = with,
                    }
                }
            }
        }
    }

    /// Waits in the queue for its turn.
    fn queue_up(&self, node: &Node, role: u64, deadline: Option<&Deadline>) -> Turn {
        match self.enlist(node, role) {
            Some(state) => self.await_turn(node, state, deadline),
            None => Turn::Again(role),
        }
    }

    /// Waits as a thread that has entered the queue in this state.
    pub(super) fn await_turn(&self, node: &Node, state: u64, deadline: Option<&Deadline>) -> Turn {
        let mut comes = false;
        if has_any(state, GRANTED) {
            let revocation = Due::after_ns(self.revocation_ns());
            comes = node.sleep(revocation.or_earlier(None, deadline));
            // Not for the thread's own deadline: threads with short ones would take every hand-over from its heir.
            if !comes && revocation.has_come() && self.revoke(node) {
                return Turn::Acquired;
            }
        }
        if !comes && !node.sleep(deadline) {
            if self.leave_queue(node) {
                return Turn::GaveUp;
            }
            // It was taken out by a thread that is about to notify it.
            node.sleep(None);
        }
        Turn::Heir {
            for_ns: node.appointed_for_ns(),
        }
    }

    /// Acquires a lock that has been handed over to an heir that does not come (I6), and takes the calling thread out of the
    /// queue. If the heir has come, or the thread has been taken out, does nothing and returns `false`: the thread keeps its
    /// place.
    fn revoke(&self, node: &Node) -> bool {
        let mut queue = self.queue.change();
        if !queue.holds(node) {
            return false;
        }
        // Relaxed: only the exchange acquires.
        let mut state = self.word.load(Ordering::Relaxed);
        loop {
            if !has_any(state, GRANTED) {
                return false;
            }
            let mut next = (state & !(HOLDER | GRANTED)) | DUE | ATTENTIVE | u64::from(own_mark());
            if planted("a revocation leaves GRANTED") {
                next |= GRANTED;
            }
            if planted("a revocation forgets DUE") {
                next &= !DUE;
            }
            // Acquire: pairs with the hand-over (I1).
            match self
                .word
                .compare_exchange(state, next, Ordering::Acquire, Ordering::Relaxed)
            {
                Ok(_) => break,
                Err(now) => state = now,
            }
        }
        self.remove(&mut queue, node);
        true
    }

    /// Checks the lock for a moment, without showing this to other threads: a lock that is held for less than that is not
    /// worth a waiter's exchanges.
    fn glance(&self) -> bool {
        // Relaxed: a hint. There are two cases. The heir may have been woken without running yet: it may be waiting for a
        // processor, while all of the process's processors are taken by threads that, like this one, seldom sleep. Or the
        // holder was on this processor, and cannot run while this thread does: for example, it has signalled a condition, and
        // the thread that it woke has taken its processor. It needs a moment, and sleeping until then would take a barrier.
        let state = self.word.load(Ordering::Relaxed);
        if cfg!(not(locktoll_loom))
            && (has_any(state, COMING) || !is_free(state) && !may_spin(state))
        {
            yield_now();
        }
        let mut polls = Polls::new(FIRST_GLANCE, GLANCES);
        loop {
            // Relaxed: only an exchange acquires.
            let state = self.word.load(Ordering::Relaxed);
            if is_free(state) {
                if asymmetric::try_acquire(&self.word) {
                    return true;
                }
            } else if !may_spin(state) {
                return false;
            }
            if !polls.wait() {
                return false;
            }
        }
    }

    /// Spins, becomes the heir or enters the queue. `role` is `SPINNER` for a thread that has already spun, and has the bit.
    fn arrive(&self, mut role: u64, deadline: Option<&Deadline>) -> Arrived {
        let mut polls = Polls::new(FIRST_GAP, if role == 0 { self.spin_units() } else { 0 });
        // Relaxed: only an exchange acquires.
        let mut state = self.word.load(Ordering::Relaxed);
        loop {
            let (next, order, outcome) = if is_free(state) {
                // Acquire: pairs with the releases (I1).
                (
                    (state & !role) | u64::from(own_mark()),
                    Ordering::Acquire,
                    Some(Arrived::Acquired),
                )
            } else if has_any(state, GRANTED) {
                // The heir may need this thread's processor to take the lock.
                return Arrived::Queue(role);
            } else if role == 0 && !has_any(state, SPINNER) && may_spin(state) {
                (state | SPINNER, Ordering::Relaxed, None)
            } else if role != 0 && may_spin(state) && polls.wait() {
                state = self.word.load(Ordering::Relaxed);
                continue;
            } else if deadline.is_some_and(Deadline::has_passed) {
                let role = if planted("SPINNER stays: late") {
                    0
                } else {
                    role
                };
                (state & !role, Ordering::Relaxed, Some(Arrived::GaveUp))
            } else if has_any(state, HEIR | QUEUED) {
                return Arrived::Queue(role);
            } else {
                let role = if planted("SPINNER stays: heir") {
                    0
                } else {
                    role
                };
                (
                    (state & !role) | HEIR,
                    Ordering::Relaxed,
                    Some(Arrived::Heir),
                )
            };
            match self
                .word
                .compare_exchange(state, next, order, Ordering::Relaxed)
            {
                Ok(_) => match outcome {
                    Some(outcome) => return outcome,
                    None => {
                        role = SPINNER;
                        state = next;
                    }
                },
                Err(now) => state = now,
            }
        }
    }

    /// Puts a thread into the queue, and gives up its `role`. Returns the new state, or `None` if the lock or the heir's place
    /// is free.
    fn enlist(&self, node: &Node, role: u64) -> Option<u64> {
        let mut queue = self.queue.change();
        // Relaxed: it passes on no data.
        let mut state = self.word.load(Ordering::Relaxed);
        loop {
            if is_free(state) || !has_any(state, HEIR | QUEUED) {
                return None;
            }
            let role = if planted("SPINNER stays: queue") {
                0
            } else {
                role
            };
            let next = (state & !role) | QUEUED;
            // Relaxed: as above.
            match self
                .word
                .compare_exchange(state, next, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => break,
                Err(now) => state = now,
            }
        }
        // SAFETY: Q2: the node is new, and its thread sleeps until it has been appointed or has left.
        unsafe { queue.push(node) };
        Some(state)
    }

    /// Takes a thread out of the queue. Returns `false` if another thread has already done so.
    fn leave_queue(&self, node: &Node) -> bool {
        self.remove(&mut self.queue.change(), node)
    }

    fn remove(&self, queue: &mut Changing<'_>, node: &Node) -> bool {
        let left = queue.remove(node);
        if left && queue.is_empty() && !planted("QUEUED stays: the last leaves") {
            // Relaxed: it passes on no data. The queue stays empty as long as it is being changed (I5).
            self.word.fetch_and(!QUEUED, Ordering::Relaxed);
        }
        left
    }

    pub(super) fn spin_units(&self) -> u32 {
        round_trip::units()
    }
}

/// Whether the holder can be about to release the lock. It cannot be, if it cannot run while this thread does.
pub(super) fn may_spin(state: u64) -> bool {
    // The lower half.
    let holder = (state & HOLDER) as u32;
    processors::are_many() && !asymmetric::is_here(holder)
}
