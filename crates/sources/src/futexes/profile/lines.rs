//! Inlined calls, files and lines from debug information, as far as time allows.
//!
//! Debug information of hundreds of megabytes takes longer to read than a user is willing to wait. A separate thread reads it,
//! the smallest files first. Results that are not ready in time are left out.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Instant;

use blazesym::symbolize::Input;

use crate::elf::Functions;
use crate::futexes::process::{InFile, MappedFile};
use locktoll_results::profile::Frame;

/// Larger debug information is not read, because it might have to be kept in memory as a whole.
const MOST_DEBUG_BYTES: u64 = 600 << 20;

/// A place to look up.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The place.
    pub place: InFile,
    /// What is known of the place without a name.
    pub bare: Frame,
}

/// The results of a look-up.
#[derive(Debug, Default)]
pub struct Found {
    /// Frames by place.
    pub frames: Vec<(InFile, Vec<Frame>)>,
    /// Places that were not reached in time.
    pub late: usize,
    /// Files whose debug information was too large.
    pub too_large: Vec<PathBuf>,
}

/// Looks the places up until `deadline`. The places of one file are looked up in the given order.
pub fn look_up(files: &[MappedFile], wanted: Vec<Wanted>, deadline: Instant) -> Found {
    let mut found = Found::default();
    let mut jobs: Vec<Job> = Vec::new();
    for Wanted { place, bare } in wanted {
        let file = &files[place.file];
        let (Some(opened), Some(loads)) = (&file.file, &file.loads) else {
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
            file: Arc::clone(opened),
            path: file.path.clone(),
            debug_bytes: loads.debug_bytes,
        });
    }
    jobs.sort_by_key(|job| (job.debug_bytes, job.place.file));
    let all = jobs.len();
    let (tell, told) = channel();
    let reader = std::thread::Builder::new().name("debug information".to_owned());
    // If the thread is late, it ends with the process.
    let started = reader.spawn(move || {
        // What has been read from one file is of no use for the next.
        for of_one_file in jobs.chunk_by(|a, b| a.place.file == b.place.file) {
            let names = Functions::of_debug_information();
            for job in of_one_file {
                let place = Input::VirtOffset(job.place.address);
                let frames = names.frames(&job.file, &job.path, place, &job.bare);
                if tell.send((job.place, frames)).is_err() {
                    return;
                }
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
    file: Arc<File>,
    path: PathBuf,
    debug_bytes: u64,
}
