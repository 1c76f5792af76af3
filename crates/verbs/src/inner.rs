//! The arguments with which the program starts itself. They are not for users, so no help, completion or manual shows them.

use std::ffi::OsString;

/// The argument that makes the program run one slice of one cell: it reads the cell's description from standard input and writes
/// its measurements to standard output.
pub const CELL: &str = "__cell";

/// The argument that makes the program run as the demonstration job server of `tour`.
pub const DEMO: &str = "__demo";

/// The argument after those of [`DEMO`] that moves its wait for the disk out of the hold.
pub const FLUSH_AFTER_HOLD: &str = "flush-after-hold";

/// The argument that makes the program measure the cost of a lock and unlock.
pub const PAIRS: &str = "__pairs";

/// The argument that makes the program acquire and release a lock while its parent counts its system calls.
pub const ENTRIES: &str = "__entries";

/// The argument that makes the program run a build, for `reproduce`: milliseconds, jobs, additional busy threads.
pub const BUILD: &str = "__build";

/// The argument that makes the program the first process of a guest, for `reproduce`: the counter's rate in kHz.
pub const GUEST: &str = "__guest";

/// When the job server waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// While it holds the lock of its log.
    InHold,
    /// After it has released the lock.
    AfterHold,
}

/// A start by the program itself.
#[derive(Debug, PartialEq, Eq)]
pub enum Inner {
    /// One slice of one cell.
    Cell,
    /// The job server, for this many milliseconds.
    Demo {
        /// How long it runs.
        milliseconds: u64,
        /// Whether it waits for the disk after it has released the lock of its log, and not before.
        flush: Flush,
    },
    /// Pairs of lock and unlock, for this many milliseconds.
    Pairs {
        /// How long it runs.
        milliseconds: u64,
    },
    /// A build, for this many milliseconds.
    Build {
        /// How long it runs.
        milliseconds: u64,
        /// Jobs at once.
        jobs: u32,
        /// Additional threads that only loop.
        hogs: u32,
    },
    /// The first process of a guest.
    Guest {
        /// The rate of the counter in whose ticks it measures, in kHz.
        counter_khz: u64,
    },
    /// Pairs of one lock, traced by the parent.
    Entries {
        /// The lock's name.
        lock: String,
        /// Number of pairs.
        pairs: u64,
    },
}

impl Inner {
    /// Returns the inner start that `words` (after the program's name) ask for, if any.
    pub fn of(words: &[OsString]) -> Option<Self> {
        let words: Vec<&str> = words
            .iter()
            .map(|word| word.to_str())
            .collect::<Option<_>>()?;
        match words[..] {
            [CELL] => Some(Self::Cell),
            [GUEST, khz] => Some(Self::Guest {
                counter_khz: khz.parse().ok()?,
            }),
            [DEMO, milliseconds] => Some(Self::Demo {
                milliseconds: milliseconds.parse().ok()?,
                flush: Flush::InHold,
            }),
            [DEMO, milliseconds, FLUSH_AFTER_HOLD] => Some(Self::Demo {
                milliseconds: milliseconds.parse().ok()?,
                flush: Flush::AfterHold,
            }),
            [PAIRS, milliseconds] => Some(Self::Pairs {
                milliseconds: milliseconds.parse().ok()?,
            }),
            [BUILD, milliseconds, jobs, hogs] => Some(Self::Build {
                milliseconds: milliseconds.parse().ok()?,
                jobs: jobs.parse().ok()?,
                hogs: hogs.parse().ok()?,
            }),
            [ENTRIES, lock, pairs] => Some(Self::Entries {
                lock: lock.to_owned(),
                pairs: pairs.parse().ok()?,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Option<Inner> {
        Inner::of(&words.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn only_the_exact_words_are_inner() {
        assert_eq!(of(&[CELL]), Some(Inner::Cell));
        let counter_khz = 2_600_000;
        assert_eq!(of(&[GUEST, "2600000"]), Some(Inner::Guest { counter_khz }));
        for (words, flush) in [
            (&[DEMO, "50"][..], Flush::InHold),
            (&[DEMO, "50", FLUSH_AFTER_HOLD], Flush::AfterHold),
        ] {
            let milliseconds = 50;
            assert_eq!(
                of(words),
                Some(Inner::Demo {
                    milliseconds,
                    flush
                })
            );
        }
        assert_eq!(of(&[PAIRS, "5"]), Some(Inner::Pairs { milliseconds: 5 }));
        let (lock, pairs) = ("std".to_owned(), 50);
        assert_eq!(
            of(&[ENTRIES, "std", "50"]),
            Some(Inner::Entries { lock, pairs })
        );
        for others in [
            &[][..],
            &["bench"],
            &[CELL, "x"],
            &[DEMO],
            &[GUEST],
            &[DEMO, "x"],
            &[PAIRS],
            &[ENTRIES, "std"],
        ] {
            assert_eq!(of(others), None, "{others:?}");
        }
    }
}
