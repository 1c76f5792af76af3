//! One look at a process: the waits in its part, and the held locks in its memory.

use std::fs::File;
use std::mem::{offset_of, size_of};
use std::path::Path;

use locktoll_recording::layout::{CountRecord, HELD_LISTED, HeldList, LockKind};
use locktoll_recording::reader::{Live, LiveThread, ReadError};

use super::glimpse::{Glimpse, Hold, Wait};
use super::memory::{half, read, word};
use crate::clock::now_ns;
use locktoll_terminal::system::files::open_regular;

/// A process that writes a part.
pub struct Process {
    live: Live<File>,
}

impl Process {
    /// Begins to watch the process that writes the part at `path`.
    ///
    /// # Errors
    /// If the part cannot be read yet.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Ok(Self {
            live: Live::open(open_regular(path)?)?,
        })
    }

    /// Returns when its part began.
    pub fn start_ns(&self) -> u64 {
        self.live.start_ns()
    }

    /// Looks at all threads.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn look(&mut self, looks_at_holds: bool) -> Result<Glimpse, ReadError> {
        let threads = self.live.threads()?;
        let pid = self.live.pid();
        let mut glimpse = Glimpse {
            pid,
            at_ns: now_ns(),
            ..Glimpse::default()
        };
        for thread in &threads {
            if looks_at_holds {
                holds(pid, thread, &mut glimpse.holds);
            }
            glimpse.waits.extend(thread.waiting.map(|wait| Wait {
                tid: thread.tid,
                lock: wait.lock,
                site: wait.site,
                since_ns: wait.since_ns,
                holder: wait.holder,
            }));
        }
        Ok(glimpse)
    }
}

/// Adds the locks that a thread holds.
fn holds(pid: u32, thread: &LiveThread, found: &mut Vec<Hold>) {
    const ENTRIES: usize = offset_of!(HeldList, entries);
    const ENTRY: usize = 16;
    let Some(list) = thread.held_list else {
        return;
    };
    let mut head = [0; ENTRIES];
    if !read(pid, list, &mut head) {
        return;
    }
    let depth = half(&head, offset_of!(HeldList, depth)) as usize;
    // The slot may have passed on to another thread, or the process may be another one by now.
    if depth == 0 || half(&head, offset_of!(HeldList, owner)) != thread.tid {
        return;
    }
    let depth = depth.min(HELD_LISTED);
    let mut entries = [0; HELD_LISTED * ENTRY];
    let entries = &mut entries[..depth * ENTRY];
    if !read(pid, list + ENTRIES as u64, entries) {
        return;
    }
    for place in 0..depth {
        let record = word(entries, place * ENTRY);
        let mut count = [0; size_of::<CountRecord>()];
        if record == 0 || !read(pid, record, &mut count) {
            continue;
        }
        let kind = LockKind::from_number(count[offset_of!(CountRecord, kind)]);
        // A unit of a semaphore need not be returned by its taker, so it may seem to be held forever.
        let Some(kind) = kind.filter(|&kind| kind != LockKind::Semaphore) else {
            continue;
        };
        found.push(Hold {
            tid: thread.tid,
            kind,
            lock: word(&count, offset_of!(CountRecord, lock)),
            site: half(&count, offset_of!(CountRecord, site)),
            record: (record, word(&count, offset_of!(CountRecord, acquisitions))),
        });
    }
}

/// Whether the thread has not acquired the lock again at this place since the hold was seen.
pub fn is_same(pid: u32, hold: &Hold) -> bool {
    let mut count = [0; size_of::<CountRecord>()];
    let (record, acquisitions) = hold.record;
    read(pid, record, &mut count)
        && word(&count, offset_of!(CountRecord, acquisitions)) == acquisitions
}

/// Whether the lock still says that this thread has it, as far as the GNU C library's objects show it. The list may contain locks
/// that other threads have released.
pub fn is_held(pid: u32, hold: &Hold) -> bool {
    /// The offsets of the owner of a mutex, and of the writer of a reader-writer lock.
    const OWNER: usize = 8;
    const WRITER: usize = 24;
    let mut object = [0; 32];
    if !read(pid, hold.lock, &mut object) {
        return false;
    }
    match hold.kind {
        LockKind::Mutex => half(&object, OWNER) == hold.tid,
        LockKind::RwLock => {
            // Readers are not named.
            [0, hold.tid].contains(&half(&object, WRITER))
        }
        _ => true,
    }
}
