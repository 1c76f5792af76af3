//! The library's counts of a run, from the file to words.

use std::fs::File;
use std::io::{self, Read};
use std::mem::offset_of;
use std::path::Path;

use locktoll_substitute::tally::{BYTES, OBJECTS, Object, REASONS, Reason, Tally};

use locktoll_results::trial::{ObjectKind, PassedThrough, Replaced, SliceExtension};

/// The library's counts of a run, summed over all processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Processes that ran under the library.
    pub processes: u64,
    /// Processes in which it replaced nothing because it could not do what it was told.
    pub failures: u64,
    /// How often a process had, or was about to have, a thread with a real-time policy.
    pub real_time: u64,
    /// Threads with and without the time slice extension, and the extensions.
    pub slice_extension: SliceExtension,
    /// The time that sped-up holds saved, in nanoseconds.
    pub saved_ns: u64,
    /// Processes in which holds saved time.
    pub saving_processes: u64,
    /// Objects that were replaced, by kind.
    replaced: [u64; OBJECTS],
    /// Objects that were not replaced, by kind and reason.
    passed_through: [[u64; REASONS]; OBJECTS],
}

/// Kinds of objects: the name in the library, the name in the report, and the words for one of them.
const KINDS: [(Object, ObjectKind, &str); OBJECTS] = [
    (Object::Mutex, ObjectKind::Mutex, "mutex"),
    (
        Object::Condition,
        ObjectKind::ConditionVariable,
        "condition variable",
    ),
    (
        Object::ReaderWriter,
        ObjectKind::ReaderWriterLock,
        "reader-writer lock",
    ),
    (Object::Spin, ObjectKind::SpinLock, "spin lock"),
];

/// Reasons, in words that follow the name of the object.
const WORDS_OF_REASONS: [(Reason, &str); REASONS] = [
    (
        Reason::ProcessShared,
        "shared with other processes, which may not run on this lock",
    ),
    (
        Reason::Robust,
        "robust: the kernel releases it when its holder dies, which works only for the C library's locks",
    ),
    (
        Reason::PriorityInheriting,
        "priority-inheriting: the kernel hands it over",
    ),
    (Reason::PriorityProtected, "with a priority ceiling"),
    (Reason::NoRoom, "without room for this candidate"),
    (Reason::NotAskedFor, "not the one that --only names"),
];

impl Counted {
    /// Creates the file that the library counts in.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn make_file(path: &Path) -> io::Result<()> {
        std::fs::write(path, [0; BYTES])
    }

    /// Reads the file after a run.
    ///
    /// # Errors
    /// If the file cannot be read, or is shorter than it was.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        File::open(path)?.read_exact(&mut bytes)?;
        Ok(Self::of(&bytes))
    }

    fn of(bytes: &[u8; BYTES]) -> Self {
        let number = |at: usize| {
            let word = bytes[at..at + 8].try_into();
            u64::from_ne_bytes(word.expect("eight bytes, by their range"))
        };
        let threads = offset_of!(Tally, slice_extension_threads);
        let (replaced, passed) = (
            offset_of!(Tally, replaced),
            offset_of!(Tally, passed_through),
        );
        Self {
            processes: number(offset_of!(Tally, processes)),
            failures: number(offset_of!(Tally, failures)),
            real_time: number(offset_of!(Tally, real_time)),
            slice_extension: SliceExtension {
                threads: number(threads),
                threads_without: number(threads + 8),
                given_back: number(offset_of!(Tally, slice_extensions)),
            },
            saved_ns: number(offset_of!(Tally, saved_ns)),
            saving_processes: number(offset_of!(Tally, saving_processes)),
            replaced: std::array::from_fn(|object| number(replaced + 8 * object)),
            passed_through: std::array::from_fn(|object| {
                std::array::from_fn(|reason| number(passed + 8 * (object * REASONS + reason)))
            }),
        }
    }

    /// Returns the number of objects that were replaced, of all kinds.
    pub fn replaced(&self) -> u64 {
        self.replaced.iter().sum()
    }

    /// Returns the number of objects replaced of each kind, without the kinds that have none.
    pub fn replaced_by_kind(&self) -> Vec<Replaced> {
        let by_kind = KINDS.map(|(object, kind, _)| Replaced {
            kind,
            count: self.replaced[object as usize],
        });
        by_kind.into_iter().filter(|it| it.count > 0).collect()
    }

    /// Whether ordinary objects of this kind are replaced. If the run had none, the answer is not known, and nothing depends on
    /// it.
    pub fn replaces(&self, object: Object) -> bool {
        self.replaced[object as usize] > 0
    }

    /// Whether some objects of this kind were left to the C library because of their own properties, while others were replaced.
    pub fn is_divided(&self, object: Object) -> bool {
        let left = &self.passed_through[object as usize];
        let for_themselves: u64 = WORDS_OF_REASONS
            .iter()
            .filter(|(reason, _)| *reason != Reason::NotAskedFor)
            .map(|(reason, _)| left[*reason as usize])
            .sum();
        self.replaces(object) && for_themselves > 0
    }

    /// Returns the objects that were left to the C library, by kind and reason.
    pub fn passed_through(&self) -> Vec<PassedThrough> {
        let mut all = Vec::new();
        for (object, _, kind) in KINDS {
            for (reason, why) in WORDS_OF_REASONS {
                let count = self.passed_through[object as usize][reason as usize];
                if count > 0 {
                    let reason = format!("{kind}, {why}");
                    all.push(PassedThrough { reason, count });
                }
            }
        }
        all
    }
}

#[cfg(test)]
impl Counted {
    /// Returns the counts of a run that replaced so many objects of each kind, and left so many alone because they are robust.
    pub fn made_up(replaced: [u64; OBJECTS], robust: [u64; OBJECTS]) -> Self {
        let mut counted = Self {
            processes: 1,
            replaced,
            ..Self::default()
        };
        for (left, robust) in counted.passed_through.iter_mut().zip(robust) {
            left[Reason::Robust as usize] = robust;
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn what_the_library_writes_is_what_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tally");
        Counted::make_file(&path).unwrap();
        assert_eq!(Counted::read(&path).unwrap(), Counted::default());

        // SAFETY: zeros are a valid `Tally`: it consists of integers.
        let tally: Tally = unsafe { std::mem::zeroed() };
        tally.processes.store(3, Relaxed);
        tally.failures.store(1, Relaxed);
        tally.real_time.store(7, Relaxed);
        tally.slice_extension_threads[0].store(8, Relaxed);
        tally.slice_extension_threads[1].store(9, Relaxed);
        tally.slice_extensions.store(10, Relaxed);
        tally.saved_ns.store(11, Relaxed);
        tally.saving_processes.store(12, Relaxed);
        tally.replaced[Object::Mutex as usize].store(40, Relaxed);
        tally.replaced[Object::Spin as usize].store(2, Relaxed);
        tally.passed_through[Object::ReaderWriter as usize][Reason::NoRoom as usize]
            .store(5, Relaxed);
        let mut bytes = [0; BYTES];
        // SAFETY: these are the bytes of a live value, all of them initialised: it consists of integers without gaps.
        let written = unsafe {
            std::slice::from_raw_parts((&raw const tally).cast::<u8>(), size_of::<Tally>())
        };
        bytes[..written.len()].copy_from_slice(written);
        std::fs::write(&path, bytes).unwrap();

        let counted = Counted::read(&path).unwrap();
        assert_eq!(
            (counted.processes, counted.failures, counted.replaced()),
            (3, 1, 42)
        );
        assert_eq!(counted.real_time, 7);
        let extension = SliceExtension {
            threads: 8,
            threads_without: 9,
            given_back: 10,
        };
        assert_eq!(counted.slice_extension, extension);
        assert_eq!((counted.saved_ns, counted.saving_processes), (11, 12));
        assert!(counted.replaces(Object::Mutex) && !counted.replaces(Object::ReaderWriter));
        let kinds: Vec<_> = counted
            .replaced_by_kind()
            .into_iter()
            .map(|it| (it.kind, it.count))
            .collect();
        assert_eq!(kinds, [(ObjectKind::Mutex, 40), (ObjectKind::SpinLock, 2)]);
        assert!(!counted.is_divided(Object::Mutex) && !counted.is_divided(Object::ReaderWriter));
        let mut divided = counted;
        divided.passed_through[Object::Mutex as usize][Reason::NotAskedFor as usize] = 1;
        assert!(!divided.is_divided(Object::Mutex));
        divided.passed_through[Object::Mutex as usize][Reason::Robust as usize] = 1;
        assert!(divided.is_divided(Object::Mutex));
        let passed = counted.passed_through();
        assert_eq!(passed.len(), 1);
        assert_eq!(passed[0].count, 5);
        assert!(
            passed[0].reason.starts_with("reader-writer lock, "),
            "{passed:?}"
        );

        std::fs::write(&path, "short").unwrap();
        assert!(Counted::read(&path).is_err());
    }

    #[test]
    fn every_object_and_reason_has_its_words() {
        for (position, (object, ..)) in KINDS.iter().enumerate() {
            assert_eq!(*object as usize, position);
        }
        for (position, (reason, _)) in WORDS_OF_REASONS.iter().enumerate() {
            assert_eq!(*reason as usize, position);
        }
    }
}
