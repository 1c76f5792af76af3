//! Requests on disk until they have been sent: one file each, in the order in which they came, bounded in size.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rustix::fs::{Mode, fchmod};

use super::folder;
use super::item::Item;
use locktoll_terminal::system::files::{Destination, NewFile, open_regular};

/// How the names of files end that are whole, and how the names of others begin.
const ENDING: &str = ".request";
const UNFINISHED: &str = ".unfinished-";

/// What has become of the requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests that the server has taken.
    pub sent: u64,
    /// Requests that were dropped: there was no room, they could not be written or read, or the server refused them.
    pub dropped: u64,
    /// Bytes that wait.
    pub queued_bytes: u64,
}

/// The queue of one server.
pub struct Queue {
    folder: PathBuf,
    /// The open folder, to have its entries reach the disk.
    handle: File,
    most_bytes: u64,
    state: Mutex<State>,
    has_come: Condvar,
}

#[derive(Default)]
struct State {
    /// The waiting requests, the oldest first: number and bytes.
    waiting: VecDeque<(u64, u64)>,
    next: u64,
    /// The request that is being sent.
    under_way: Option<u64>,
    counts: Counts,
}

impl Queue {
    /// Opens the queue in a folder, with the requests that an earlier agent has left there.
    ///
    /// # Errors
    /// If the folder is not this user's own, or cannot be read or written.
    pub fn open(folder: &Path, most_bytes: u64) -> Result<Self, String> {
        let handle = folder::own(folder)?;
        Self::read(folder, handle, most_bytes).map_err(|error| error.to_string())
    }

    fn read(folder: &Path, handle: File, most_bytes: u64) -> io::Result<Self> {
        let mut waiting = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(UNFINISHED) {
                // The agent that wrote it has ended: nobody else uses this folder.
                std::fs::remove_file(entry.path())?;
            } else if let Some(number) = number_of(&name) {
                waiting.push((number, entry.metadata()?.len()));
            }
        }
        waiting.sort_unstable();
        let state = State {
            next: waiting.last().map_or(0, |(number, _)| number + 1),
            counts: Counts {
                queued_bytes: waiting.iter().map(|(_, bytes)| bytes).sum(),
                ..Counts::default()
            },
            waiting: waiting.into(),
            under_way: None,
        };
        let queue = Self {
            folder: folder.to_owned(),
            handle,
            most_bytes,
            state: Mutex::new(state),
            has_come: Condvar::new(),
        };
        queue.make_room(&mut queue.state(), 0);
        Ok(queue)
    }

    /// Adds a request. If there is no room, the oldest ones are dropped; one that is larger than the whole queue is dropped itself.
    ///
    /// # Errors
    /// If it cannot be written; it is then counted as dropped.
    pub fn put(&self, item: &Item) -> io::Result<()> {
        let written = self.write(item);
        if written.is_err() {
            self.state().counts.dropped += 1;
        }
        written
    }

    fn write(&self, item: &Item) -> io::Result<()> {
        let item = item.bytes()?;
        let bytes = item.len() as u64;
        let mut state = self.state();
        if bytes > self.most_bytes {
            state.counts.dropped += 1;
            return Ok(());
        }
        self.make_room(&mut state, bytes);
        let number = state.next;
        state.next += 1;
        // A file takes a while to reach the disk; the sender must not wait for that. Only one thread puts requests.
        drop(state);
        let place = Destination::within(&self.folder, &name_of(number))?;
        let mut file = NewFile::begin(&place, UNFINISHED)?;
        fchmod(file.file(), Mode::RUSR | Mode::WUSR)?;
        file.file().write_all(&item)?;
        file.file().sync_all()?;
        file.put()?;
        self.handle.sync_all()?;
        let mut state = self.state();
        state.waiting.push_back((number, bytes));
        state.counts.queued_bytes += bytes;
        self.has_come.notify_one();
        Ok(())
    }

    /// Waits for a request, and returns its number and the request: the oldest one, `None` if it is damaged or gone, and an error if it
    /// cannot be read now. It stays in the queue until one of the other functions is called with its number.
    pub fn oldest(&self) -> (u64, io::Result<Option<Item>>) {
        let mut state = self.state();
        let number = loop {
            if let Some(&(number, _)) = state.waiting.front() {
                break number;
            }
            let woken = self.has_come.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        };
        state.under_way = Some(number);
        drop(state);
        let read = || {
            let mut bytes = Vec::new();
            let mut file = open_regular(&self.folder.join(name_of(number)))?;
            io::Read::read_to_end(&mut file, &mut bytes)?;
            io::Result::Ok(bytes)
        };
        let item = match read() {
            Ok(bytes) => Ok(Item::read(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        };
        (number, item)
    }

    /// Removes a request that the server has taken.
    pub fn was_sent(&self, number: u64) {
        let mut state = self.state();
        self.remove(&mut state, number);
        state.counts.sent += 1;
    }

    /// Removes a request that the server will never take.
    pub fn drop_one(&self, number: u64) {
        let mut state = self.state();
        self.remove(&mut state, number);
        state.counts.dropped += 1;
    }

    /// Returns what has become of the requests.
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// Drops the oldest requests until there is room for `bytes`. The one that is being sent stays.
    fn make_room(&self, state: &mut State, bytes: u64) {
        while state.counts.queued_bytes + bytes > self.most_bytes {
            let under_way = state.under_way;
            let mut numbers = state.waiting.iter().map(|(number, _)| *number);
            let Some(oldest) = numbers.find(|number| Some(*number) != under_way) else {
                return;
            };
            self.remove(state, oldest);
            state.counts.dropped += 1;
        }
    }

    fn remove(&self, state: &mut State, number: u64) {
        state.under_way = state.under_way.filter(|it| *it != number);
        let Some(place) = state.waiting.iter().position(|(it, _)| *it == number) else {
            return;
        };
        let bytes = state.waiting.remove(place).map_or(0, |(_, bytes)| bytes);
        state.counts.queued_bytes -= bytes;
        // A file that cannot be removed is sent again by the next agent.
        let _ = std::fs::remove_file(self.folder.join(name_of(number)));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Counts and numbers stay right whatever a thread that failed was doing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name_of(number: u64) -> String {
    format!("{number:020}{ENDING}")
}

fn number_of(name: &str) -> Option<u64> {
    let number = name.strip_suffix(ENDING)?;
    let is_number = number.len() == 20 && number.bytes().all(|it| it.is_ascii_digit());
    // The highest numbers leave no room for the next one.
    number
        .parse()
        .ok()
        .filter(|it: &u64| is_number && *it < u64::MAX / 2)
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
