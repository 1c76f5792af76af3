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

/// Returns the parts in a folder, in the order of their start.
///
/// # Errors
/// The error of the file system.
pub fn part_files(folder: &Path) -> io::Result<Vec<PartFile>> {
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
    files.sort_by_key(|file| {
        let process = &file.process;
        (process.start_monotonic_ns, process.pid, process.sequence)
    });
    Ok(files)
}
