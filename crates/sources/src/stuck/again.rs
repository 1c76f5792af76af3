//! The second look: whether a thread still is in the same wait, and whether the lock still has the same holder.
//!
//! A thread that sleeps at two moments, and has not left a CPU in between, has not run in between. All waits are noted, then all
//! holders are read, then all waits are noted again. If nothing has changed, there was a moment at which all of these threads
//! waited and all of these locks were held: a cycle among them is a deadlock.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::threads::{InCall, in_call, state, switches};

/// How long to wait until the threads sleep again after a look, if looks are compared.
const SETTLING: Duration = Duration::from_millis(30);
/// How long to wait for the first note: a thread that was stopped has to go back to sleep, which takes time on a busy machine.
const PATIENCE: Duration = Duration::from_millis(120);
/// Between two attempts at the first note.
const PAUSE: Duration = Duration::from_millis(2);

/// The state of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Note {
    call: InCall,
    switches: (u64, u64),
}

fn note(process: u32, tid: u32) -> Option<Note> {
    // The counts are read first and last: a thread that went to sleep in between has others.
    let before = switches(process, tid)?;
    let call = in_call(process, tid)?;
    let sleeps = state(process, tid) == Some('S');
    let switches = switches(process, tid).filter(|&after| sleeps && after == before)?;
    Some(Note { call, switches })
}

/// Which threads have not run since a moment.
#[derive(Debug, Default)]
pub struct Unmoved(HashMap<u32, (Note, Instant)>);

impl Unmoved {
    /// Returns for how long each of these threads is known not to have run, before a look stops it.
    pub fn until_now(&self, process: u32) -> HashMap<u32, Duration> {
        let same = |(&tid, (before, since)): (&u32, &(Note, Instant))| {
            (note(process, tid).as_ref() == Some(before)).then(|| (tid, since.elapsed()))
        };
        self.0.iter().filter_map(same).collect()
    }

    /// Notes these threads after a look, once they have gone back to sleep. `before` says for how long each had not run before.
    pub fn after(process: u32, threads: &[u32], before: &HashMap<u32, Duration>) -> Self {
        let mut notes = HashMap::new();
        let began = Instant::now();
        while began.elapsed() < SETTLING {
            for &tid in threads {
                if let Entry::Vacant(unseen) = notes.entry(tid)
                    && let Some(found) = note(process, tid)
                {
                    let now = Instant::now();
                    let since = before.get(&tid).and_then(|&ago| now.checked_sub(ago));
                    unseen.insert((found, since.unwrap_or(now)));
                }
            }
            if notes.len() == threads.len() {
                break;
            }
            sleep(PAUSE);
        }
        Self(notes)
    }
}

/// Returns those of the threads that stay in the wait in which they were first seen, for at least `between`; `holders` reads the
/// holders of their locks in that time. `first` has the call of each thread.
pub fn still<H>(
    process: u32,
    first: &HashMap<u32, InCall>,
    between: Duration,
    holders: impl FnOnce() -> H,
) -> (HashSet<u32>, H) {
    let same = |it: &Note, call: &InCall| {
        // A wait with a deadline is another call once it has been interrupted.
        it.call.sp == call.sp && it.call.ip == call.ip && it.call.arguments == call.arguments
    };
    let mut notes: HashMap<u32, Note> = HashMap::new();
    let mut open: Vec<u32> = first.keys().copied().collect();
    let began = Instant::now();
    while !open.is_empty() && began.elapsed() < PATIENCE {
        open.retain(|tid| match note(process, *tid) {
            Some(found) if same(&found, &first[tid]) => {
                notes.insert(*tid, found);
                false
            }
            // It sleeps elsewhere, so the wait is over.
            Some(_) => false,
            None => true,
        });
        if !open.is_empty() {
            sleep(PAUSE);
        }
    }
    sleep(between);
    let holders = holders();
    let still = notes
        .iter()
        .filter(|&(&tid, before)| note(process, tid).as_ref() == Some(before))
        .map(|(&tid, _)| tid);
    (still.collect(), holders)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn a_thread_that_sleeps_on_is_still_there_and_one_that_moved_is_not() {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let (tell, id) = std::sync::mpsc::channel();
        let sleeper = std::thread::spawn(move || {
            tell.send(rustix::thread::gettid().as_raw_pid().cast_unsigned())
                .unwrap();
            let mut byte = [0];
            while reader.read(&mut byte).unwrap() > 0 {}
        });
        let (own, tid) = (std::process::id(), id.recv().unwrap());
        if !super::super::threads::shows_calls() {
            drop(writer);
            sleeper.join().unwrap();
            return locktoll_needs::refused("/proc/PID/syscall");
        }
        let read = |it: &InCall| it.number == libc::SYS_read;
        let call = loop {
            if let Some(call) = in_call(own, tid).filter(read) {
                break call;
            }
            std::thread::yield_now();
        };
        let first = HashMap::from([(tid, call)]);
        let between = Duration::from_millis(30);
        let (found, held) = still(own, &first, between, || 7);
        assert_eq!((found.contains(&tid), held), (true, 7));
        // It runs, and sleeps again at the same place.
        let (found, ()) = still(own, &first, between, || writer.write_all(&[1]).unwrap());
        assert!(!found.contains(&tid));
        drop(writer);
        sleeper.join().unwrap();
        assert!(
            still(own, &first, between, || ()).0.is_empty(),
            "it has ended"
        );
    }
}
