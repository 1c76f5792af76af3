//! The holds that save time right now.
//!
//! Each thread that has held a chosen lock has a slot until its end. If another thread releases its lock, that thread ends the saving in
//! its place: the slot says who came first, so that no hold ends twice, or never.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use super::saved::{self, MOST_THREADS};

/// The slot belongs to no thread.
const FREE: u32 = 0;
/// The slot's thread saves nothing.
const IDLE: u32 = 1;
/// The slot's thread saves time (V1).
const SAVING: u32 = 2;
/// Another thread has released the lock for which the slot's thread saved time.
const ENDED: u32 = 3;

/// On a cache line of its own: its thread changes it in each hold.
#[repr(align(64))]
struct Padded(AtomicU32);

static SLOTS: [Padded; MOST_THREADS] = [const { Padded(AtomicU32::new(FREE)) }; MOST_THREADS];

/// The number of slots that have been used.
static USED: AtomicU32 = AtomicU32::new(0);

/// A slot of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u32);

impl Slot {
    /// Takes a free slot. `None` if there is none.
    pub fn take() -> Option<Self> {
        let free = SLOTS.iter().position(|slot| {
            // Relaxed, throughout: the states pass on nothing but themselves.
            slot.0
                .compare_exchange(FREE, IDLE, Relaxed, Relaxed)
                .is_ok()
        })?;
        let slot = u32::try_from(free).ok()?;
        USED.fetch_max(slot + 1, Relaxed);
        Some(Self(slot))
    }

    /// Returns the slot with a number from [`Self::number`]; `None` for 0.
    pub fn numbered(number: u32) -> Option<Self> {
        let index = number.checked_sub(1)?;
        ((index as usize) < MOST_THREADS).then_some(Self(index))
    }

    /// Returns the slot's number, which is not 0.
    pub fn number(self) -> u32 {
        self.0 + 1
    }

    fn state(self) -> &'static AtomicU32 {
        &SLOTS[self.0 as usize].0
    }

    /// Begins to save time at this moment.
    pub fn begin(self, at_ns: u64) {
        if self
            .state()
            .compare_exchange(IDLE, SAVING, Relaxed, Relaxed)
            .is_ok()
        {
            saved::begin(at_ns);
        }
    }

    /// Ends the saving at this moment. Returns whether it has not been ended by another thread.
    pub fn end(self, at_ns: u64) -> bool {
        let is_first = self
            .state()
            .compare_exchange(SAVING, IDLE, Relaxed, Relaxed)
            .is_ok();
        if is_first {
            saved::end(at_ns);
        }
        is_first
    }

    /// Ends the saving for a thread whose lock the caller releases.
    pub fn end_by_another(self, at_ns: u64) {
        if self.state().swap(ENDED, Relaxed) == SAVING {
            saved::end(at_ns);
        }
    }

    /// Whether another thread has ended the saving. Forgets it.
    pub fn take_ended(self) -> bool {
        self.state().load(Relaxed) == ENDED
            && self
                .state()
                .compare_exchange(ENDED, IDLE, Relaxed, Relaxed)
                .is_ok()
    }

    /// Gives the slot back.
    pub fn give_back(self) {
        self.state().store(FREE, Relaxed);
    }
}

/// Forgets all slots: their threads are not in this process.
pub fn reset() {
    let used = USED.swap(0, Relaxed) as usize;
    for slot in SLOTS.iter().take(used) {
        slot.0.store(FREE, Relaxed);
    }
}
