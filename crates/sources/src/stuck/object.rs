//! Who holds an object, as far as its own memory says.
//!
//! The layouts are those of glibc on 64-bit systems (`struct __pthread_mutex_s`, `struct __pthread_rwlock_arch_t`), which are part
//! of its binary interface.

use super::call::FutexWait;
use super::space::Space;
use super::substituted::{self, Object};
use super::wait::Wait;
use locktoll_results::hang::ObjectKind;
use locktoll_results::profile::Frame;

/// What the memory of an object says of its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A thread, by the id that the process itself sees.
    Thread(u32),
    /// This many readers, which the lock does not name.
    Readers(u32),
    /// No thread holds it: it has just been released, and its next holder is on the way.
    Nobody,
    /// It cannot be known, for this reason.
    Unknown(String),
}

/// The bits of a robust or priority-inheriting mutex's word that are the thread's id (`FUTEX_TID_MASK`).
const TID: u32 = 0x3fff_ffff;
/// Thread ids have 22 bits (linux/threads.h, `PID_MAX_LIMIT`).
const MOST_TID: u32 = 1 << 22;
/// The bits of a mutex's kind: types, robust (16), priority inheritance (32), protection (64), process-shared (128), elision.
const KIND: u32 = 0x3f3;
const ROBUST_OR_INHERITING: u32 = 16 | 32;
/// The value of an ordinary mutex that threads wait for.
const LOCKED: u32 = 2;

/// The fields of a mutex up to its kind.
#[derive(Clone, Copy, Debug)]
struct Mutex {
    word: u32,
    owner: u32,
    users: u32,
    kind: u32,
}

impl Mutex {
    fn read(space: &Space, address: u64) -> Option<Self> {
        let mut bytes = [0; 20];
        if !space.read(address, &mut bytes) {
            return None;
        }
        let (words, _) = bytes.as_chunks::<4>();
        let &[word, _count, owner, users, kind] = words else {
            return None;
        };
        let [word, owner, users, kind] = [word, owner, users, kind].map(u32::from_ne_bytes);
        Some(Self {
            word,
            owner,
            users,
            kind,
        })
    }

    fn is_plausible(&self) -> bool {
        self.kind & !KIND == 0 && self.owner <= MOST_TID
    }

    fn holder(&self) -> Holder {
        let by_word = match self.kind & ROBUST_OR_INHERITING {
            0 => None,
            _ => Some(self.word & TID),
        };
        match (by_word, self.owner & TID) {
            (Some(0), _) => Holder::Nobody,
            (Some(tid), _) => Holder::Thread(tid),
            (None, 0) if self.word == 0 => Holder::Nobody,
            // Between the acquisition and the note of the owner, or between the end of that note and the release.
            (None, 0) => Holder::Nobody,
            (None, tid) => Holder::Thread(tid),
        }
    }
}

/// Whether a mutex may be acquired again by its holder.
pub fn is_recursive(space: &Space, address: u64) -> bool {
    /// The type, of which 1 is PTHREAD_MUTEX_RECURSIVE.
    const TYPE: u32 = 3;
    Mutex::read(space, address).is_some_and(|it| it.is_plausible() && it.kind & TYPE == 1)
}

/// Whether the word at which a thread waits is that of a locked mutex, by the fields behind it.
pub fn looks_like_a_locked_mutex(space: &Space, futex: &FutexWait) -> bool {
    let Some(mutex) = Mutex::read(space, futex.word) else {
        return false;
    };
    futex.value == LOCKED && mutex.is_plausible() && mutex.owner > 0 && mutex.users > 0
}

/// Returns the holder of an object.
pub fn holder(space: &Space, wait: &Wait, frames: &[Frame]) -> Option<Holder> {
    let (address, kind) = wait.object?;
    let unread = || Holder::Unknown("its memory cannot be read".to_owned());
    if wait.is_substituted {
        return Some(match kind {
            ObjectKind::Mutex | ObjectKind::Rwlock => {
                substituted::holder(space, Object { address, kind })
            }
            _ => Holder::Unknown(substituted::NODE.to_owned()),
        });
    }
    match kind {
        ObjectKind::Mutex => {
            if let Some(function) = &wait.library {
                return Some(Holder::Unknown(format!(
                    "the holder cannot be known: a lock of the C library itself (in {function}) does not name it"
                )));
            }
            if wait.futex.is_some_and(|it| it.is_of_owner()) {
                return Some(match space.word(address).map(|word| word & TID) {
                    None => unread(),
                    Some(0) => Holder::Nobody,
                    Some(tid) => Holder::Thread(tid),
                });
            }
            Some(match Mutex::read(space, address) {
                None => unread(),
                Some(mutex) if mutex.is_plausible() => mutex.holder(),
                Some(_) => Holder::Unknown(
                    "the holder cannot be known: the memory is not that of a glibc mutex".to_owned(),
                ),
            })
        }
        ObjectKind::Rwlock => Some(rwlock(space, address).unwrap_or_else(unread)),
        ObjectKind::Semaphore => Some(Holder::Unknown(
            "the holder cannot be known: a semaphore does not name the threads that took it; `locktoll record` notes them"
                .to_owned(),
        )),
        ObjectKind::Futex if wait.is_for_a_lock != Some(false) => {
            Some(Holder::Unknown(of_language(frames).to_owned()))
        }
        ObjectKind::Futex | ObjectKind::Condvar | ObjectKind::Barrier => None,
    }
}

/// `__readers` at 0 (the lower three bits are flags), `__cur_writer` at 24.
fn rwlock(space: &Space, address: u64) -> Option<Holder> {
    const READERS_FROM: u32 = 3;
    let readers = space.word(address)? >> READERS_FROM;
    let writer = space.word(address.wrapping_add(24))?;
    Some(match (writer, readers) {
        (1..=MOST_TID, _) => Holder::Thread(writer),
        (_, 0) => Holder::Nobody,
        (_, readers) => Holder::Readers(readers),
    })
}

const TOLLGATE: &str = "the holder cannot be known: Tollgate's mutex stores a mark of its holder, which is not a thread id";
const LOCKS: &str = "the holder cannot be known: the locks of locktoll-locks do not store it";

/// Says why the holder of a futex word is not known, by the functions that wait.
fn of_language(frames: &[Frame]) -> &'static str {
    // Debug information may leave the path out of a name; the source file then shows whose function it is.
    let file_of = |folders: &[&str]| {
        let mut files = frames.iter().filter_map(|frame| frame.file.as_deref());
        files.any(|file| folders.iter().any(|folder| file.contains(folder)))
    };
    if file_of(&["/tollgate/src/", "/tollgate-"]) {
        return TOLLGATE;
    }
    if file_of(&["crates/locks/src/", "/locktoll-locks-"]) {
        return LOCKS;
    }
    let mut names = frames.iter().filter_map(|frame| frame.function.as_deref());
    let any = |name: &str, words: &[&str]| words.iter().any(|word| name.contains(word));
    let found = names.find_map(|name| {
        if any(name, &["tollgate::"]) {
            Some(TOLLGATE)
        } else if any(name, &["locktoll_locks::"]) {
            Some(LOCKS)
        } else if any(
            name,
            &[
                "sync::mutex::futex",
                "sync::rwlock::futex",
                "sys::sync::mutex",
                "sys::sync::rwlock",
            ],
        ) {
            Some("the holder cannot be known: Rust's futex mutex has no owner")
        } else if any(name, &["parking_lot"]) {
            Some("the holder cannot be known: parking_lot's locks do not store their owner")
        } else if name.starts_with("runtime.lock") || name.starts_with("runtime.futex") {
            Some("the holder cannot be known: the locks of Go's runtime do not store a thread id")
        } else {
            None
        }
    });
    found.unwrap_or("the holder cannot be known: this futex word does not name it")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutex(word: u32, owner: u32, kind: u32) -> Mutex {
        Mutex {
            word,
            owner,
            users: 1,
            kind,
        }
    }

    #[test]
    fn a_mutex_names_its_owner_in_its_field_or_in_its_word() {
        assert_eq!(mutex(2, 77, 0).holder(), Holder::Thread(77));
        assert_eq!(mutex(2, 0, 0).holder(), Holder::Nobody);
        let robust = mutex(0x8000_0000 | 78, 78, 16);
        assert_eq!(robust.holder(), Holder::Thread(78));
        assert_eq!(mutex(0x8000_0000 | 79, 0, 32).holder(), Holder::Thread(79));
        assert_eq!(mutex(0, 0, 32).holder(), Holder::Nobody);
        assert!(robust.is_plausible() && !mutex(2, 77, 0x4000).is_plausible());
        assert!(!mutex(2, u32::MAX, 0).is_plausible());
    }

    #[test]
    fn a_lock_without_an_owner_says_whose_it_is() {
        let why = |name: &str| {
            of_language(&[Frame {
                function: Some(name.to_owned()),
                ..Frame::default()
            }])
        };
        let rust = why("std::sys::sync::mutex::futex::Mutex::lock_contended");
        assert!(rust.ends_with("Rust's futex mutex has no owner"));
        assert!(why("parking_lot::raw_mutex::RawMutex::lock_slow").contains("parking_lot"));
        assert!(why("tollgate::raw_mutex::arrive").contains("Tollgate's mutex"));
        assert!(why("locktoll_locks::futex3::Futex3::park").contains("locktoll-locks"));
        assert!(why("work").ends_with("does not name it"));
    }
}
