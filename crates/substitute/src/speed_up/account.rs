//! What the calling thread has paid, and its holds.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use core::sync::atomic::{AtomicBool, AtomicU64, compiler_fence};

use super::saved::{self, Saved, clock};
use super::slot::Slot;
use super::{ending, pause, slot};
use crate::generation;
use crate::tally;
use crate::thread_data::thread_data;

/// A thread's account. It begins as all zeros.
#[derive(Debug)]
#[repr(C)]
pub struct Account {
    /// The generation of the process that opened it; 0: none.
    generation: u64,
    /// The saved time that the thread has paid, or need not pay.
    paid: Saved,
    /// How many chosen locks the thread holds.
    holds: u64,
    /// When the thread began to save time; 0: it does not.
    saving_since_ns: u64,
    /// [`Slot::number`], or 0.
    slot: u32,
}

/// A thread's account, and whether the thread is changing it.
#[derive(Debug)]
#[repr(C)]
struct Own {
    is_busy: AtomicBool,
    account: Account,
}

thread_data! {
    /// Returns what is the calling thread's own.
    fn own() -> *mut Own = "locktoll_speed_up_account";
}

/// The generation of the process for which `saved` and `slot` are valid.
static PROCESS: AtomicU64 = AtomicU64::new(0);

/// Another thread makes them valid.
const BUSY: u64 = 1;

/// Runs `action` with the calling thread's account, opened.
///
/// A signal handler that locks, which POSIX does not permit, may interrupt the thread in here. Its holds are then left out, from their
/// beginning to their end: it returns before this goes on.
#[inline]
fn with<T: Default>(action: impl FnOnce(&mut Account) -> T) -> T {
    let own = own();
    // SAFETY: V2.
    let is_busy = unsafe { &(*own).is_busy };
    // Relaxed: it is the thread's own, and the fences keep the account's changes between the two stores.
    if is_busy.load(Relaxed) {
        return T::default();
    }
    is_busy.store(true, Relaxed);
    compiler_fence(SeqCst);
    // SAFETY: V2; a signal handler does not come here while the account is busy.
    let account = unsafe { &mut (*own).account };
    if account.generation != generation::in_force() {
        account.open();
    }
    let result = action(account);
    compiler_fence(SeqCst);
    is_busy.store(false, Relaxed);
    result
}

/// Pays everything that has been saved so far. Called before an acquisition, a release, and whatever else may be seen by other
/// threads.
#[inline]
pub fn pay() {
    with(Account::pay);
}

/// Called when the calling thread is about to sleep until another thread wakes it.
pub fn suspend() {
    with(|account| {
        if account.holds > 0 {
            account.end_saving(clock());
        }
    });
}

/// Called when the calling thread has been woken by a thread that had paid what was saved by then. Pays for the time since.
pub fn woken(by_then: Saved) {
    with(|account| {
        if by_then.minus(account.paid) > 0 {
            account.paid = by_then;
        }
        account.pay();
        account.resume();
    });
}

/// Called when the calling thread has been woken, and the moment is not known: pays nothing.
pub fn woken_now() {
    with(|account| {
        let now = account.saved_by_others(clock());
        if now.minus(account.paid) > 0 {
            account.paid = now;
        }
        account.resume();
    });
}

/// Called after [`suspend`] if no other thread has woken this one.
pub fn resume() {
    with(|account| {
        account.pay();
        account.resume();
    });
}

/// Returns what has been saved so far.
pub fn saved_by_now() -> Saved {
    saved::now(clock)
}

/// Begins a hold of a chosen lock. Returns the number of the thread's slot, for the release.
pub fn begin() -> u32 {
    with(|account| {
        account.forget_what_others_released();
        if Slot::numbered(account.slot).is_none() {
            account.slot = Slot::take().map_or(0, Slot::number);
            note_process();
            // The end of the thread gives the slot back. Not at its first use alone: a thread may lock while it ends.
            ending::notice();
        }
        account.holds += 1;
        if account.holds == 1 {
            account.resume();
        }
        account.slot
    })
}

/// Ends a hold of the calling thread.
pub fn end_own() {
    with(|account| {
        if account.holds > 0 {
            account.end_hold();
        }
    });
}

/// Ends a hold that the thread with this slot has begun; with 0, the calling thread.
pub fn end(number: u32) {
    with(|account| match Slot::numbered(number) {
        Some(slot) if number != account.slot => slot.end_by_another(clock()),
        _ => account.end_hold(),
    });
}

/// Pays for the last time, and gives up what the thread has: it ends.
pub fn close() {
    with(|account| {
        account.pay();
        account.holds = 0;
        account.end_saving(clock());
        if let Some(slot) = Slot::numbered(account.slot) {
            slot.give_back();
        }
        account.slot = 0;
    });
}

impl Account {
    /// Opens the account of a thread that uses it for the first time in its process. Its creator has paid.
    #[cold]
    fn open(&mut self) {
        let generation = (u64::from(generation::current())) << 32;
        make_valid(generation);
        *self = Self {
            generation,
            paid: saved_by_now(),
            holds: 0,
            saving_since_ns: 0,
            slot: 0,
        };
        ending::notice();
    }

    fn end_hold(&mut self) {
        self.forget_what_others_released();
        self.holds = self.holds.saturating_sub(1);
        if self.holds == 0 {
            self.end_saving(clock());
        }
    }

    fn forget_what_others_released(&mut self) {
        if Slot::numbered(self.slot).is_some_and(Slot::take_ended) {
            self.holds = 0;
            self.saving_since_ns = 0;
            self.paid = saved_by_now();
        }
    }

    /// Returns what has been saved, without the part that this thread has saved since it began to.
    fn saved_by_others(&self, now_ns: u64) -> Saved {
        let all = saved::now(|| now_ns);
        match self.saving_since_ns {
            0 => all,
            since => {
                let own_ns = saved::share(now_ns).wrapping_sub(saved::share(since));
                all.plus(own_ns.wrapping_neg())
            }
        }
    }

    fn pay(&mut self) {
        if self.saving_since_ns != 0 {
            self.forget_what_others_released();
        }
        let mut now_ns = 0;
        let now = saved::now(|| {
            now_ns = clock();
            now_ns
        });
        let own_ns = match self.saving_since_ns {
            0 => 0,
            since => saved::share(now_ns.saturating_sub(since)),
        };
        // A payment shorter than two readings of the clock would take longer than it should.
        let debt_ns = now.minus(self.paid) - own_ns.cast_signed();
        if debt_ns <= 2 * saved::reading_ns().cast_signed() {
            return;
        }
        self.end_saving(clock());
        self.paid = pause::pay(self.paid);
        self.resume();
    }

    /// Ends the saving, if the thread saves time.
    fn end_saving(&mut self, now_ns: u64) {
        if self.saving_since_ns == 0 {
            return;
        }
        let saved_ns = saved::share(now_ns).wrapping_sub(saved::share(self.saving_since_ns));
        self.saving_since_ns = 0;
        if Slot::numbered(self.slot).is_some_and(|slot| slot.end(now_ns)) {
            self.paid = self.paid.plus(saved_ns);
            tally::add_saved(saved_ns);
        }
    }

    /// Begins the saving, if the thread holds a chosen lock.
    fn resume(&mut self) {
        if self.holds == 0 || self.saving_since_ns != 0 {
            return;
        }
        if let Some(slot) = Slot::numbered(self.slot) {
            let now_ns = clock();
            self.saving_since_ns = now_ns;
            slot.begin(now_ns);
        }
    }
}

/// Counts this process among those in which holds save time, once.
fn note_process() {
    /// The generation of the process that was counted last.
    static COUNTED: AtomicU64 = AtomicU64::new(0);
    let generation = generation::in_force();
    if COUNTED.swap(generation, AcqRel) != generation {
        tally::count_saving_process();
    }
}

/// Makes `saved` and `slot` valid for this process.
fn make_valid(generation: u64) {
    // A thread that was making them valid when this process was forked off is not in this process.
    const PATIENCE: u32 = 1000;
    for _ in 0..PATIENCE {
        // Acquire and release: a thread that finds them valid sees them so.
        let process = PROCESS.load(Acquire);
        if process == generation {
            return;
        }
        if process != BUSY
            && PROCESS
                .compare_exchange(process, BUSY, AcqRel, Acquire)
                .is_ok()
        {
            break;
        }
        core::hint::spin_loop();
    }
    saved::reset();
    slot::reset();
    PROCESS.store(generation, Release);
}

/// Tests that change what all threads have saved take turns.
#[cfg(test)]
pub fn turn() -> std::sync::MutexGuard<'static, ()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    TURN.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
