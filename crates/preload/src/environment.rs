//! The settings read from the environment at the start: where to record, what to record, and in which processes.
//!
//! They are read by getenv(3) and copied at once, since a program may change its environment later.

use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use locktoll_recording::layout::{Keeps, Mode};

use crate::failure;
use crate::sys::{self, Errno};

/// The environment variable that names the directory for parts, an absolute path. Nothing is recorded without it.
const DIRECTORY_VARIABLE: &CStr = c"LOCKTOLL_PARTS";

/// The environment variable with the process id of the process that started the program. It is set if children are not to be
/// recorded: a process whose parent is any other process records nothing. A process keeps its parent when it executes another
/// program.
const ONLY_CHILD_OF_VARIABLE: &CStr = c"LOCKTOLL_ONLY_CHILD_OF";

/// The environment variable that selects what is timed: `exact` for every hold, anything else for a sample of them.
const MODE_VARIABLE: &CStr = c"LOCKTOLL_MODE";

/// The value of [`MODE_VARIABLE`] at the start, or zero before it has been read.
static MODE: AtomicU32 = AtomicU32::new(0);

/// The environment variable with the number of the run that watches for preempted holders. Without it, no thread registers its
/// list of locks with the kernel.
const PREEMPTION_VARIABLE: &CStr = c"LOCKTOLL_PREEMPTION";

/// The number in [`PREEMPTION_VARIABLE`] at the start, or zero.
static PREEMPTION: AtomicU64 = AtomicU64::new(0);

/// The environment variable that is set if the program runs for very long: the part must then not grow with each thread.
const LIVE_VARIABLE: &CStr = c"LOCKTOLL_LIVE";

/// Whether [`LIVE_VARIABLE`] was set at the start.
static LIVE: AtomicBool = AtomicBool::new(false);

/// The environment variable that selects whether the order of locks is noted: not if it is `off`.
const ORDER_VARIABLE: &CStr = c"LOCKTOLL_ORDER";

/// What [`ORDER_VARIABLE`] said at the start: [`ORDER_ON`], [`ORDER_OFF`], or zero before it has been read.
static ORDER: AtomicU32 = AtomicU32::new(0);
const ORDER_ON: u32 = 1;
const ORDER_OFF: u32 = 2;

/// The environment variable that asks for events by time: `waits:BYTES` or `everything:BYTES`.
const TIMELINE_VARIABLE: &CStr = c"LOCKTOLL_TIMELINE";

/// What [`TIMELINE_VARIABLE`] said at the start: the number of bytes, times 4, plus [`Keeps`]. [`UNREAD`] before it has been read,
/// and zero if there is none.
static TIMELINE: AtomicU64 = AtomicU64::new(UNREAD);
const UNREAD: u64 = u64::MAX;

const DIRECTORY_BYTES: usize = 3840;

/// The directory that the environment named at the start: a program may change its environment, and a child of a fork must
/// still find the directory. Only the holder of the recorder's lock uses it.
struct Directory {
    is_read: AtomicBool,
    length: AtomicU32,
    bytes: UnsafeCell<[u8; DIRECTORY_BYTES]>,
}

// SAFETY: the recorder's lock keeps it to one thread at a time.
unsafe impl Sync for Directory {}

static DIRECTORY: Directory = Directory {
    is_read: AtomicBool::new(false),
    length: AtomicU32::new(0),
    bytes: UnsafeCell::new([0; DIRECTORY_BYTES]),
};

/// The process id in [`ONLY_CHILD_OF_VARIABLE`] at the start, or zero.
static ONLY_CHILD_OF: AtomicU32 = AtomicU32::new(0);

/// Returns the directory for parts, if there is one and this process is to record.
///
/// # Safety
/// The caller holds the recorder's lock.
pub unsafe fn directory() -> Option<&'static [u8]> {
    // Relaxed throughout: the lock orders the accesses. A child forked off in the middle of this reads the variable again.
    if !DIRECTORY.is_read.load(Relaxed) {
        // SAFETY: the caller's promise.
        let length = unsafe { read_directory() };
        let only = u32::try_from(read_number(ONLY_CHILD_OF_VARIABLE)).unwrap_or(u32::MAX);
        ONLY_CHILD_OF.store(only, Relaxed);
        PREEMPTION.store(read_number(PREEMPTION_VARIABLE), Relaxed);
        LIVE.store(read_number(LIVE_VARIABLE) != 0, Relaxed);
        DIRECTORY.length.store(length, Relaxed);
        DIRECTORY.is_read.store(true, Relaxed);
    }
    let only_child_of = ONLY_CHILD_OF.load(Relaxed);
    if only_child_of != 0 && only_child_of != sys::parent_pid() {
        return None;
    }
    let length = DIRECTORY.length.load(Relaxed) as usize;
    // SAFETY: written only above.
    let bytes = unsafe { &*DIRECTORY.bytes.get() };
    bytes.get(..length).filter(|name| !name.is_empty())
}

/// Returns what is timed, as the environment said at the start.
pub fn mode() -> Mode {
    // Relaxed, both: every thread reads the same value.
    let known = MODE.load(Relaxed);
    if let Some(mode) = Mode::from_number(known) {
        return mode;
    }
    // SAFETY: as in `read_directory`.
    let value = unsafe { libc::getenv(MODE_VARIABLE.as_ptr()) };
    // SAFETY: the environment's strings end with a zero byte.
    let exact = !value.is_null() && unsafe { CStr::from_ptr(value) } == c"exact";
    let mode = if exact { Mode::Exact } else { Mode::Sampled };
    MODE.store(mode.number(), Relaxed);
    mode
}

/// Whether the order of locks is to be noted, as the environment said at the start.
pub fn notes_order() -> bool {
    // Relaxed, both: every thread reads the same value.
    let known = ORDER.load(Relaxed);
    if known != 0 {
        return known == ORDER_ON;
    }
    // SAFETY: as in `read_directory`.
    let value = unsafe { libc::getenv(ORDER_VARIABLE.as_ptr()) };
    // SAFETY: the environment's strings end with a zero byte.
    let is_off = !value.is_null() && unsafe { CStr::from_ptr(value) } == c"off";
    ORDER.store(if is_off { ORDER_OFF } else { ORDER_ON }, Relaxed);
    !is_off
}

/// Copies the variable's value. Returns its length, or 0 if it is not usable.
///
/// # Safety
/// The caller holds the recorder's lock, and nobody has been given the bytes.
unsafe fn read_directory() -> u32 {
    // SAFETY: nothing changes the environment before main; getenv(3) takes no lock.
    let value = unsafe { libc::getenv(DIRECTORY_VARIABLE.as_ptr()) };
    if value.is_null() {
        return 0;
    }
    // SAFETY: the environment's strings end with a zero byte.
    let name = unsafe { CStr::from_ptr(value) }.to_bytes();
    if !name.starts_with(b"/") || name.len() > DIRECTORY_BYTES {
        failure::note(Errno(libc::EINVAL));
        return 0;
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { &mut *DIRECTORY.bytes.get() };
    bytes[..name.len()].copy_from_slice(name);
    name.len() as u32
}

/// Returns the number in the variable `name`, or 0 if there is none.
fn read_number(name: &CStr) -> u64 {
    // SAFETY: as in `read_directory`.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    if value.is_null() {
        return 0;
    }
    // SAFETY: the environment's strings end with a zero byte.
    number(unsafe { CStr::from_ptr(value) }.to_bytes())
}

/// Returns the number that these digits are.
fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |number: u64, digit| {
        let digit = u64::from(digit.wrapping_sub(b'0'));
        number.saturating_mul(10).saturating_add(digit)
    })
}

/// Returns the number of the run that watches for preempted holders, or zero if none does.
pub fn watched_by() -> u64 {
    // Relaxed: set before any thread has a slot.
    PREEMPTION.load(Relaxed)
}

/// Whether the program is recorded for as long as it runs.
pub fn is_live() -> bool {
    // Relaxed: set before any thread has a slot.
    LIVE.load(Relaxed)
}

/// Returns which events by time are to be kept, and the room for them in bytes, as the environment said at the start.
pub fn timeline() -> Option<(Keeps, u64)> {
    // Relaxed, both: every thread reads the same value.
    let mut known = TIMELINE.load(Relaxed);
    if known == UNREAD {
        known = read_timeline();
        TIMELINE.store(known, Relaxed);
    }
    let keeps = Keeps::from_number((known & 3) as u32)?;
    Some((keeps, known >> 2))
}

fn read_timeline() -> u64 {
    // SAFETY: as in `read_directory`.
    let value = unsafe { libc::getenv(TIMELINE_VARIABLE.as_ptr()) };
    if value.is_null() {
        return 0;
    }
    // SAFETY: the environment's strings end with a zero byte.
    let value = unsafe { CStr::from_ptr(value) }.to_bytes();
    for (word, keeps) in [
        (&b"waits:"[..], Keeps::Waits),
        (b"everything:", Keeps::Everything),
    ] {
        if let Some(digits) = value.strip_prefix(word) {
            return number(digits).min(u64::MAX >> 3) << 2 | u64::from(keeps.number());
        }
    }
    0
}
