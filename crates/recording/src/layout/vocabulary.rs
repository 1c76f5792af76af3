//! The numbers that represent words in a part.

/// Declares an enumeration with each word's number in the file, and the conversion back from a number.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident: $repr:ty { $($(#[$variant_meta:meta])* $variant:ident = $number:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr($repr)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant = $number,)*
        }

        impl $name {
            /// All words, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the word with this number, if this version knows it.
            #[must_use]
            pub const fn from_number(number: $repr) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns the number written in the file.
            #[must_use]
            pub const fn number(self) -> $repr {
                self as $repr
            }
        }
    };
}

numbered! {
    /// The kind of the records in a segment.
    RecordKind: u16 {
        /// A thread's life: [`ThreadRecord`](super::ThreadRecord).
        Thread = 1,
        /// A file mapped with code in it: [`ModuleRecord`](super::ModuleRecord).
        Module = 2,
        /// An address range of a module: [`RangeRecord`](super::RangeRecord).
        Range = 3,
        /// A call site: [`SiteRecord`](super::SiteRecord).
        Site = 4,
        /// Acquisitions of one lock at one site by one thread slot: [`CountRecord`](super::CountRecord).
        Count = 5,
        /// The waits that go with a count: [`ContentionRecord`](super::ContentionRecord).
        Contention = 6,
        /// How long a lock acquired at a site was held: [`HoldRecord`](super::HoldRecord).
        Hold = 7,
        /// Waiting charged to the site where the holder acquired: [`BlameRecord`](super::BlameRecord).
        Blame = 8,
        /// The frames of a call stack: [`StackRecord`](super::StackRecord).
        Stack = 9,
        /// A function's name and source line, added after the run: [`SymbolRecord`](super::SymbolRecord).
        Symbol = 10,
        /// A variable that holds locks, added after the run: [`NameRecord`](super::NameRecord).
        Name = 11,
        /// Where locks came from: [`BirthRecord`](super::BirthRecord).
        Birth = 12,
        /// Waiting by the stack that led to it: [`StackWaitRecord`](super::StackWaitRecord).
        StackWait = 13,
        /// Times that a holder did not run, added after the run: [`PreemptionRecord`](super::PreemptionRecord).
        Preemption = 14,
        /// Waiting meanwhile, added after the run: [`PreemptedWaitRecord`](super::PreemptedWaitRecord).
        PreemptedWait = 15,
        /// The fact that preempted holders were watched for, added after the run: [`WatchRecord`](super::WatchRecord).
        Watch = 16,
        /// Where and by which version of locktoll the recording was made, added after the run:
        /// [`AboutRecord`](super::AboutRecord).
        About = 17,
        /// Locks that were acquired while others were held: [`OrderRecord`](super::OrderRecord).
        Order = 18,
        /// An alert that was raised while the program ran, added after the run: [`AlertRecord`](super::AlertRecord).
        Alert = 19,
        /// Busy waiting, added after the run: [`SpinningRecord`](super::SpinningRecord). Since minor version 4.
        Spinning = 20,
        /// Events by time, in a ring: [`EventRecord`](super::EventRecord). Since minor version 6.
        Event = 21,
    }
}

numbered! {
    /// An event by time: [`EventRecord`](super::EventRecord).
    EventKind: u8 {
        /// A wait that ended: when it began and ended. [`WaitDetail`](Self::WaitDetail) follows it.
        Wait = 1,
        /// The second half of a wait. Word 0: when the lock was last released before the wait ended, or zero. Word 1, bits 0-31:
        /// [`StackRecord::id`](super::StackRecord::id), or zero. Word 2: the thread id of the holder when the wait began, or
        /// zero; word 3: the site where it had acquired the lock.
        WaitDetail = 2,
        /// A hold that ended: when it began, or zero if that is not known, and when it ended.
        Hold = 3,
        /// A hold in ticks. The end is zero as long as it lasts.
        TimedHold = 4,
        /// A release while threads waited: its time, and the same moment in ticks.
        Release = 5,
        /// A signal to other threads.
        Signal = 6,
        /// A call that may block, while the lock was held: when it began and returned.
        Block = 7,
        /// A time, and the same moment in ticks.
        Clock = 8,
        /// A time without a CPU: when it began and ended. Word 3: the thread id, and in place of a generation that of the thread that
        /// woke it, or zero.
        OffCpu = 9,
    }
}

numbered! {
    /// The events that a process keeps: [`Header::keeps`](super::Header::keeps).
    Keeps: u32 {
        /// Waits, signals, and the holds that began with a wait or ended with threads waiting.
        Waits = 1,
        /// All holds too.
        Everything = 2,
    }
}

numbered! {
    /// The kind of a lock, or of another object that threads wait for.
    LockKind: u8 {
        /// `pthread_mutex_t`, and everything that is built on it: C11's `mtx_t`, `std::mutex`.
        Mutex = 1,
        /// `pthread_rwlock_t`.
        RwLock = 2,
        /// `pthread_spinlock_t`.
        Spin = 3,
        /// `sem_t`.
        Semaphore = 4,
        /// `pthread_cond_t`, and C11's `cnd_t`.
        Condvar = 5,
        /// `pthread_barrier_t`.
        Barrier = 6,
        /// A futex word at which the program waits with its own system calls, futex(2), for example the locks and signals of
        /// Rust's standard library.
        Futex = 7,
    }
}

numbered! {
    /// The function with which a lock was acquired, or another operation on it.
    ///
    /// The first eight count acquisitions in [`CountRecord`](super::CountRecord) and waits for the lock in
    /// [`ContentionRecord`](super::ContentionRecord). The counts of the others are described with each.
    EntryPoint: u8 {
        /// An unconditional acquisition: `pthread_mutex_lock`, `pthread_rwlock_wrlock`, `pthread_spin_lock`, `sem_wait`.
        Lock = 1,
        /// An attempt: `pthread_mutex_trylock`, `pthread_rwlock_trywrlock`, `pthread_spin_trylock`, `sem_trywait`.
        TryLock = 2,
        /// An acquisition with a deadline: `pthread_mutex_timedlock`, `pthread_mutex_clocklock`, `sem_timedwait` and similar
        /// functions.
        TimedLock = 3,
        /// The acquisition at the end of a wait for a condition: `pthread_cond_wait` and its timed forms. The wait for the signal
        /// belongs to the condition variable, with entry point [`Wait`](Self::Wait).
        ConditionWait = 4,
        /// `pthread_rwlock_rdlock`.
        ReadLock = 5,
        /// `pthread_rwlock_tryrdlock`.
        TryReadLock = 6,
        /// `pthread_rwlock_timedrdlock`, `pthread_rwlock_clockrdlock`.
        TimedReadLock = 7,
        /// A wait for something that cannot be held: a condition, a barrier, a futex word. The count includes waits that
        /// returned; those that had to wait are contended.
        Wait = 8,
        /// One waiter woken: `pthread_cond_signal`, `FUTEX_WAKE` of one. Counts calls.
        Signal = 9,
        /// All waiters woken: `pthread_cond_broadcast`, `FUTEX_WAKE` of more than one. Counts calls.
        Broadcast = 10,
        /// `sem_post` by a thread that had acquired the semaphore. Counts calls.
        Release = 11,
        /// `sem_post` by any other thread: the semaphore is then a signal, not a lock. Counts calls.
        Post = 12,
        /// A wait at a futex word that expects a value there that no lock has: [`is_value_of_a_lock`]. Counted like
        /// [`Wait`](Self::Wait). Since minor version 2.
        EventWait = 13,
    }
}

/// Whether a thread that waits at a futex word for this value to change may be waiting for a lock, judging by the values of locks
/// that are taken and waited for. Such a value is 1 or 2 if the word has three states (Drepper, "Futexes Are Tricky", 2011: the C
/// library, Rust, Go, parking_lot), and has one of the two highest bits set if it contains more (`FUTEX_WAITERS` and
/// `FUTEX_OWNER_DIED`, futex(2); waiting readers and writers in Rust's reader-writer lock). A thread that is parked in Rust waits
/// for −1, and a wait for an event expects 0 or the number of the last event.
pub const fn is_value_of_a_lock(value: u32) -> bool {
    matches!(value, 1 | 2) || (value & 0xc000_0000 != 0 && value != u32::MAX)
}

numbered! {
    /// How a lock came into the recording: [`BirthRecord`](super::BirthRecord).
    BirthBy: u8 {
        /// It was initialised: `pthread_mutex_init` and similar functions.
        Initialisation = 1,
        /// It was acquired, and had never been seen before.
        FirstUse = 2,
    }
}

numbered! {
    /// An event while locks were held: [`OrderRecord::event`](super::OrderRecord::event).
    OrderEvent: u8 {
        /// A further lock was acquired, or a unit of a semaphore taken.
        Acquisition = 1,
        /// A wait for a condition began. Its mutex is not among the held locks.
        ConditionWait = 2,
        /// fork(2) was called by another thread. The locks are those that a thread held which does not exist in the child.
        Fork = 3,
        /// The thread ended.
        ThreadEnd = 4,
    }
}

numbered! {
    /// What is timed: [`Header::mode`](super::Header::mode).
    Mode: u32 {
        /// Every contended wait, and a sample of the holds.
        Sampled = 1,
        /// Every contended wait and every hold.
        Exact = 2,
    }
}

numbered! {
    /// The processor architecture of the recorded process.
    Architecture: u8 {
        /// AMD64.
        X86_64 = 1,
        /// Arm, 64 bit.
        Aarch64 = 2,
    }
}

numbered! {
    /// How a part began.
    Origin: u8 {
        /// A program image started: execve(2).
        Exec = 1,
        /// The process was created with fork(2) by another recorded process.
        Fork = 2,
    }
}

numbered! {
    /// Why recording stopped before the process did. From then on no new records were made, while the counters of existing
    /// records continued. The process itself was not affected.
    StopReason: u32 {
        /// The file could not be made longer: disk full or quota reached.
        NoSpace = 1,
        /// The file would have grown over the process's limit: `RLIMIT_FSIZE`, getrlimit(2).
        FileSizeLimit = 2,
        /// Memory could not be mapped.
        NoMemory = 3,
        /// The file could not be opened again to make it longer.
        Unreachable = 4,
        /// The part reached the greatest length the recorder handles.
        PartFull = 5,
        /// The process gave up system calls that recording needs: seccomp(2).
        Forbidden = 6,
    }
}

numbered! {
    /// The reason why a thread that held a lock did not run: [`PreemptionRecord::why`](super::PreemptionRecord::why).
    OffCpu: u8 {
        /// It was runnable, and another thread got its processor.
        Preempted = 1,
        /// It gave its processor up by sched_yield(2).
        Yielded = 2,
        /// It waited for something: another lock, input or output, a page of memory.
        Blocked = 3,
        /// It had a processor according to the scheduler and made no progress: the hypervisor ran something else there, or the
        /// kernel served interrupts.
        Stolen = 4,
    }
}

numbered! {
    /// How preempted holders were watched for: [`WatchRecord::by`](super::WatchRecord::by).
    WatchedBy: u32 {
        /// A program in the kernel, at every context switch.
        Switches = 1,
    }
}

numbered! {
    /// What a `dropped` counter in the header counts.
    DropReason: u8 {
        /// Acquisitions of locks at sites that first appeared after recording had stopped.
        Stopped = 0,
        /// Acquisitions whose call site could not be kept; they are counted under no site.
        SiteTableFull = 1,
        /// Address ranges of modules beyond the recorder's table.
        ModuleTableFull = 2,
        /// Threads whose life is not listed; their acquisitions are counted. [`Header::unlisted_ns`](super::Header::unlisted_ns) has
        /// their lifetimes.
        ThreadUnwritten = 3,
        /// Stacks beyond the recorder's table; their waits are counted under the call site alone.
        StackTableFull = 4,
        /// Acquisitions while other locks were held whose order could not be kept.
        OrderTableFull = 5,
        /// Events of threads for which there was no room.
        EventsWithoutRoom = 6,
    }
}

/// Bits of [`Header::flags`](super::Header::flags).
pub mod flags {
    /// The process ran its exit handlers. Without it, it was killed, called `_exit` or `exec`, or still runs.
    pub const ENDED: u32 = 1;
    /// Recording stopped before the process did; the header says why and when.
    pub const STOPPED: u32 = 2;
    /// The order of locks is noted: [`OrderRecord`](super::super::OrderRecord). Since minor version 4.
    pub const NOTES_ORDER: u32 = 4;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_go_both_ways() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::from_number(kind.number()), Some(*kind));
        }
        assert_eq!(RecordKind::from_number(0), None);
        assert_eq!(LockKind::from_number(1), Some(LockKind::Mutex));
        assert_eq!(DropReason::from_number(0), Some(DropReason::Stopped));
    }
}
