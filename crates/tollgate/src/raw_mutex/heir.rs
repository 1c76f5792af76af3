//! The heir: the thread that has waited longest. It ensures that its own wait ends.

use super::arrive::{FIRST_GAP, may_spin};
use super::asymmetric::{self, own_mark};
use super::bound::Due;
use super::queue::Node;
use super::word::{
    ATTENTIVE, CALL, COMING, DUE, GRANTED, HEIR, QUEUED, SPINNER, has, has_any, is_free,
};
use super::{RawMutex, round_trip};
use crate::Deadline;
use crate::backoff::Polls;
use crate::sync::{Ordering, planted};

/// The first nap of an heir that others have overtaken; each is twice as long as the one before.
const FIRST_NAP_NS: u64 = 50_000;

impl RawMutex {
    /// Waits as the heir until the lock is acquired (`true`), or until the deadline.
    ///
    /// `appointed_for_ns`: how long ago another thread appointed this one, if one did.
    // Long: it is one loop over the states of the word. Each arm is a state that the invariants name, and the arms share what
    // the heir has found out so far.
    pub(super) fn inherit(
        &self,
        appointed_for_ns: Option<u64>,
        deadline: Option<&Deadline>,
    ) -> bool {
        let due = Due::after_ns(
            self.patience_ns()
                .saturating_sub(appointed_for_ns.unwrap_or(0)),
        );
        // If a release appointed this thread and has freed the lock since, it has set `COMING`.
        let mut called = false;
        let mut nap_ns = FIRST_NAP_NS;
        // Whether others have acquired the lock between the release that woke this thread and this thread's check.
        let mut overtaken = false;
        let mut has_spun = appointed_for_ns.is_none();
        // Relaxed: only an exchange acquires.
        let mut state = self.word.load(Ordering::Relaxed);
        loop {
            if is_free(state) || has_any(state, GRANTED) {
                match self.take_over(state) {
                    Ok(()) => return true,
                    Err(now) => {
                        state = now;
                        continue;
                    }
                }
            }
            if has_any(state, COMING) {
                // A release has woken it, or would have if it had been asleep: even a release that came between the call and
                // its barrier.
                called = true;
                // Relaxed: it passes on no data.
                state = self.word.fetch_and(!COMING, Ordering::Relaxed) & !COMING;
                continue;
            }
            overtaken |= called;
            called = false;
            if deadline.is_some_and(Deadline::has_passed) && self.abdicate() {
                return false;
            }
            if !has_any(state, DUE) && due.has_come() {
                state = self.ask_for_attention(state, DUE);
                has_spun = false;
                continue;
            }
            if !has_spun && !has_any(state, SPINNER) && may_spin(state) {
                state = self.spin_as_heir(state);
                has_spun = true;
                continue;
            }
            if !has_any(state, DUE) && overtaken && due.allows_naps() {
                // Others acquire the lock all the time: for a while, releases need not wake anybody, and may be plain stores.
                state = self.set(state, state & !(CALL | ATTENTIVE));
                if is_free(state) || has_any(state, CALL | ATTENTIVE) {
                    continue;
                }
                let nap = Due::after_ns(nap_ns);
                self.word
                    .wait_until(state, due.or_earlier(nap.deadline(), deadline));
                nap_ns *= 2;
            } else {
                if !has(state, CALL | ATTENTIVE) {
                    state = self.ask_for_attention(state, CALL);
                    continue;
                }
                let until = if has_any(state, DUE) {
                    deadline
                } else {
                    due.or_earlier(None, deadline)
                };
                // A4, A5. Its end cannot be distinguished from a wake-up that was for another thread.
                let look = asymmetric::longest_sleep_ns().map(Due::after_ns);
                let until = match &look {
                    Some(look) => look.or_earlier(None, until),
                    None => until,
                };
                self.word.wait_until(state, until);
                has_spun = false;
            }
            // Relaxed: as above.
            let before = state;
            state = self.word.load(Ordering::Relaxed);
            if has_any(before, CALL) && !has_any(state, CALL) {
                round_trip::ends(&raw const self.word);
                called = true;
            }
        }
    }

    /// Acquires a lock that is free or has been handed over. If others wait, the release is told to appoint the next heir.
    /// That release is this thread's own, or comes after it, and needs no barrier to see the request.
    fn take_over(&self, state: u64) -> Result<(), u64> {
        let mut next = if has_any(state, QUEUED) {
            QUEUED | CALL | ATTENTIVE
        } else {
            0
        };
        if planted("an heir that acquires does not call") {
            next &= !CALL;
        }
        if planted("an heir that acquires remains the heir") {
            next |= HEIR;
        }
        // Acquire: pairs with the releases and the hand-over (I1).
        self.word
            .compare_exchange(
                state,
                next | (state & SPINNER) | u64::from(own_mark()),
                Ordering::Acquire,
                Ordering::Relaxed,
            )
            .map(drop)
    }

    /// Sets `bit` and makes releases examine the word. Returns the state afterwards. If the lock is free, nothing is done.
    fn ask_for_attention(&self, state: u64, bit: u64) -> u64 {
        let asked = self.set(state, state | bit | ATTENTIVE);
        if has(asked, bit | ATTENTIVE) && !has_any(state, ATTENTIVE) {
            if !planted("no barrier") {
                asymmetric::barrier(self);
            }
            if planted("no look after the barrier") {
                return asked;
            }
            // Relaxed: as everywhere except where the lock is acquired.
            return self.word.load(Ordering::Relaxed);
        }
        asked
    }

    /// Exchanges the state, if it is unchanged. Returns the state afterwards.
    fn set(&self, state: u64, next: u64) -> u64 {
        if state == next {
            return state;
        }
        // Relaxed: it passes on no data.
        match self
            .word
            .compare_exchange(state, next, Ordering::Relaxed, Ordering::Relaxed)
        {
            Ok(_) => next,
            Err(now) => now,
        }
    }

    /// Spins until the lock is free or handed over, or for as long as a wake-up takes. Returns the state at the end.
    fn spin_as_heir(&self, state: u64) -> u64 {
        if self.set(state, state | SPINNER) != state | SPINNER {
            return self.word.load(Ordering::Relaxed);
        }
        let mut polls = Polls::new(FIRST_GAP, self.spin_units());
        let mut state = state | SPINNER;
        while !is_free(state) && !has_any(state, GRANTED) && may_spin(state) && polls.wait() {
            state = self.word.load(Ordering::Relaxed);
        }
        if planted("SPINNER stays: spun as the heir") {
            return state;
        }
        // Relaxed: it passes on no data.
        self.word.fetch_and(!SPINNER, Ordering::Relaxed) & !SPINNER
    }

    /// Leaves the heir's place to the first of the queue, if there is one. Returns `false` if the lock is free or has been
    /// handed over.
    fn abdicate(&self) -> bool {
        let mut queue = self.queue.change();
        // Relaxed throughout: it passes on no data.
        let mut state = self.word.load(Ordering::Relaxed);
        loop {
            let gone = is_free(state) || has_any(state, GRANTED);
            if gone && !planted("an heir gives up what it has been given") {
                return false;
            }
            let heir = if has_any(state, QUEUED) {
                HEIR | COMING
            } else {
                0
            };
            let next = (state & !(HEIR | COMING | DUE | CALL)) | heir;
            match self
                .word
                .compare_exchange(state, next, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => break,
                Err(now) => state = now,
            }
        }
        if planted("an heir gives up and appoints nobody") {
            return true;
        }
        let Some(next) = queue.pop() else {
            return true;
        };
        if queue.is_empty() && !planted("QUEUED stays: the heir gives up") {
            self.word.fetch_and(!QUEUED, Ordering::Relaxed);
        }
        drop(queue);
        // SAFETY: taken out above.
        unsafe { Node::appoint(next) };
        true
    }
}
