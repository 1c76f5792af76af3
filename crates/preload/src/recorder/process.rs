//! The recorder of one process: whether it records, and the data that its hooks read without the lock.

use core::ptr::null_mut;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64};

use locktoll_recording::layout::{Mode, Origin, StopReason, flags};

use super::futex_lock::FutexLock;
use super::shared::Shared;
use crate::clock;
use crate::contended::ContendedLocks;
use crate::environment;
use crate::events::Room;
use crate::failure;
use crate::generations::Generations;
use crate::holders::Holders;
use crate::lineage::{self, Ancestor};
use crate::numbers::Births;
use crate::part::Part;
use crate::signals::Signals;
use crate::sites::SiteAddresses;
use crate::sys::{self, Errno};
use crate::thread::Thread;
use crate::ticks::Ticks;
use crate::unwind::{Rules, Tables};

static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(null_mut());
/// Whether this process image has started a recorder before. If so, a recorder that has not started belongs to a forked child.
static STARTED_BEFORE: AtomicBool = AtomicBool::new(false);

const NEW: u32 = 0;
const ON: u32 = 1;
const OFF: u32 = 2;
const SHUT: u32 = 3;

/// The state of a process's recorder.
pub enum State {
    New,
    /// It records into this part.
    On(&'static Part),
    /// It has recorded into this part, and no longer makes system calls. Counters go on.
    Shut(&'static Part),
    Off,
}

/// Everything that the recorder has in one process.
#[repr(C)]
pub struct Recorder {
    phase: AtomicU32,
    pub(super) lock: FutexLock,
    exact: AtomicBool,
    /// The room for events by time.
    pub room: Room,
    /// The counter that times holds.
    pub ticks: Ticks,
    /// A number that identifies this process.
    salt: AtomicU64,
    /// Read by every hook, without the lock.
    pub addresses: SiteAddresses,
    /// What the unwinder has learned. It is read and extended without the lock.
    pub rules: Rules,
    /// Locks that somebody waits for.
    pub contended: ContendedLocks,
    /// The times when conditions were signalled.
    pub signals: Signals,
    /// Threads by their id.
    pub holders: Holders,
    /// The numbers that distinguish locks.
    pub generations: Generations,
    /// A thread's pointer points here after its end: tables that never start, so its hooks use the stand-in.
    after_the_end: Thread,
    pub(super) shared: Shared,
}

// SAFETY: G2 and `Guard` keep `shared` to one thread at a time; everything else is atomic.
unsafe impl Sync for Recorder {}

impl Recorder {
    /// Returns this process's recorder if it records, and starts it if it has not started.
    pub fn running() -> Option<&'static Self> {
        let recorder = Self::mapped()?;
        // Acquire: pairs with the release in `start`; a thread that sees ON sees the part's header.
        match recorder.phase.load(Acquire) {
            ON => Some(recorder),
            OFF | SHUT => None,
            _ => recorder.start(),
        }
    }

    /// Returns this process's recorder if it has started and records.
    #[inline(always)]
    pub fn get() -> Option<&'static Self> {
        // Acquire: pairs with the exchange in `mapped`. An ordinary load on x86-64.
        // SAFETY: G1.
        unsafe { RECORDER.load(Acquire).as_ref() }
    }

    /// Returns the state of this process's recorder, without starting it.
    pub fn state() -> State {
        let Some(recorder) = Self::get() else {
            return State::Off;
        };
        // Acquire: as in `running`.
        match recorder.phase.load(Acquire) {
            ON => State::On(recorder.part()),
            SHUT => State::Shut(recorder.part()),
            OFF => State::Off,
            _ => State::New,
        }
    }

    /// Whether new records can be made and system calls are allowed.
    #[inline]
    pub fn is_on(&self) -> bool {
        // Acquire: as in `running`.
        self.phase.load(Acquire) == ON
    }

    /// Makes the call by which the process gives up system calls, possibly for all of its threads. Unless the call
    /// `has_failed`, the recorder makes no system call from just before it on, either here or in a child that is forked off.
    pub fn giving_up_system_calls<T>(give_up: impl FnOnce() -> T, has_failed: fn(&T) -> bool) -> T {
        let recorder = Self::get().filter(|recorder| recorder.is_on());
        let header = recorder.and_then(|recorder| recorder.part().header());
        // Relaxed: set before any thread records.
        if header.is_some_and(|header| header.pid.load(Relaxed) != sys::pid()) {
            // This child shares its parent's memory until it executes another program, vfork(2): the parent goes on.
            return give_up();
        }
        // This is done before the call: once the call is made, the kernel ends the process for any system call that one of its
        // threads is about to make here.
        if let Some(recorder) = recorder {
            recorder.phase.store(SHUT, Release);
            // A thread that holds the lock now still makes system calls.
            drop(recorder.lock());
        }
        // Relaxed throughout: see `sys`.
        sys::GIVEN_UP.fetch_add(1, Relaxed);
        let result = give_up();
        if !has_failed(&result) {
            if let Some(recorder) = recorder {
                let part = recorder.part();
                part.stop(StopReason::Forbidden, Errno(libc::EPERM));
            }
        } else if sys::GIVEN_UP.fetch_sub(1, Relaxed) == 1
            && let Some(recorder) = recorder
        {
            recorder.phase.store(ON, Release);
        }
        result
    }

    fn mapped() -> Option<&'static Self> {
        if let Some(recorder) = Self::get() {
            return Some(recorder);
        }
        if sys::are_calls_given_up() {
            return None;
        }
        let memory = sys::map_private_wiped_on_fork(size_of::<Self>())
            .inspect_err(|&errno| failure::note(errno))
            .ok()?;
        let new = memory.as_ptr().cast::<Self>();
        // Release: a thread that sees the pointer sees mapped memory. Acquire on failure: the other half of the pair.
        match RECORDER.compare_exchange(null_mut(), new, Release, Acquire) {
            Ok(_) => {}
            // SAFETY: no other thread has seen this mapping.
            Err(_) => unsafe { sys::unmap(memory, size_of::<Self>()) },
        }
        Self::get()
    }

    #[cold]
    fn start(&'static self) -> Option<&'static Self> {
        if sys::are_calls_given_up() {
            return None;
        }
        let _guard = self.lock();
        // Relaxed: the lock orders it.
        if self.phase.load(Relaxed) == NEW {
            let phase = if self.start_shared().is_some() {
                ON
            } else {
                OFF
            };
            // Release: a thread that sees ON without the lock sees what the start wrote.
            self.phase.store(phase, Release);
        }
        (self.phase.load(Relaxed) == ON).then_some(self)
    }

    /// Starts the data that the lock protects. The caller holds the lock.
    fn start_shared(&self) -> Option<()> {
        let shared = &self.shared;
        // SAFETY: the lock is held.
        let directory = unsafe { environment::directory() }?;
        // Relaxed: the outcome only affects a word in the header.
        let origin = if STARTED_BEFORE.swap(true, Relaxed) {
            Origin::Fork
        } else {
            Origin::Exec
        };
        let mode = environment::mode();
        if let Err(errno) = shared.part.create(directory, origin, mode) {
            failure::note(errno);
            return None;
        }
        // Relaxed, both: the phase is stored after them, with release.
        self.exact.store(mode == Mode::Exact, Relaxed);
        self.ticks.start();
        let salt = clock::monotonic_ns().rotate_left(20) ^ u64::from(sys::pid());
        self.salt.store(salt, Relaxed);
        if let Some(header) = shared.part.header() {
            if environment::notes_order() {
                header.flags.fetch_or(flags::NOTES_ORDER, Relaxed);
            }
            if let Some((keeps, bytes)) = environment::timeline() {
                header.keeps.store(u64::from(keeps.number()), Relaxed);
                header.event_bytes.store(bytes, Relaxed);
            }
            lineage::add(Ancestor {
                salt,
                pid: header.pid.load(Relaxed),
                sequence: header.sequence.load(Relaxed),
            });
        }
        // SAFETY: G2; this is the first use since the memory was all zeros.
        unsafe {
            shared.sites.start();
            shared.modules.start(&shared.part);
            shared.stacks.start();
            shared.births.start();
            shared.slots.start();
            shared.stand_in.start(0);
        }
        Some(())
    }

    /// Whether every hold is timed, rather than a sample.
    #[inline(always)]
    pub fn is_exact(&self) -> bool {
        // Relaxed: set before any thread records.
        self.exact.load(Relaxed)
    }

    /// Returns a random number that, in all likelihood, no other process has, not even a forked child of this one.
    pub fn salt(&self) -> u64 {
        // Relaxed: as above.
        self.salt.load(Relaxed)
    }

    /// Returns the target of a thread's pointer after its end.
    pub fn after_the_end(&self) -> &Thread {
        &self.after_the_end
    }

    /// Whether `thread` is the target of a thread's pointer after its end.
    pub fn is_after_the_end(&self, thread: &Thread) -> bool {
        core::ptr::eq(thread, &self.after_the_end)
    }

    /// Returns the file. Without the lock, only functions that need no lock may be called on it.
    pub fn part(&self) -> &Part {
        &self.shared.part
    }

    /// Returns the births of locks. Without the lock, only functions that need no lock may be called on them.
    pub fn births(&self) -> &Births {
        &self.shared.births
    }

    /// Returns the locations of the unwind tables.
    pub fn tables(&self) -> &Tables {
        &self.shared.modules.tables
    }
}

// They start this program again, which an emulator need not be able to do.
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
