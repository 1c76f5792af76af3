//! The purpose of a wait, by the functions that led to it.

use super::runtimes;
use crate::recording::named_use;
use locktoll_results::profile::{Frame, LockKind, Use, is_c_library, is_openmp};

/// The purpose of a wait or wake-up, as the calls show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The kind of the object.
    pub kind: LockKind,
    /// Whether it is a lock; `None` if that depends on the threads that wake.
    pub used_as: Option<Use>,
    /// What distinguishes it from others.
    pub by: By,
}

/// What distinguishes an object from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// Its address.
    Word,
    /// The place that waits: the word belongs to the waiting thread.
    Place,
    /// What it is: an object of the C library, in the function of this name.
    Library(String),
    /// The end of a thread.
    Join,
}

impl Purpose {
    fn word(kind: LockKind, used_as: Option<Use>) -> Self {
        Self {
            kind,
            used_as,
            by: By::Word,
        }
    }

    /// Determines the purpose from the functions of a stack, innermost first; `None` if they do not show it.
    pub fn of(frames: &[Frame]) -> Option<Self> {
        // Runtimes use the functions of the C library for everything. The runtime's own functions show the purpose better.
        runtimes::purpose(frames)
            .or_else(|| of_c_library(frames))
            .or_else(|| {
                let used_as = named_use(frames)?;
                Some(Self {
                    by: if is_parking_lot(frames) {
                        By::Place
                    } else {
                        By::Word
                    },
                    ..Self::word(LockKind::Futex, Some(used_as))
                })
            })
    }
}

/// How the names of the C library's functions begin, and the kind of object for which they wait or wake. The first match counts.
const POSIX: &[(&str, LockKind)] = &[
    ("pthread_mutex_", LockKind::Mutex),
    ("mtx_", LockKind::Mutex),
    ("pthread_cond_", LockKind::Condvar),
    ("cnd_", LockKind::Condvar),
    ("pthread_rwlock_", LockKind::RwLock),
    ("pthread_barrier_", LockKind::Barrier),
    ("sem_", LockKind::Semaphore),
    ("new_sem_", LockKind::Semaphore),
];

/// How the names of functions begin that wait for a thread's end.
const JOINS: &[&str] = &[
    "pthread_join",
    "pthread_timedjoin",
    "pthread_clockjoin",
    "pthread_tryjoin",
    "thrd_join",
];

/// Functions that wait until something has been initialised once.
const ONCE: &[&str] = &[
    "pthread_once",
    "call_once",
    "cxa_guard_acquire",
    "cxa_guard_release",
];

/// Functions that wait and wake for any purpose.
const MEANS: &[&str] = &[
    "lll_lock",
    "lll_unlock",
    "futex",
    "lll_",
    "syscall",
    "pthread_enable_asynccancel",
];

/// How many frames from the system call outwards may belong to the C library.
const DEEPEST: usize = 12;

fn of_c_library(frames: &[Frame]) -> Option<Purpose> {
    let mut in_library = true;
    for frame in frames.iter().take(DEEPEST) {
        let Some(name) = &frame.function else {
            in_library &= is_c_library(frame);
            if !in_library {
                return None;
            }
            continue;
        };
        let name = plain(name);
        let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        if let Some((_, kind)) = POSIX.iter().find(|(word, _)| name.starts_with(word)) {
            let used_as = match kind {
                LockKind::Condvar | LockKind::Barrier => Some(Use::Signal),
                LockKind::Semaphore => None,
                _ => Some(Use::Lock),
            };
            return Some(Purpose::word(*kind, used_as));
        }
        if begins(JOINS) {
            return Some(Purpose {
                kind: LockKind::Futex,
                used_as: Some(Use::Signal),
                by: By::Join,
            });
        }
        if begins(ONCE) {
            return Some(Purpose::word(LockKind::Futex, Some(Use::Signal)));
        }
        if begins(MEANS) {
            continue;
        }
        if is_c_library(frame) || is_allocator(name) {
            return Some(Purpose {
                kind: LockKind::Mutex,
                used_as: Some(Use::Lock),
                by: By::Library(name.to_owned()),
            });
        }
        return None;
    }
    None
}

/// Whether OpenMP's runtime waits or wakes: at barriers (explicit ones, and the one at the end of every parallel region), for the
/// next region, or for a lock. The functions on the stack need not show which of these it is.
pub fn is_of_openmp(frames: &[Frame]) -> bool {
    let mut frames = frames.iter().take(DEEPEST);
    frames.find(|it| !is_c_library(it)).is_some_and(is_openmp)
}

/// Whether parking_lot waits. It puts threads to sleep on words that belong to them.
fn is_parking_lot(frames: &[Frame]) -> bool {
    let names = frames.iter().filter_map(|frame| frame.function.as_deref());
    names
        .take(DEEPEST)
        .any(|name| name.contains("parking_lot_core::"))
}

/// Whether this is a function of the C library's allocator. A static program has them in its own file.
fn is_allocator(name: &str) -> bool {
    const ALLOCATOR: &[&str] = &[
        "malloc",
        "free",
        "calloc",
        "realloc",
        "int_malloc",
        "int_free",
        "arena_get2",
        "libc_malloc",
        "libc_free",
    ];
    ALLOCATOR.contains(&name)
}

/// Returns a name without the C library's internal prefixes and without the version behind it.
fn plain(name: &str) -> &str {
    let name = name.split('@').next().unwrap_or(name);
    let name = name.trim_start_matches('_');
    name.strip_prefix("GI_")
        .unwrap_or(name)
        .trim_start_matches('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: Option<&str>, module: &str) -> Frame {
        Frame {
            function: name.map(str::to_owned),
            module: Some(module.to_owned()),
            ..Frame::default()
        }
    }

    fn purpose(calls: &[(Option<&str>, &str)]) -> Option<Purpose> {
        let frames: Vec<Frame> = calls
            .iter()
            .map(|&(name, module)| frame(name, module))
            .collect();
        Purpose::of(&frames)
    }

    const LIBC: &str = "/lib/x86_64-linux-gnu/libc.so.6";

    #[test]
    fn the_c_librarys_functions_say_what_is_waited_for() {
        let kind = |name| {
            let it = purpose(&[(None, LIBC), (Some(name), LIBC), (Some("work"), "/app")]).unwrap();
            (it.kind, it.used_as, it.by == By::Word)
        };
        assert_eq!(
            kind("pthread_mutex_lock"),
            (LockKind::Mutex, Some(Use::Lock), true)
        );
        assert_eq!(
            kind("__pthread_cond_timedwait64"),
            (LockKind::Condvar, Some(Use::Signal), true)
        );
        assert_eq!(
            kind("___pthread_rwlock_wrlock"),
            (LockKind::RwLock, Some(Use::Lock), true)
        );
        assert_eq!(
            kind("sem_clockwait@@GLIBC_2.34"),
            (LockKind::Semaphore, None, true)
        );
        assert_eq!(
            kind("pthread_barrier_wait"),
            (LockKind::Barrier, Some(Use::Signal), true)
        );
        assert_eq!(
            kind("pthread_once"),
            (LockKind::Futex, Some(Use::Signal), true)
        );
    }

    #[test]
    fn openmp_is_known_by_its_library() {
        const OPENMP: &str = "/usr/lib/libgomp.so.1.0.0";
        let of = |calls: &[(Option<&str>, &str)]| {
            let frames: Vec<Frame> = calls
                .iter()
                .map(|&(name, module)| frame(name, module))
                .collect();
            is_of_openmp(&frames)
        };
        assert!(of(&[(None, OPENMP), (Some("work"), "/app")]));
        assert!(of(&[(Some("syscall"), LIBC), (None, OPENMP)]));
        assert!(!of(&[(None, "/app"), (None, OPENMP)]) && !of(&[]));
    }

    #[test]
    fn its_own_locks_are_named_by_the_function_that_takes_them() {
        let own = purpose(&[
            (Some("__lll_lock_wait_private"), "/app"),
            (Some("__libc_malloc"), "/app"),
            (Some("work"), "/app"),
        ])
        .unwrap();
        assert_eq!(own.by, By::Library("libc_malloc".to_owned()));
        assert_eq!(own.used_as, Some(Use::Lock));
        let join = purpose(&[
            (None, LIBC),
            (Some("__pthread_clockjoin_ex"), LIBC),
            (Some("main"), "/app"),
        ])
        .unwrap();
        assert_eq!((join.by, join.used_as), (By::Join, Some(Use::Signal)));
    }

    #[test]
    fn what_the_programs_own_functions_are_called_says_nothing() {
        assert_eq!(
            purpose(&[
                (Some("syscall"), LIBC),
                (Some("app_lock"), "/app"),
                (Some("pthread_mutex_like"), "/app")
            ]),
            None
        );
        assert_eq!(
            purpose(&[(None, "/app"), (Some("pthread_mutex_lock"), LIBC)]),
            None
        );
        assert_eq!(purpose(&[]), None);
    }
}
