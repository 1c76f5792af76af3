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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::elf::Loads;
    /// This test program. `debug_bytes` replaces the size of its debug information.
    fn own(debug_bytes: Option<u64>) -> MappedFile {
        let path = std::env::current_exe().unwrap();
        let file = File::open(&path).unwrap();
        let mut loads = Loads::read(&file).unwrap();
        loads.debug_bytes = debug_bytes.unwrap_or(loads.debug_bytes);
        MappedFile {
            path,
            file: Some(Arc::new(file)),
            loads: Some(Arc::new(loads)),
        }
    }

    /// The place of a function of this program, as its file numbers addresses.
    fn address_of(function: usize) -> u64 {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let path = std::env::current_exe().unwrap();
        // A program that may be loaded anywhere numbers addresses from its first byte.
        let first = maps
            .lines()
            .find(|line| line.ends_with(path.to_str().unwrap()));
        let start = first.unwrap().split('-').next().unwrap();
        function as u64 - u64::from_str_radix(start, 16).unwrap()
    }

    fn wanted(address: u64) -> Vec<Wanted> {
        vec![Wanted {
            place: InFile { file: 0, address },
            bare: Frame::default(),
        }]
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(300)
    }

    #[test]
    fn a_place_gets_its_file_and_line() {
        let address = address_of(address_of as fn(usize) -> u64 as usize);
        let found = look_up(&[own(None)], wanted(address), soon());
        assert_eq!((found.late, found.too_large.len()), (0, 0));
        let [(place, frames)] = &found.frames[..] else {
            panic!("{found:?}");
        };
        assert_eq!(*place, InFile { file: 0, address });
        let frame = &frames[0];
        assert!(frame.function.as_ref().unwrap().contains("address_of"));
        assert!(frame.file.as_ref().unwrap().ends_with("lines.rs"));
    }

    #[test]
    fn debug_information_beyond_the_limit_is_not_read_and_named_once() {
        let files = [own(Some(MOST_DEBUG_BYTES + 1))];
        let twice = [wanted(0x1000), wanted(0x2000)].concat();
        let found = look_up(&files, twice, soon());
        assert_eq!(found.too_large, [files[0].path.clone()]);
        assert_eq!((found.frames.len(), found.late), (0, 0));
        let found = look_up(&[own(Some(MOST_DEBUG_BYTES))], wanted(0x1000), soon());
        assert!(found.too_large.is_empty());
    }

    #[test]
    fn places_that_are_not_reached_in_time_are_counted() {
        let found = look_up(&[own(None)], wanted(0x1000), Instant::now());
        assert_eq!((found.frames.len(), found.late), (0, 1));
        let mut gone = own(None);
        gone.file = None;
        let found = look_up(&[gone], wanted(0x1000), Instant::now());
        assert_eq!((found.frames.len(), found.late), (0, 0));
    }
}
