//! The parts of a run in their folder, as the recorded processes write them.

use std::io::{self, Read};
use std::mem::offset_of;
use std::path::{Path, PathBuf};

use locktoll_recording::layout::{Header, PAGE_BYTES};
use locktoll_recording::reader::{Process, Recording};
use locktoll_terminal::system::files::open_regular;

/// A part in its folder, with the contents of its header.
pub struct PartFile {
    /// The file.
    pub path: PathBuf,
    /// The process to which it belongs.
    pub process: Process,
    /// Whether the process reported the resources that it had used, [`Header::user_ns`] and the fields after it.
    pub usage_known: bool,
}

/// The beginning of the names of folders within that of the parts, each followed by a number. The one with the highest number has the
/// sums of processes that have ended, and their parts as long as they are not added up. The others are out of date.
const ENDED: &str = "ended-";

/// Returns the number and the path of the present folder of processes that have ended.
///
/// # Errors
/// The error of the file system.
pub fn ended_folder(parts: &Path) -> io::Result<Option<(u64, PathBuf)>> {
    let mut last = None;
    for entry in std::fs::read_dir(parts)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|it| it.strip_prefix(ENDED));
        if let Some(number) = number.and_then(|it| it.parse().ok())
            && entry.file_type()?.is_dir()
        {
            last = last.max(Some((number, entry.path())));
        }
    }
    Ok(last)
}

/// Returns the name of the folder of processes that have ended with this number.
#[cfg(target_os = "linux")]
pub fn ended_name(number: u64) -> String {
    format!("{ENDED}{number}")
}

/// Returns the parts of a recording in a folder, in the order of their start: those of its processes, and the sums of processes that
/// have ended.
///
/// # Errors
/// The error of the file system.
pub fn part_files(folder: &Path) -> io::Result<Vec<PartFile>> {
    let mut files = files_in(folder)?;
    if let Some((_, ended)) = ended_folder(folder)? {
        files.extend(files_in(&ended)?);
    }
    files.sort_by_key(|file| {
        let process = &file.process;
        (process.start_monotonic_ns, process.pid, process.sequence)
    });
    Ok(files)
}

/// Returns the parts that are in one folder, in any order.
///
/// # Errors
/// The error of the file system.
pub fn files_in(folder: &Path) -> io::Result<Vec<PartFile>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let file = match open_regular(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => continue,
            Err(error) => return Err(error),
        };
        // A file without a whole header comes from a process that got no further.
        let mut page = Vec::new();
        file.take(PAGE_BYTES).read_to_end(&mut page)?;
        let Ok(recording) = Recording::from_bytes(&page) else {
            continue;
        };
        if let Some(part) = recording.parts.into_iter().next() {
            let usage = offset_of!(Header, user_ns)..offset_of!(Header, added_ps_per_pair);
            files.push(PartFile {
                path,
                process: part.process,
                usage_known: page[usage].iter().any(|&byte| byte != 0),
            });
        }
    }
    Ok(files)
}
