//! The release by a restartable sequence as the model checker sees it. Invariants: see `asymmetric`.
//!
//! Each lock has a generation, which a barrier raises. A sequence notes the generation when it begins, reads the word, and
//! stores only if the generation is still the same, checked in one step with the store; otherwise the release is an exchange. So
//! a barrier finds each sequence that had begun either done or forced to read again, which is A2. Sequences can also be
//! interrupted for reasons of their own, as by a debugger: then every second one is, whatever comes.
//!
//! # What the model represents
//!
//! - The generation's mutex orders a barrier with all sequences that end before it, and with all that begin after it: as
//!   membarrier(2) does, which is a full barrier for its caller and for each thread that it interrupts. It orders nothing else
//!   of those threads, whereas membarrier orders everything, and only the sequences of one lock: this is weaker than the real
//!   one.
//! - It also orders a sequence with those before it, which no processor does. But a thread begins a sequence because it holds
//!   the lock, and by then it has touched the data that the lock protects: if the lock's word alone did not order these
//!   accesses, the checker has found that already.
//! - The store is a release, and goes to the lower half: a `fetch_and` leaves the upper half as it is at that moment. A
//!   processor's store waits in its buffer for a while, during which others still find the lock held. For them, it happens
//!   when it leaves the buffer; that is the moment of the model's store. A barrier cannot come in between, since it empties
//!   the buffer.
//!
//! # What it cannot show
//!
//! That the kernel does what its manual says; that the assembly is the sequence described here; effects of accesses of two
//! sizes to one word beyond the above (a load of 64 bits that is served from the buffer and from the cache at once, which
//! never happens to an exchange); and processes that share a lock, which this one does not support.

use loom::sync::Mutex;

use super::super::RawMutex;
use super::super::word::{ATTENTIVE, HOLDER, has_any};
use super::exchange;
use crate::sync::{Ordering, planted};

/// How often sequences on one lock have been interrupted.
#[derive(Debug)]
pub(in super::super) struct Sequences {
    generation: Mutex<u64>,
    /// Where a debugger interrupts every second sequence: whether it interrupts the next one.
    debugger: Option<Mutex<bool>>,
}

impl Sequences {
    pub(in super::super) fn new() -> Self {
        Self {
            generation: Mutex::new(0),
            debugger: None,
        }
    }

    /// A debugger interrupts every second sequence, the first of all among them.
    pub(in super::super) fn debugged() -> Self {
        Self {
            debugger: Some(Mutex::new(true)),
            ..Self::new()
        }
    }

    /// Whether the sequence that begins now is interrupted by a debugger.
    fn is_debugged(&self) -> bool {
        self.debugger.as_ref().is_some_and(|next| {
            let mut next = next.lock().unwrap();
            *next = !*next;
            !*next
        })
    }

    fn begin(&self) -> u64 {
        *self.generation.lock().unwrap()
    }

    /// Does the last step of a sequence. Returns `false` if the sequence has been interrupted since it began.
    fn end(&self, begun_in: u64, store: impl FnOnce()) -> bool {
        let generation = self.generation.lock().unwrap();
        let undisturbed = *generation == begun_in;
        if undisturbed {
            store();
        }
        undisturbed
    }

    fn interrupt(&self) {
        *self.generation.lock().unwrap() += 1;
    }
}

/// Frees a held lock, if this is possible without examining the waiters. Returns `false` if nothing was done.
pub(in super::super) fn try_release(lock: &RawMutex) -> bool {
    let Some(sequences) = &lock.sequences else {
        return exchange::try_release(lock);
    };
    let begun_in = sequences.begin();
    // Relaxed: requests made before the last barrier are seen, and nothing is read on the strength of it.
    if has_any(lock.word.load(Ordering::Relaxed), ATTENTIVE) || sequences.is_debugged() {
        return false;
    }
    // Release: like every store of the processor.
    let stored = sequences.end(begun_in, || {
        lock.word.fetch_and(!HOLDER, Ordering::Release);
    });
    if stored && planted("touches the lock after a store") {
        lock.word.load(Ordering::Relaxed);
    }
    stored
}

/// Interrupts all sequences on this lock (A2).
pub(in super::super) fn barrier(lock: &RawMutex) -> bool {
    match &lock.sequences {
        Some(sequences) => {
            sequences.interrupt();
            true
        }
        None => exchange::barrier(lock),
    }
}
