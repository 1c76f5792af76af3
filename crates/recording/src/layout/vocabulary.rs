//! The numbers that stand for words in a part.

/// Declares an enumeration with the number each word has in the file, and the way back from a number.
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
            /// Every word there is, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word that `number` stands for, if this version knows it.
            #[must_use]
            pub const fn from_number(number: $repr) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The number written in the file.
            #[must_use]
            pub const fn number(self) -> $repr {
                self as $repr
            }
        }
    };
}

numbered! {
    /// What the records of a segment are.
    RecordKind: u16 {
        /// A thread's life: [`ThreadRecord`](super::ThreadRecord).
        Thread = 1,
        /// A file mapped with code in it: [`ModuleRecord`](super::ModuleRecord).
        Module = 2,
        /// A stretch of memory of a module: [`RangeRecord`](super::RangeRecord).
        Range = 3,
        /// A call site: [`SiteRecord`](super::SiteRecord).
        Site = 4,
        /// Acquisitions of one lock at one site by one thread slot: [`CountRecord`](super::CountRecord).
        Count = 5,
        /// The waits that go with a count: [`ContentionRecord`](super::ContentionRecord).
        Contention = 6,
        /// Reserved: how long a lock was held.
        Hold = 7,
        /// Reserved: waiting time of a site charged to the site where the holder acquired.
        Blame = 8,
        /// Reserved: the frames of a call stack.
        Stack = 9,
        /// Reserved: a function's name and source line, appended after the run.
        Symbol = 10,
        /// Reserved: the name or the place of creation of a lock.
        Name = 11,
        /// Reserved: a lock's initialisation or destruction, which begins a generation.
        Lifetime = 12,
    }
}

numbered! {
    /// What sort of lock was acquired.
    LockKind: u8 {
        /// `pthread_mutex_t`, and all that is built on it.
        Mutex = 1,
        /// Reserved: `pthread_rwlock_t`.
        RwLock = 2,
        /// Reserved: `pthread_spinlock_t`.
        Spin = 3,
        /// Reserved: `sem_t`.
        Semaphore = 4,
        /// Reserved: `pthread_cond_t`.
        Condvar = 5,
        /// Reserved: `pthread_barrier_t`.
        Barrier = 6,
        /// Reserved: a bare futex word, futex(2).
        Futex = 7,
    }
}

numbered! {
    /// By which function a lock was acquired.
    EntryPoint: u8 {
        /// An unconditional acquisition: `pthread_mutex_lock`.
        Lock = 1,
        /// An attempt: `pthread_mutex_trylock`.
        TryLock = 2,
        /// An acquisition with a deadline: `pthread_mutex_timedlock`, `pthread_mutex_clocklock`.
        TimedLock = 3,
        /// The acquisition with which a wait for a condition ends: `pthread_cond_wait` and its timed forms.
        /// How long it waited is not known here and is never counted as contention.
        ConditionWait = 4,
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
        /// The process was split off by fork(2) from one that is recorded too.
        Fork = 2,
    }
}

numbered! {
    /// Why recording stopped before the process did: from then on no new records were made, while the counters of those
    /// there were went on. The process itself was not affected.
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
    }
}

numbered! {
    /// What a `dropped` counter in the header counts.
    DropReason: u8 {
        /// Acquisitions of locks at sites that came up after recording had stopped.
        Stopped = 0,
        /// Acquisitions whose call site could not be kept; they are counted under no site.
        SiteTableFull = 1,
        /// Stretches of memory of modules beyond the recorder's table.
        ModuleTableFull = 2,
        /// Threads whose life could not be written; their acquisitions are counted.
        ThreadUnwritten = 3,
    }
}

/// Bits of [`Header::flags`](super::Header::flags).
pub mod flags {
    /// The process ran its exit handlers. Without it, it was killed, called `_exit` or `exec`, or still runs.
    pub const ENDED: u32 = 1;
    /// Recording stopped before the process did; the header says why and when.
    pub const STOPPED: u32 = 2;
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
