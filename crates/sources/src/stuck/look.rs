//! The first look: each thread is stopped for as long as it takes to read its registers and its stack.

use std::collections::{BTreeMap, HashSet};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;

use super::call::{described, file, interrupted, would_end};
use super::facts::{Seen, WhyCut};
use super::space::{Room, Space};
use super::stop::{NotStopped, Stopped, come_first};
use super::threads::{in_call, name, shows_calls, state};
use crate::futexes::threads_of;

/// How often to look for threads that have come since.
const PASSES: usize = 4;

/// What the first look found.
#[derive(Debug, Default)]
pub struct Looked {
    /// The threads, by id.
    pub threads: Vec<Seen>,
    /// How long each stop lasted.
    pub stops: Vec<Duration>,
    /// Threads that did not stop in time.
    pub late: usize,
    /// The kernel's refusal, if it refused to stop any thread.
    pub refusal: Option<Errno>,
}

/// Looks at all threads of the process. A thread of its own does so: if it fails, the kernel lets all threads go at its end.
///
/// With `may_stop` false, no thread is stopped: only those that sleep in a system call are seen, without their frame pointers.
pub fn look(space: &Space, process: u32, may_stop: bool) -> Looked {
    thread::scope(|scope| {
        let looking = scope.spawn(|| look_here(space, process, may_stop));
        looking.join().unwrap_or_default()
    })
}

fn look_here(space: &Space, process: u32, may_stop: bool) -> Looked {
    if may_stop {
        come_first();
    }
    let mut looked = Looked::default();
    let mut known: HashSet<u32> = HashSet::new();
    let mut seen: BTreeMap<u32, Seen> = BTreeMap::new();
    let shows_calls = shows_calls();
    for _ in 0..PASSES {
        let all = threads_of(process);
        let new: Vec<(u32, u32)> = all
            .iter()
            .copied()
            .filter(|(tid, _)| known.insert(*tid))
            .collect();
        // Threads that have ended are of no interest any more.
        seen.retain(|tid, _| all.iter().any(|(there, _)| there == tid));
        if new.is_empty() {
            break;
        }
        for (tid, own_tid) in new {
            let found = match may_stop {
                true => one(space, process, (tid, own_tid), shows_calls, &mut looked),
                false => from_afar(space, process, (tid, own_tid)),
            };
            seen.extend(found.map(|found| (tid, found)));
        }
    }
    looked.threads = seen.into_values().collect();
    looked
}

/// Looks at one thread; `None` if it has ended.
pub fn one(
    space: &Space,
    process: u32,
    (tid, own_tid): (u32, u32),
    shows_calls: bool,
    looked: &mut Looked,
) -> Option<Seen> {
    let mut seen = unstopped(process, (tid, own_tid));
    let before = seen.call;
    // A thread that cannot be interrupted would delay the look, and a stop would end some system calls.
    let is_fixed = state(process, tid)? == 'D';
    let keeps_call = before.is_some_and(|call| would_end(call.number, seen.file.as_deref()));
    if is_fixed || keeps_call {
        without_stop(space, process, &mut seen);
        return Some(seen);
    }
    // The thread is stopped only while its stack is copied. A stack that is deeper is walked in a second stop.
    let room = Room::new();
    let Some((registers, copied)) = stop(tid, looked, |it| {
        let registers = it.registers();
        let copied = registers.map(|registers| space.copy(registers, room));
        (registers, copied)
    }) else {
        without_stop(space, process, &mut seen);
        return state(process, tid).map(|_| seen);
    };
    let (registers, walked) = match copied.map(|it| space.walk_copy(&it)) {
        None => (registers, None),
        Some(Some(walked)) => (registers, Some(walked)),
        Some(None) => stop(tid, looked, |it| {
            let registers = it.registers();
            (registers, registers.map(|registers| space.walk(registers)))
        })
        .unwrap_or((registers, None)),
    };
    seen.registers = registers;
    if let Some((addresses, cut)) = walked {
        seen.addresses = addresses;
        seen.cut = cut.map(WhyCut::Walk);
    }
    seen.call = match (before, registers) {
        // It slept, and still did when it was stopped.
        (Some(call), Some(registers)) if call.sp == registers.sp => Some(call),
        (None, Some(registers)) if !shows_calls => interrupted(space, registers),
        _ => None,
    };
    Some(seen)
}

/// Stops a thread for as long as `read` takes; `None` if it could not be stopped.
fn stop<T>(tid: u32, looked: &mut Looked, read: impl FnOnce(&Stopped) -> T) -> Option<T> {
    match Stopped::stop(tid) {
        Ok(stopped) => {
            let found = read(&stopped);
            looked.stops.push(stopped.release());
            Some(found)
        }
        Err(NotStopped::Gone) => None,
        Err(NotStopped::Refused(errno)) => {
            looked.refusal = Some(errno);
            None
        }
        Err(NotStopped::Late) => {
            looked.late += 1;
            None
        }
    }
}

/// Looks at one thread without stopping it; `None` if it has ended.
pub fn from_afar(space: &Space, process: u32, ids: (u32, u32)) -> Option<Seen> {
    let mut seen = unstopped(process, ids);
    state(process, ids.0)?;
    without_stop(space, process, &mut seen);
    Some(seen)
}

/// What /proc shows of a thread.
fn unstopped(process: u32, (tid, own_tid): (u32, u32)) -> Seen {
    let call = in_call(process, tid);
    Seen {
        tid,
        own_tid,
        name: name(process, tid),
        call,
        file: call.and_then(|call| file(process, described(&call).1?)),
        registers: None,
        addresses: Vec::new(),
        entered: None,
        cut: None,
    }
}

/// Walks the stack of a thread that sleeps and is not stopped. Its frame pointer is not known.
fn without_stop(space: &Space, process: u32, seen: &mut Seen) {
    let Some(call) = seen.call else {
        seen.cut = Some(WhyCut::NotStopped);
        return;
    };
    let (addresses, cut) = space.walk_without_frame_pointer(call.ip, call.sp);
    // If it has left the call in the meantime, what was read belongs to others.
    match in_call(process, seen.tid) {
        Some(now) if now == call => {
            seen.addresses = addresses;
            seen.cut = cut.map(|_| WhyCut::NotStopped);
        }
        _ => {
            seen.call = None;
            seen.cut = Some(WhyCut::Moved);
        }
    }
}
