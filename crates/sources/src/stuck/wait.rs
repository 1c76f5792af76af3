//! What a thread waits for: by its system call, by the functions that led to it, and by the memory at the word.

use super::call::{FutexWait, described};
use super::object::looks_like_a_locked_mutex;
use super::space::Space;
use super::substituted;
use super::threads::InCall;
use crate::futexes::{By, Purpose, object_base};
use locktoll_results::hang::{ObjectKind, WaitsFor};
use locktoll_results::profile::{Frame, LockKind, Use};

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The kind.
    pub waits_for: WaitsFor,
    /// The address of the object, and its kind; `None` for a system call that is not about a futex, and for the end of a thread.
    pub object: Option<(u64, ObjectKind)>,
    /// The futex call.
    pub futex: Option<FutexWait>,
    /// Whether it ends by itself at a deadline.
    pub has_deadline: bool,
    /// Whether threads exclude each other by the object; `false` for notifications, `None` if that is not known.
    pub is_for_a_lock: Option<bool>,
    /// The function of the C library that waits for a lock of its own.
    pub library: Option<String>,
    /// Whether it is for a lock that `locktoll try` has put in place of the C library's, and not for one that is still the C library's.
    pub is_substituted: bool,
    /// Whether the thread wakes from time to time by itself, to look at the lock again.
    pub naps: bool,
}

impl Wait {
    /// Waits for nothing.
    pub fn nothing() -> Self {
        Self::of_kind(WaitsFor::Nothing)
    }

    fn of_kind(waits_for: WaitsFor) -> Self {
        Self {
            waits_for,
            object: None,
            futex: None,
            has_deadline: false,
            is_for_a_lock: None,
            library: None,
            is_substituted: false,
            naps: false,
        }
    }

    /// Determines what a thread waits for that sleeps in `call`, with these functions on its stack, innermost first. `is_thread`
    /// says whether a thread id, as the process sees it, is that of one of its threads.
    pub fn of(
        call: &InCall,
        frames: &[Frame],
        space: &Space,
        is_thread: &dyn Fn(u32) -> bool,
    ) -> Self {
        let purpose = Purpose::of(frames);
        let is_substituted = substituted::is_waited_for(frames);
        let again =
            call.number == libc::SYS_restart_syscall && (is_substituted || purpose.is_some());
        // A wait with a deadline that was interrupted goes on as another call, with the same arguments.
        let number = match again {
            true => libc::SYS_futex,
            false => call.number,
        };
        match FutexWait::of(&InCall { number, ..*call }) {
            Some(futex) if is_substituted => {
                let ends = futex.has_deadline || again;
                Self {
                    futex: Some(futex),
                    ..of_substitute(&futex, ends, frames, space, is_thread)
                }
            }
            Some(futex) => {
                let has_deadline = futex.has_deadline || again;
                let wait = match is_given_up(&futex, purpose.as_ref(), space) {
                    true => Self::of_kind(WaitsFor::Mutex),
                    false => of_futex(futex, purpose, space, is_thread),
                };
                Self {
                    futex: Some(futex),
                    has_deadline,
                    ..wait
                }
            }
            None => Self::of_kind(WaitsFor::SystemCall),
        }
    }

    /// Whether the thread will sleep forever: the kernel found that its acquisition of a priority-inheriting mutex would close a cycle
    /// (`EDEADLK`), and glibc then waits at a word on its own stack that no thread changes. No record of the mutex remains.
    pub fn is_given_up(&self) -> bool {
        self.waits_for == WaitsFor::Mutex && self.object.is_none()
    }

    /// Whether a thread merely waits for others to give it work, or for time to pass.
    pub fn is_for_work(&self, call: &InCall, file: Option<&str>) -> bool {
        match self.waits_for {
            WaitsFor::Nothing => false,
            WaitsFor::SystemCall => super::call::is_idle(&described(call).0, file),
            WaitsFor::Condvar => true,
            WaitsFor::Semaphore | WaitsFor::Futex => self.is_for_a_lock == Some(false),
            WaitsFor::Mutex | WaitsFor::Rwlock | WaitsFor::Barrier | WaitsFor::Join => false,
        }
    }
}

fn is_given_up(futex: &FutexWait, purpose: Option<&Purpose>, space: &Space) -> bool {
    let is_of_mutex = purpose.is_some_and(|it| it.kind == LockKind::Mutex && it.by == By::Word);
    let waits_for_zero = futex.value == 0 && space.word(futex.word) == Some(0);
    is_of_mutex && waits_for_zero && !futex.has_deadline && !futex.is_of_owner()
}

fn of_mutex(address: u64) -> Wait {
    Wait {
        object: Some((address, ObjectKind::Mutex)),
        is_for_a_lock: Some(true),
        ..Wait::of_kind(WaitsFor::Mutex)
    }
}

fn of_futex(
    futex: FutexWait,
    purpose: Option<Purpose>,
    space: &Space,
    is_thread: &dyn Fn(u32) -> bool,
) -> Wait {
    let word = futex.word;
    // A condition's wait ends by acquiring its mutex again, in the same function: only the word distinguishes the two.
    if futex.is_of_owner() || futex.is_plain() && looks_like_a_locked_mutex(space, &futex) {
        let library = purpose.and_then(|it| match it.by {
            By::Library(function) => Some(function),
            _ => None,
        });
        return Wait {
            library,
            ..of_mutex(word)
        };
    }
    let Some(purpose) = purpose else {
        return without_names(futex, space, is_thread);
    };
    if let By::Library(function) = purpose.by {
        return Wait {
            library: Some(function),
            ..of_mutex(word)
        };
    }
    if purpose.by == By::Join {
        return Wait::of_kind(WaitsFor::Join);
    }
    let (waits_for, kind) = match purpose.kind {
        LockKind::Mutex => (WaitsFor::Mutex, ObjectKind::Mutex),
        LockKind::RwLock => (WaitsFor::Rwlock, ObjectKind::Rwlock),
        LockKind::Condvar => (WaitsFor::Condvar, ObjectKind::Condvar),
        LockKind::Semaphore => (WaitsFor::Semaphore, ObjectKind::Semaphore),
        LockKind::Barrier => (WaitsFor::Barrier, ObjectKind::Barrier),
        LockKind::Futex | LockKind::Spin => (WaitsFor::Futex, ObjectKind::Futex),
    };
    Wait {
        object: Some((object_base(purpose.kind, word), kind)),
        is_for_a_lock: purpose.used_as.map(|it| it == Use::Lock),
        ..Wait::of_kind(waits_for)
    }
}

/// A wait in the library that `locktoll try` loads, which `ends` by itself or not. The functions of the C library inside it may have no
/// names; two of its waits are known without them.
fn of_substitute(
    futex: &FutexWait,
    ends: bool,
    frames: &[Frame],
    space: &Space,
    is_thread: &dyn Fn(u32) -> bool,
) -> Wait {
    let of_c_library = match futex.is_of_owner() {
        true => Some(of_mutex(futex.word)),
        false => is_join(futex, space, is_thread).then(|| Wait::of_kind(WaitsFor::Join)),
    };
    if let Some(wait) = of_c_library {
        return Wait {
            has_deadline: ends,
            ..wait
        };
    }
    let is_of_program = substituted::has_deadline(frames);
    Wait {
        has_deadline: ends && is_of_program,
        naps: ends && !is_of_program,
        is_substituted: true,
        ..of_substituted(futex, frames, space)
    }
}

/// A wait for an object that the library has replaced.
fn of_substituted(futex: &FutexWait, frames: &[Frame], space: &Space) -> Wait {
    if let Some(object) = substituted::object(space, futex) {
        let waits_for = match object.kind {
            ObjectKind::Rwlock => WaitsFor::Rwlock,
            _ => WaitsFor::Mutex,
        };
        return Wait {
            object: Some((object.address, object.kind)),
            is_for_a_lock: Some(true),
            ..Wait::of_kind(waits_for)
        };
    }
    if substituted::is_for_a_condition(frames) {
        return Wait::of_kind(WaitsFor::Condvar);
    }
    Wait {
        object: Some((futex.word, ObjectKind::Futex)),
        is_for_a_lock: Some(true),
        ..Wait::of_kind(WaitsFor::Futex)
    }
}

/// Without the names of functions, glibc's join is recognised by its word: the kernel clears it when the thread ends, and wakes
/// the threads of all processes.
fn is_join(futex: &FutexWait, space: &Space, is_thread: &dyn Fn(u32) -> bool) -> bool {
    futex.is_shared()
        && !futex.is_plain()
        && is_thread(futex.value)
        && space.word(futex.word) == Some(futex.value)
}

fn without_names(futex: FutexWait, space: &Space, is_thread: &dyn Fn(u32) -> bool) -> Wait {
    if is_join(&futex, space, is_thread) {
        return Wait::of_kind(WaitsFor::Join);
    }
    Wait {
        object: Some((futex.word, ObjectKind::Futex)),
        ..Wait::of_kind(WaitsFor::Futex)
    }
}
