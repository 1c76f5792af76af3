//! A recording in progress: the folder into which its processes write their parts.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::{RawPart, ReadError};
use locktoll_sources::mapped::part_and_path_of;
use locktoll_sources::recording::{PARTS, Steady, Writers, part_files};
use locktoll_terminal::escape::{shown, word};
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{of_process, open_regular, text_of_process};

/// Others may not write there: they could make up what was reported.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// A recording in progress.
pub struct RunInProgress {
    /// The folder of its parts.
    pub folder: PathBuf,
    /// The user to whom the folder belongs.
    pub owner: u32,
    pid: u32,
}

impl RunInProgress {
    /// Finds the recording to which a process belongs.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is none, or if this user may not read it.
    pub fn of(pid: u32) -> Result<Self, Failure> {
        let found = part_and_path_of(pid).or_else(|| children(pid).find_map(part_and_path_of));
        let Some((part, path)) = found else {
            return Err(why_not_recorded(pid));
        };
        let folder = folder_of(pid, &part, &path).ok_or_else(|| {
            Failure::Unsupported(format!(
                "the recording of process {pid} is not visible here: {}; its `locktoll record` has removed it, or runs in another mount \
                 namespace",
                shown(path.as_os_str())
            ))
        })?;
        let metadata = std::fs::metadata(&folder).map_err(|error| gone(pid, &folder, &error))?;
        if metadata.mode() & WRITABLE_BY_OTHERS != 0 {
            return Err(Failure::Unsupported(format!(
                "{} can be written by other users, so it may have been changed; accepted: a folder that only its owner can \
                 write to, as `locktoll record` creates it",
                shown(folder.as_os_str())
            )));
        }
        Ok(Self {
            folder,
            owner: metadata.uid(),
            pid,
        })
    }

    /// Opens the part that was begun first: a snapshot of this recording locks it (flock(2)).
    ///
    /// # Errors
    /// The error of the file system; that there is none, if the recording has ended.
    pub fn first_part(&self) -> io::Result<File> {
        let first = part_files(&self.folder)?.into_iter().next();
        let first = first.ok_or(io::ErrorKind::NotFound)?;
        open_regular(&first.path)
    }

    /// Reads the parts of all processes, in the order in which they began. Returns for each whether a process still writes to it.
    ///
    /// # Errors
    /// If they cannot be read: often because the program has just ended.
    pub fn parts(&self) -> Result<Vec<(RawPart, bool)>, Failure> {
        let gone = |error: &io::Error| gone(self.pid, &self.folder, error);
        let _steady = Steady::shared(&self.folder);
        let files = part_files(&self.folder).map_err(|error| gone(&error))?;
        let writers = Writers::look();
        let mut parts = Vec::new();
        for file in files {
            let read = open_regular(&file.path)
                .map_err(ReadError::from)
                .and_then(|opened| {
                    let goes_on = writers.write_to(&opened, file.process.pid);
                    let first = RawPart::read_all(&opened)?.into_iter().next();
                    Ok(first.map(|part| (part, goes_on)))
                });
            match read {
                Ok(part) => parts.extend(part),
                Err(ReadError::Io(error)) => return Err(gone(&error)),
                Err(error) => {
                    let path = shown(file.path.as_os_str());
                    return Err(Failure::Run(anyhow::anyhow!("{path} {error}")));
                }
            }
        }
        if parts.is_empty() {
            return Err(gone(&io::ErrorKind::NotFound.into()));
        }
        Ok(parts)
    }
}

/// Returns the folder of a part, as this process sees it, or as the recorded process does.
fn folder_of(pid: u32, part: &File, path: &Path) -> Option<PathBuf> {
    let id = |file: &File| {
        let data = file.metadata().ok()?;
        Some((data.dev(), data.ino()))
    };
    let inside = path.strip_prefix("/").unwrap_or(path);
    let seen_by_it = PathBuf::from(format!("/proc/{pid}/root")).join(inside);
    let mut ways = [path.to_owned(), seen_by_it].into_iter();
    let way = ways.find(|way| open_regular(way).is_ok_and(|it| id(&it) == id(part)))?;
    way.parent().map(Path::to_owned)
}

/// Returns the children of `locktoll record`, of which one is the program.
fn children(pid: u32) -> impl Iterator<Item = u32> {
    let all = text_of_process(pid, &format!("task/{pid}/children")).unwrap_or_default();
    let all: Vec<u32> = all
        .split_ascii_whitespace()
        .filter_map(|it| it.parse().ok())
        .collect();
    let is_recorder = text_of_process(pid, "comm").is_ok_and(|it| it.trim_end() == "locktoll");
    all.into_iter().filter(move |_| is_recorder)
}

fn why_not_recorded(pid: u32) -> Failure {
    Failure::Unsupported(match of_process(pid, "maps") {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => format!(
            "this user may not look at process {pid}; take the snapshot as the owner of the process or as root"
        ),
        Err(_) => format!(
            "process {pid} does not exist; give the id of a running process that `locktoll record` started"
        ),
        Ok(_) => format!(
            "process {pid} is not recorded, or its recording belongs to another user; start the program with `locktoll record --live -- \
             CMD`, then take snapshots of it as the same user"
        ),
    })
}

/// Says that the recording has ended, or why it cannot be read.
fn gone(pid: u32, folder: &Path, error: &io::Error) -> Failure {
    let name = folder.as_os_str().to_string_lossy();
    let recording = name.rsplit_once(PARTS).map(|(file, _)| file.to_owned());
    match (error.kind(), recording) {
        (io::ErrorKind::NotFound, Some(file)) => {
            let file = word(file.as_ref());
            Failure::Unsupported(format!(
                "the recording of process {pid} has ended; `locktoll report {file}` shows all of it"
            ))
        }
        _ => Failure::Unsupported(format!(
            "{} cannot be read: {error}",
            shown(folder.as_os_str())
        )),
    }
}
