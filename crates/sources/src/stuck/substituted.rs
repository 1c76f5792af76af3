//! The locks that `locktoll try` has put in place of the C library's.
//!
//! They lie in the objects of the program, whose other words say more: each object that is in use has a mark, and some say which
//! thread holds them. The layouts are those of `crates/substitute` (`mutex/object.rs`, `rwlock/object.rs`); a test runs a program
//! under `locktoll try` and compares.

use super::call::FutexWait;
use super::object::Holder;
use super::space::Space;
use crate::futexes::{Processor, Purpose};
use locktoll_results::hang::ObjectKind;
use locktoll_results::profile::{Frame, is_c_library};

/// An object for which a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its address.
    pub address: u64,
    /// A mutex or a reader-writer lock.
    pub kind: ObjectKind,
}

/// Where a kind of object has its lock, its mark and its holder.
struct Layout {
    kind: ObjectKind,
    /// The first and the last word of the lock, on which threads may sleep.
    words: (u64, u64),
    mark: u64,
    holder: u64,
}

const LAYOUTS: [Layout; 2] = [
    Layout {
        kind: ObjectKind::Mutex,
        words: (24, 36),
        mark: 20,
        holder: 8,
    },
    Layout {
        kind: ObjectKind::Rwlock,
        words: (0, 20),
        mark: 40,
        holder: 32,
    },
];

/// A mutex's kind, and the bits of its type: normal, recursive, error-checking, adaptive.
const MUTEX_KIND: u64 = 16;
const TYPE: u32 = 3;

/// Whether a thread waits in the library that `try` loads, for an object that the library has replaced. For objects that stay the C
/// library's, it calls the C library's functions, and the thread then waits in one of those: under `whatif`, behind a gate, and for
/// mutexes that are left alone.
pub fn is_waited_for(frames: &[Frame]) -> bool {
    let inner = frames.iter().take_while(|it| is_c_library(it)).count();
    frames.get(inner).is_some_and(is_of_try) && Purpose::of(&frames[..inner]).is_none()
}

/// Whether a call is one of that library.
pub fn is_of_try(frame: &Frame) -> bool {
    frame.module.as_deref().is_some_and(is_path_of_try)
}

/// Whether a file is that library.
pub fn is_path_of_try(path: &str) -> bool {
    path.contains("/liblocktoll_substitute")
}

/// Whether the thread waits for a condition. The mutex of the condition is acquired in the same function, at a word of that mutex.
pub fn is_for_a_condition(frames: &[Frame]) -> bool {
    own(frames).any(|(name, file)| {
        name.contains("locktoll_substitute::condition") || file.contains("/src/condition/")
    })
}

/// Whether the program has set a deadline. Some locks sleep for limited times by themselves, and then look again.
pub fn has_deadline(frames: &[Frame]) -> bool {
    own(frames).any(|(name, _)| {
        let name = name.split('<').next().unwrap_or(name);
        ["timed_lock", "clock_lock", "timed_wait", "clock_wait"]
            .iter()
            .any(|it| name.ends_with(it))
    })
}

/// The names and files of the library's calls.
fn own(frames: &[Frame]) -> impl Iterator<Item = (&str, &str)> {
    let own = frames.iter().filter(|it| is_of_try(it));
    own.map(|it| {
        (
            it.function.as_deref().unwrap_or_default(),
            it.file.as_deref().unwrap_or_default(),
        )
    })
}

/// Returns the object of the program in which the word lies; `None` if the thread sleeps on a word of its own.
pub fn object(space: &Space, futex: &FutexWait) -> Option<Object> {
    LAYOUTS.iter().find_map(|layout| {
        let (first, last) = layout.words;
        let found = (first..=last).step_by(4).find_map(|within| {
            let address = futex.word.checked_sub(within)?;
            let is_object =
                address.is_multiple_of(8) && space.word(address + layout.mark).is_some_and(is_mark);
            is_object.then_some(address)
        })?;
        Some(Object {
            address: found,
            kind: layout.kind,
        })
    })
}

/// Whether a word is the mark of an object in use (`crates/substitute`, `generation.rs`, `mark.rs`): the lowest two bits are set while
/// a thread makes it.
fn is_mark(word: u32) -> bool {
    word >> 24 == 0x6c && word & 3 == 0
}

/// Returns the holder of an object.
pub fn holder(space: &Space, object: Object) -> Holder {
    let unread = || Holder::Unknown("its memory cannot be read".to_owned());
    let Some(layout) = LAYOUTS.iter().find(|it| it.kind == object.kind) else {
        return unread();
    };
    let is_named = match object.kind {
        ObjectKind::Mutex => match space.word(object.address + MUTEX_KIND) {
            Some(kind) => matches!(kind & TYPE, 1 | 2),
            None => return unread(),
        },
        _ => true,
    };
    if !is_named {
        return Holder::Unknown(PLAIN.to_owned());
    }
    match space.long(object.address + layout.holder) {
        None => unread(),
        Some(0) if object.kind == ObjectKind::Rwlock => readers(space, object.address),
        Some(0) => Holder::Nobody,
        Some(thread) => thread_of(space, thread).map_or_else(
            || Holder::Unknown(why_no_thread(space.processor()).to_owned()),
            Holder::Thread,
        ),
    }
}

/// Why the id of a holder is not known whose control block is.
fn why_no_thread(processor: Processor) -> &'static str {
    match processor {
        Processor::X86 => {
            "the holder cannot be known: the thread that it names is not in this process"
        }
        Processor::Arm => {
            "the holder cannot be known: this lock of `locktoll try` names the memory of its holder, and the place of the thread id in it \
             is known on x86-64 only"
        }
    }
}

/// Why the holder of a plain mutex is not known.
pub const PLAIN: &str =
    "the holder cannot be known: under `locktoll try`, plain mutexes do not store it";

/// Why neither the object nor its holder is known.
pub const NODE: &str = "the holder cannot be known: this lock of `locktoll try` puts threads to sleep on words of their own, which do not \
                        name the lock";

/// The lower half of the lock's word counts readers. While a writer is inside, they wait.
fn readers(space: &Space, address: u64) -> Holder {
    const WRITER: u64 = 1 << 63;
    match space.long(address) {
        Some(state) if state & WRITER == 0 && state as u32 > 0 => Holder::Readers(state as u32),
        _ => Holder::Nobody,
    }
}

/// The offset of the thread id from a thread's control block in glibc on x86-64 (`struct pthread`), whose beginning is fixed.
const TID: u64 = 720;
/// The offsets at which a control block has its own address (`tcbhead_t`: `tcb`, `self`).
const OWN_ADDRESS: [u64; 2] = [0, 16];

/// Returns the id of the thread with this control block. On other processors, its place differs between versions of glibc.
fn thread_of(space: &Space, block: u64) -> Option<u32> {
    if space.processor() != Processor::X86 {
        return None;
    }
    let is_block = OWN_ADDRESS
        .iter()
        .all(|&at| space.long(block.wrapping_add(at)) == Some(block));
    is_block
        .then(|| space.word(block.wrapping_add(TID)))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, file: &str) -> Frame {
        Frame {
            function: Some(name.to_owned()),
            file: Some(file.to_owned()),
            module: Some("/root/.cache/locktoll/liblocktoll_substitute-12.so".to_owned()),
            ..Frame::default()
        }
    }

    #[test]
    fn a_wait_is_of_try_by_its_innermost_call() {
        let of_try = frame("locktoll_substitute::mutex::plain::lock", "");
        let of_program = Frame {
            module: Some("/opt/app".to_owned()),
            ..Frame::default()
        };
        let in_libc = Frame {
            module: Some("/lib/libc.so.6".to_owned()),
            ..Frame::default()
        };
        assert!(is_waited_for(&[
            in_libc,
            of_try.clone(),
            of_program.clone()
        ]));
        assert!(!is_waited_for(&[of_program, of_try]));
        assert!(!is_waited_for(&[]));
    }

    #[test]
    fn what_the_library_leaves_to_the_c_library_is_not_of_try() {
        let in_libc = |name: &str| Frame {
            function: Some(name.to_owned()),
            module: Some("/lib/libc.so.6".to_owned()),
            ..Frame::default()
        };
        // The library's own names, as the program calls them, say nothing of whose the object is.
        for outer in ["locktoll_substitute::in_place::gate", "pthread_mutex_lock"] {
            let of_try = frame(outer, "");
            let calls = |inner: &[&str]| -> Vec<Frame> {
                let inner = inner.iter().map(|name| in_libc(name));
                inner.chain([of_try.clone()]).collect()
            };
            assert!(is_waited_for(&calls(&["syscall"])), "{outer}");
            assert!(is_waited_for(&calls(&[])), "{outer}");
            for name in [
                "___pthread_mutex_lock",
                "__pthread_cond_wait",
                "__pthread_clockjoin_ex",
                "__new_sem_wait_slow64.constprop.1",
                "_int_malloc",
            ] {
                let inner = ["futex_wait", "__GI___lll_lock_wait", name];
                assert!(!is_waited_for(&calls(&inner)), "{name}");
            }
        }
    }

    #[test]
    fn a_deadline_is_one_that_the_program_has_set() {
        let naps = [
            frame("locktoll_waiting::park::WideFutex::wait_until", ""),
            frame("locktoll_substitute::mutex::kinds::lock", ""),
        ];
        assert!(!has_deadline(&naps) && !is_for_a_condition(&naps));
        for name in [
            "locktoll_substitute::mutex::timed::timed_lock",
            "clock_lock<locktoll_locks::futex3::Futex3>",
        ] {
            assert!(has_deadline(&[frame(name, "")]), "{name}");
        }
        assert!(is_for_a_condition(&[frame(
            "wait<Never>",
            "/x/src/condition/wait.rs"
        )]));
    }

    #[test]
    fn each_processor_has_its_reason() {
        assert!(why_no_thread(Processor::X86).ends_with("not in this process"));
        let arm = why_no_thread(Processor::Arm);
        assert!(arm.ends_with("known on x86-64 only") && !arm.contains("not in this process"));
    }

    #[test]
    fn only_the_mark_of_an_object_in_use_counts() {
        assert!(is_mark(0x6c00_0004) && is_mark(0x6cff_fffc));
        assert!(!is_mark(0) && !is_mark(0x6c00_0005) && !is_mark(0x6d00_0004));
    }
}
