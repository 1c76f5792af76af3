//! The place where the threads of a batch wait for each other before it begins.

use std::sync::{Condvar, Mutex, PoisonError};

/// Opens when all parties have arrived, and opens for good when one of them cannot take part.
///
/// Waiting threads sleep: one that spun here under `SCHED_FIFO` would keep the others on its CPU from ever arriving.
pub(super) struct Gate {
    missing: Mutex<Missing>,
    changed: Condvar,
}

struct Missing {
    parties: usize,
    failed: bool,
}

impl Gate {
    pub fn new(parties: usize) -> Gate {
        Gate {
            missing: Mutex::new(Missing {
                parties,
                failed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// Waits for the other parties. Returns false if the batch does not take place.
    pub fn arrive(&self) -> bool {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.parties = missing.parties.saturating_sub(1);
        self.changed.notify_all();
        while missing.parties > 0 && !missing.failed {
            missing = self
                .changed
                .wait(missing)
                .unwrap_or_else(PoisonError::into_inner);
        }
        !missing.failed
    }

    /// Reports that this party cannot take part.
    pub fn fail(&self) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.failed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn one_who_cannot_come_sends_the_others_home() {
        let gate = Arc::new(Gate::new(3));
        let others: Vec<_> = (0..2)
            .map(|_| {
                let gate = Arc::clone(&gate);
                std::thread::spawn(move || gate.arrive())
            })
            .collect();
        gate.fail();
        for other in others {
            assert!(!other.join().unwrap());
        }
    }

    #[test]
    fn opens_when_all_are_there() {
        let gate = Arc::new(Gate::new(2));
        let other = {
            let gate = Arc::clone(&gate);
            std::thread::spawn(move || gate.arrive())
        };
        assert!(gate.arrive() && other.join().unwrap());
    }
}
