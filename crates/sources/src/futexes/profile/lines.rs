//! Inlined calls, files and lines, by debug information: as far as time allows.
//!
//! Of a program of hundreds of megabytes, debug information takes longer to read than anybody waits. It is read by a thread of its own,
//! the smallest files first, and what it has not found in time is left out.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Instant;

use blazesym::symbolize::Input;

use crate::elf::Functions;
use crate::futexes::process::{InFile, MappedFile};
use locktoll_results::profile::Frame;

/// Debug information that takes more is not read: it may have to be held whole.
const MOST_DEBUG_BYTES: u64 = 600 << 20;

/// A place to look up.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The place.
    pub place: InFile,
    /// What is known of it without a name.
    pub bare: Frame,
}

/// What became of it.
#[derive(Debug, Default)]
pub struct Found {
    /// Frames by place.
    pub frames: Vec<(InFile, Vec<Frame>)>,
    /// Places that were not reached in time.
    pub late: usize,
    /// Files whose debug information was too large.
    pub too_large: Vec<PathBuf>,
}

/// Looks the places up until `deadline`; of one file in the order given.
pub fn look_up(files: &[MappedFile], wanted: Vec<Wanted>, deadline: Instant) -> Found {
    let mut found = Found::default();
    let mut jobs: Vec<Job> = Vec::new();
    for Wanted { place, bare } in wanted {
        let file = &files[place.file];
        let (Some(path), Some(loads)) = (file.readable_path(), &file.loads) else {
            continue;
        };
        if loads.debug_bytes > MOST_DEBUG_BYTES {
            if !found.too_large.contains(&file.path) {
                found.too_large.push(file.path.clone());
            }
            continue;
        }
        jobs.push(Job {
            place,
            bare,
            path,
            debug_bytes: loads.debug_bytes,
            _file: file.file.clone(),
        });
    }
    jobs.sort_by_key(|job| (job.debug_bytes, job.place.file));
    let all = jobs.len();
    let (tell, told) = channel();
    let reader = std::thread::Builder::new().name("debug information".to_owned());
    // It ends with the process if it is late.
    let started = reader.spawn(move || {
        let names = Functions::of_debug_information();
        for job in jobs {
            let frames = names.frames(&job.path, Input::VirtOffset(job.place.address), &job.bare);
            if tell.send((job.place, frames)).is_err() {
                return;
            }
        }
    });
    let mut reached = 0;
    while started.is_ok() && reached < all {
        let left = deadline.saturating_duration_since(Instant::now());
        match told.recv_timeout(left) {
            Ok((place, frames)) => {
                reached += 1;
                found.frames.extend(frames.map(|frames| (place, frames)));
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    found.late = all - reached;
    found
}

struct Job {
    place: InFile,
    bare: Frame,
    path: PathBuf,
    debug_bytes: u64,
    /// Keeps `path` the file's.
    _file: Option<Arc<std::fs::File>>,
}
