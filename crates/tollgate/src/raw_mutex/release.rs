//! The release that examines the waiters.

use super::queue::Node;
use super::word::{
    ATTENTIVE, CALL, COMING, DUE, GRANTED, HANDED_OVER, HEIR, HOLDER, QUEUED, SPINNER, has_any,
};
use super::{RawMutex, asymmetric, round_trip};
use crate::sync::{Ordering, planted};

/// Who may acquire the lock after a release.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// The first thread that tries, unless an heir has waited for as long as any thread has to.
    Anybody,
    /// The heir, or the first of the queue, if one of them waits.
    TheFirst,
}

impl RawMutex {
    /// Frees the lock, or hands it over, and wakes the thread that is to be woken.
    #[cold]
    pub(super) fn release(&self, after: After) {
        asymmetric::prepare();
        let is_fair = after == After::TheFirst;
        let mut appointed = None;
        // Relaxed: a hint for the exchanges.
        let mut state = self.word.load(Ordering::Relaxed);
        loop {
            if has_any(state, QUEUED) && (has_any(state, CALL) || is_fair) && !has_any(state, HEIR)
            {
                // A thread may be spinning at every release, and as long as there is no heir, nobody's patience ends (I3).
                appointed = self.pop();
                state = self.word.load(Ordering::Relaxed);
                continue;
            }
            let calls = has_any(state, CALL) && !has_any(state, SPINNER);
            let is_due = has_any(state, DUE) && !planted("a release forgets DUE");
            let is_due_now =
                is_fair && has_any(state, HEIR) && !planted("a fair release lets others overtake");
            let (next, wakes) = if is_due || is_due_now {
                // Handed over (I6). An heir that has asked for nothing may nap; one that is appointed here is woken below.
                let rest = state & !(HOLDER | DUE | CALL);
                let naps = is_fair && appointed.is_none();
                let asleep = has_any(state, CALL) || naps;
                let wakes = asleep && !planted("hands over and does not wake");
                (rest | GRANTED | HANDED_OVER, wakes)
            } else if calls {
                let wakes = has_any(state, HEIR);
                let comes = if wakes { COMING } else { 0 };
                let wakes = wakes && !planted("calls and does not wake");
                ((state & !(HOLDER | CALL)) | comes, wakes)
            } else if has_any(state, CALL) && has_any(state, HEIR | QUEUED) {
                // The spinner is going to acquire.
                let mut rest = state & !HOLDER;
                if planted("a call is dropped for the spinner") {
                    rest &= !CALL;
                }
                if planted("attention ends before the call") {
                    rest &= !ATTENTIVE;
                }
                (rest, false)
            } else {
                // Nobody has asked for anything since the last release that examined the word.
                (state & !(HOLDER | CALL | ATTENTIVE), false)
            };
            // Release: what the holder did is visible to the next thread that acquires (I1).
            match self
                .word
                .compare_exchange(state, next, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => {
                    if planted("touches the lock after an exchange") {
                        self.word.load(Ordering::Relaxed);
                    }
                    // From here on the lock may be gone, but the node may not (Q2).
                    if wakes {
                        round_trip::begins(&raw const self.word);
                        self.word.wake_one();
                    }
                    if let Some(node) = appointed {
                        // SAFETY: taken out above.
                        unsafe { Node::appoint(node) };
                    }
                    return;
                }
                Err(now) => state = now,
            }
        }
    }

    /// Takes out the first of the queue, which is the heir from now on, and still has to be notified. Takes none if the queue
    /// has been left, or left and entered again, with an heir.
    fn pop(&self) -> Option<*mut Node> {
        let mut queue = self.queue.change();
        // Relaxed throughout: it passes on no data. As long as the queue is not empty and is being changed, nobody becomes the
        // heir (I5).
        let mut state = self.word.load(Ordering::Relaxed);
        if has_any(state, HEIR) && !planted("appoints beside an heir") {
            return None;
        }
        let Some(node) = queue.pop() else {
            if planted("takes back the call of another") {
                self.word.fetch_and(!CALL, Ordering::Relaxed);
            }
            return None;
        };
        let empty = queue.is_empty() && !planted("QUEUED stays: the last is appointed");
        let gone = CALL | if empty { QUEUED } else { 0 };
        while let Err(now) = self.word.compare_exchange(
            state,
            (state & !gone) | HEIR | COMING,
            Ordering::Relaxed,
            Ordering::Relaxed,
        ) {
            state = now;
        }
        Some(node)
    }
}
