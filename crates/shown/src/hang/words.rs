//! Phrases about threads, locks and places.

use locktoll_results::hang::{HangLock, HangResult, HangThread, HolderKnownBy, WaitsFor};
use locktoll_results::profile::{Frame, caller, described};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::duration;

/// Returns a thread with its name: `thread 17 (worker)`.
pub fn thread(thread: &HangThread) -> String {
    match thread.name.as_str() {
        "" => format!("thread {}", thread.tid),
        name => format!("thread {} ({})", thread.tid, shown_text(name)),
    }
}

/// Returns a thread by its id, with its name if it is known.
pub fn thread_of(result: &HangResult, tid: u32) -> String {
    result
        .thread(tid)
        .map_or_else(|| format!("thread {tid}"), thread)
}

/// Returns the place in the program where a thread is; `None` if its stack is empty.
pub fn place(stack: &[Frame]) -> Option<String> {
    let frame = caller(stack).or_else(|| stack.first())?;
    Some(shown_text(&described(frame)))
}

/// Returns a lock's name in quotation marks.
pub fn lock(lock: &HangLock) -> String {
    // The place of the wait follows anyway, and "waits for the mutex waited for in" reads badly.
    if lock.name.contains(" waited for in ") {
        return format!("the {} at {}", lock.kind.words(), lock.id);
    }
    match lock.name.contains(' ') {
        // A description, not a name.
        true => format!("the {} at {}", shown_text(&lock.name), lock.id),
        false => format!("{} `{}`", lock.kind.words(), shown_text(&lock.name)),
    }
}

/// Returns what a thread waits for, after "waits for".
pub fn object(result: &HangResult, thread: &HangThread) -> String {
    if let Some(lock) = thread.lock.as_deref().and_then(|id| result.lock(id)) {
        return self::lock(lock);
    }
    match (thread.waits_for, thread.joins_tid) {
        (WaitsFor::Join, Some(tid)) => format!("the end of {}", thread_of(result, tid)),
        (WaitsFor::Join, None) => "the end of a thread".to_owned(),
        (WaitsFor::Nothing, _) => "nothing".to_owned(),
        (WaitsFor::Condvar, _) => "a condition variable".to_owned(),
        (WaitsFor::Mutex, _) => "a priority-inheriting mutex".to_owned(),
        _ => call(thread),
    }
}

/// Returns the system call of a thread with its file: `fsync on /data/wal`.
pub fn call(thread: &HangThread) -> String {
    match &thread.call {
        Some(call) => match (&call.file, call.fd) {
            (Some(file), _) => format!("{} on {}", call.name, shown_text(file)),
            (None, Some(fd)) => format!("{} on descriptor {fd}", call.name),
            (None, None) => call.name.clone(),
        },
        None => "an unknown system call".to_owned(),
    }
}

/// Says what a thread does, after "which".
pub fn does(result: &HangResult, thread: &HangThread) -> String {
    let at = place(&thread.stack).map_or_else(String::new, |place| format!(", at {place}"));
    match thread.waits_for {
        WaitsFor::Nothing => match place(&thread.stack) {
            Some(place) => format!("runs at {place}"),
            None => "runs".to_owned(),
        },
        WaitsFor::SystemCall => format!("is in {}{at}", call(thread)),
        _ => format!("waits for {}{at}", object(result, thread)),
    }
}

/// Says who holds a lock, or why that is not known; `None` for an object without holders.
pub fn holder_words(result: &HangResult, lock: &HangLock) -> Option<String> {
    let Some(tid) = lock.owner_tid else {
        return lock.note.clone();
    };
    let mut words = format!("held by {}", thread_of(result, tid));
    if let Some(site) = &lock.owner_site {
        words += &format!(", acquired at {}", shown_text(&described(site)));
    }
    if let Some(ns) = lock.held_ns {
        words += &format!(", {} ago", duration(ns as f64));
    }
    if lock.owner_known_by == Some(HolderKnownBy::Recording) {
        words += " (from the recording)";
    }
    Some(words)
}

/// Returns a look in one line: the answer.
pub fn answer(result: &HangResult) -> String {
    let count = result.deadlocks.len();
    if let [only] = &result.deadlocks[..] {
        let threads: Vec<String> = only.threads.iter().map(u32::to_string).collect();
        return match only.threads.len() {
            1 if only.locks.is_empty() => format!(
                "Deadlock: the kernel found that thread {} closed a cycle of priority-inheriting mutexes.",
                threads[0]
            ),
            1 => format!("Deadlock: thread {} waits for itself.", threads[0]),
            threads_in_it => format!(
                "Deadlock: {threads_in_it} threads wait for each other in a cycle ({}).",
                threads.join(", ")
            ),
        };
    }
    if count > 1 {
        return format!("{count} deadlocks.");
    }
    match result.chains.first() {
        Some(chain) => format!(
            "No deadlock. {} for {}, which {}.",
            super::chains::waiting(chain),
            thread_of(result, chain.root_tid),
            result
                .thread(chain.root_tid)
                .map_or_else(|| "was not seen".to_owned(), |root| does(result, root)),
        ),
        None => "No deadlock, and no thread was seen waiting for another.".to_owned(),
    }
}
