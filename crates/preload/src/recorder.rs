//! What all threads of the process share, and the lock in front of it.
//!
//! Everything lies in one mapping that reads as zeros in the child of a fork(2), by whichever system call the child
//! was made: the child finds a recorder that has not started, starts it anew with a file of its own, and never sees
//! a lock that a thread of its parent held. Only the address of the mapping is an ordinary static.
//!
//! # Invariants
//!
//! - **G1** `RECORDER` is null or points to a [`Recorder`] that stays mapped for the life of the process.
//! - **G2** What is in [`Shared`] is touched only by the holder of `lock`, and zeros are a valid value of it.
//! - **G3** Who holds `lock` has all signals blocked, so no handler of the same thread can wait for it, and calls
//!   nothing that is interposed.

use core::ptr::null_mut;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64};

use locktoll_recording::layout::{Mode, Origin, StopReason};

use crate::clock;
use crate::contended::ContendedLocks;
use crate::holders::Holders;
use crate::identity::Generations;
use crate::modules::Modules;
use crate::part::Part;
use crate::signals::Signals;
use crate::sites::{SiteAddresses, Sites};
use crate::slots::Slots;
use crate::start;
use crate::sys::{self, Errno};
use crate::thread::Thread;
use crate::ticks::Ticks;
use crate::unwind::{Births, Rules, Stacks, Tables};

static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(null_mut());
/// Whether this process image has started a recorder before: then a recorder that has not started is a child's.
static STARTED_BEFORE: AtomicBool = AtomicBool::new(false);

const NEW: u32 = 0;
const ON: u32 = 1;
const OFF: u32 = 2;
const SHUT: u32 = 3;

/// How far the recorder of a process has come.
pub enum State {
    /// It has not started.
    New,
    /// It records into this part.
    On(&'static Part),
    /// It has recorded into this part, and now makes no system call any more. Counters go on.
    Shut(&'static Part),
    /// It does not record.
    Off,
}

/// All there is of the recorder in one process.
#[repr(C)]
pub struct Recorder {
    phase: AtomicU32,
    lock: FutexLock,
    /// Whether every hold is timed.
    exact: AtomicBool,
    /// The counter that holds are timed by.
    pub ticks: Ticks,
    /// A number of this process's own.
    salt: AtomicU64,
    /// Read by every hook, without the lock.
    pub addresses: SiteAddresses,
    /// What the unwinder has learned: read and added to without the lock.
    pub rules: Rules,
    /// Locks that somebody waits for.
    pub contended: ContendedLocks,
    /// When conditions were signalled.
    pub signals: Signals,
    /// Threads by their id.
    pub holders: Holders,
    /// The numbers that tell locks apart.
    pub generations: Generations,
    /// What a thread's pointer is after its end: tables that never start, so its hooks use the stand-in.
    after_the_end: Thread,
    shared: Shared,
}

/// What the lock protects.
pub struct Shared {
    /// The file.
    pub part: Part,
    /// Numbers of call sites.
    pub sites: Sites,
    /// Files mapped with code.
    pub modules: Modules,
    /// Numbers of stacks.
    pub stacks: Stacks,
    /// Numbers of births.
    pub births: Births,
    /// Thread slots, used and free.
    pub slots: Slots,
    /// The tables for hooks that come while their thread has none to add to.
    pub stand_in: Thread,
}

// SAFETY: G2 and `Guard` keep `shared` to one thread at a time; the rest is atomic.
unsafe impl Sync for Recorder {}

/// The recorder's lock, held.
pub struct Guard<'a> {
    recorder: &'a Recorder,
    signals: u64,
}

impl Recorder {
    /// The recorder of this process if it records, started if it has not been.
    pub fn running() -> Option<&'static Self> {
        let recorder = Self::mapped()?;
        // Acquire: pairs with the release in `start`; who sees ON sees the part's header.
        match recorder.phase.load(Acquire) {
            ON => Some(recorder),
            OFF | SHUT => None,
            _ => recorder.start(),
        }
    }

    /// The recorder of this process if it has started and records.
    #[inline(always)]
    pub fn get() -> Option<&'static Self> {
        // Acquire: pairs with the exchange in `mapped`. An ordinary load on x86-64.
        // SAFETY: G1.
        unsafe { RECORDER.load(Acquire).as_ref() }
    }

    /// How far the recorder of this process has come, without starting it.
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

    /// Whether new records can be made, and the kernel asked.
    #[inline]
    pub fn is_on(&self) -> bool {
        // Acquire: as in `running`.
        self.phase.load(Acquire) == ON
    }

    /// Makes the call by which the process gives up system calls, for all of its threads perhaps. Unless it `has_failed`, the
    /// recorder makes none from before it on, neither here nor in a child that is forked off.
    pub fn giving_up_system_calls<T>(give_up: impl FnOnce() -> T, has_failed: fn(&T) -> bool) -> T {
        let recorder = Self::get().filter(|recorder| recorder.is_on());
        let header = recorder.and_then(|recorder| recorder.part().header());
        // Relaxed: set before anybody records.
        if header.is_some_and(|header| header.pid.load(Relaxed) != sys::pid()) {
            // A child that has its parent's memory until it becomes another program, vfork(2): the parent goes on.
            return give_up();
        }
        // Before the call: once it is made, the kernel ends the process for what any thread of ours is about to do.
        if let Some(recorder) = recorder {
            recorder.phase.store(SHUT, Release);
            // Who has it now still makes system calls.
            drop(recorder.lock());
        }
        // Relaxed, all of it: see `sys`.
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
            .inspect_err(|&errno| start::note_failure(errno))
            .ok()?;
        let new = memory.as_ptr().cast::<Self>();
        // Release: who sees the pointer sees mapped memory. Acquire on failure: the same from the other side.
        match RECORDER.compare_exchange(null_mut(), new, Release, Acquire) {
            Ok(_) => {}
            // SAFETY: nobody has seen our mapping.
            Err(_) => unsafe { sys::unmap(memory, size_of::<Self>()) },
        }
        Self::get()
    }

    #[cold]
    fn start(&'static self) -> Option<&'static Self> {
        if sys::are_calls_given_up() {
            return None;
        }
        let guard = self.lock();
        // Relaxed: the lock orders it.
        if self.phase.load(Relaxed) == NEW {
            let phase = if guard.start().is_some() { ON } else { OFF };
            // Release: who sees ON without the lock sees what the start wrote.
            self.phase.store(phase, Release);
        }
        (self.phase.load(Relaxed) == ON).then_some(self)
    }

    /// Whether every hold is timed, not only a sample of them.
    #[inline(always)]
    pub fn is_exact(&self) -> bool {
        // Relaxed: set before anybody records.
        self.exact.load(Relaxed)
    }

    /// A number that no other process has, as far as chance goes, nor this process's child after a fork.
    pub fn salt(&self) -> u64 {
        // Relaxed: as above.
        self.salt.load(Relaxed)
    }

    /// What a thread's pointer is after its end.
    pub fn after_the_end(&self) -> &Thread {
        &self.after_the_end
    }

    /// Whether `thread` is what a thread's pointer is after its end.
    pub fn is_after_the_end(&self, thread: &Thread) -> bool {
        core::ptr::eq(thread, &self.after_the_end)
    }

    /// The file. Only what needs no lock may be called.
    pub fn part(&self) -> &Part {
        &self.shared.part
    }

    /// Where locks came from. Only what needs no lock may be called.
    pub fn births(&self) -> &Births {
        &self.shared.births
    }

    /// Where the tables for unwinding are.
    pub fn tables(&self) -> &Tables {
        &self.shared.modules.tables
    }

    /// Takes the lock: see G3.
    pub fn lock(&self) -> Guard<'_> {
        let signals = sys::block_signals();
        self.lock.acquire();
        Guard {
            recorder: self,
            signals,
        }
    }
}

impl Guard<'_> {
    /// What the lock protects.
    pub fn shared(&self) -> &Shared {
        &self.recorder.shared
    }

    /// The addresses of call sites.
    pub fn addresses(&self) -> &SiteAddresses {
        &self.recorder.addresses
    }

    fn start(&self) -> Option<()> {
        let shared = self.shared();
        // SAFETY: the guard is the lock.
        let directory = unsafe { start::directory() }?;
        // Relaxed: what differs is only a word in the header.
        let origin = if STARTED_BEFORE.swap(true, Relaxed) {
            Origin::Fork
        } else {
            Origin::Exec
        };
        let mode = start::mode();
        if let Err(errno) = shared.part.create(directory, origin, mode) {
            start::note_failure(errno);
            return None;
        }
        let recorder = self.recorder;
        // Relaxed, both: the phase is stored after them, with release.
        recorder.exact.store(mode == Mode::Exact, Relaxed);
        recorder.ticks.start();
        let salt = clock::monotonic_ns().rotate_left(20) ^ u64::from(sys::pid());
        recorder.salt.store(salt, Relaxed);
        // SAFETY: G2; this is the first use since the memory was zeros.
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

    /// Has the mappings of the process read again: there is code in no known file, or a file has gone.
    pub fn look_for_code(&self) {
        let shared = self.shared();
        // SAFETY: G2, the guard is the lock.
        unsafe { shared.modules.look_again(&shared.part) };
    }

    /// Makes the file long enough for a process that will not be able to.
    pub fn reserve(&self) {
        self.shared().part.reserve();
    }

    /// Libraries have been unloaded: others may come to their addresses.
    pub fn forget_code_that_has_gone(&self) {
        let shared = self.shared();
        // SAFETY: G2, the guard is the lock.
        unsafe {
            shared
                .modules
                .forget_gone(|code| shared.sites.retire(self.addresses(), &code));
        }
    }

    /// The number of the site at `address`, or 0.
    pub fn site(&self, address: usize) -> u32 {
        let shared = self.shared();
        // SAFETY: G2, the guard is the lock.
        unsafe {
            let (modules, part) = (&shared.modules, &shared.part);
            shared
                .sites
                .intern(address, self.addresses(), modules, part)
        }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.recorder.lock.release();
        sys::restore_signals(self.signals);
    }
}

/// A lock of three states: 0 free, 1 taken, 2 taken and somebody may sleep (Drepper, Futexes Are Tricky, 2004).
struct FutexLock(AtomicU32);

impl FutexLock {
    fn acquire(&self) {
        // Acquire: what the last holder did happens before what we do.
        if self.0.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            while self.0.swap(2, Acquire) != 0 {
                sys::futex_wait(&self.0, 2);
            }
        }
    }

    fn release(&self) {
        // Release: what we did happens before what the next holder does.
        if self.0.swap(0, Release) == 2 {
            sys::futex_wake_one(&self.0);
        }
    }
}
