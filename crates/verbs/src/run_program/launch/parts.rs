//! The folder to which processes write their parts.

use std::io;
use std::path::{Path, PathBuf};

use super::output;
use locktoll_sources::recording::{PARTS, PartFile, part_files, runs};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{Destination, NewFile, is_planted};

/// How many folders may be left behind by runs with the same process id.
const ATTEMPTS: u32 = 1000;

/// A folder next to the recording to come, readable only by its owner.
///
/// It stays until the recording is whole: if we are killed, the parts remain.
#[derive(Debug)]
pub struct Parts {
    output: Destination,
    folder: PathBuf,
}

/// The parts of an interrupted run, found next to the output.
#[derive(Debug)]
pub struct Leftover(pub PathBuf);

impl Parts {
    /// Checks that the recording can be written to `output`, and creates the folder.
    pub fn prepare(output: &Path) -> Result<Self, Failure> {
        let output = output::check(output)?;
        let cannot = |error: io::Error| {
            Failure::Usage(format!(
                "cannot write {}: {error}; choose a file in a directory that you can write to with -o",
                shown(output.path().as_os_str())
            ))
        };
        // An interrupted run may have had our process id: in a container it is often the same.
        for attempt in 0..ATTEMPTS {
            let mut name = output.path().file_name().unwrap_or_default().to_owned();
            name.push(format!("{PARTS}{}", std::process::id()));
            if attempt > 0 {
                name.push(format!("-{attempt}"));
            }
            match output.make_folder_beside(&name) {
                Ok(folder) => {
                    return Ok(Self {
                        // The recorded program may change its working directory, so it gets an absolute path.
                        folder: std::path::absolute(&folder).unwrap_or(folder),
                        output,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot(error)),
            }
        }
        Err(cannot(io::ErrorKind::AlreadyExists.into()))
    }

    /// Returns the folder to which the recorded processes are to write.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of the recording to come.
    pub fn output(&self) -> &Path {
        self.output.path()
    }

    /// Creates the file to which the recording is written until it is whole.
    pub fn begin_whole(&self) -> io::Result<NewFile<'_>> {
        NewFile::begin(&self.output, ".recording-")
    }

    /// Returns the contents of the parts' headers, in the order in which the parts were started.
    pub fn files(&self) -> io::Result<Vec<PartFile>> {
        part_files(&self.folder)
    }

    /// Returns the folders of parts that earlier runs with the same output left and whose processes are gone. A folder that
    /// another user may have created is not one of ours.
    pub fn leftovers(&self) -> Vec<Leftover> {
        let mut prefix = self.output().file_name().unwrap_or_default().to_owned();
        prefix.push(PARTS);
        let beside = self.folder.parent().unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(beside).into_iter().flatten().flatten();
        entries
            .filter(|entry| {
                let name = entry.file_name();
                if Some(&*name) == self.folder.file_name() {
                    return false;
                }
                let rest = name
                    .as_encoded_bytes()
                    .strip_prefix(prefix.as_encoded_bytes())
                    .and_then(|rest| std::str::from_utf8(rest).ok());
                let pid = rest
                    .map(|rest| rest.split_once('-').map_or(rest, |(pid, _)| pid))
                    .and_then(|pid| pid.parse::<u32>().ok());
                pid.is_some_and(|pid| pid == std::process::id() || !runs(pid))
                    && !is_planted(&entry.path())
            })
            .map(|entry| Leftover(entry.path()))
            .collect()
    }

    /// Removes the folder with everything in it.
    pub fn discard(self) {
        // Nothing depends on this: a folder that cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_left_under_our_own_process_id_is_in_nobodys_way() {
        let beside = tempfile::tempdir().unwrap();
        let output = beside.path().join("out");
        let left = Parts::prepare(&output).unwrap().folder;
        let now = Parts::prepare(&output).unwrap();
        assert_ne!(now.folder, left);
        let leftovers = now.leftovers();
        assert_eq!(leftovers.len(), 1);
        assert_eq!(leftovers[0].0.file_name(), left.file_name());
        let folder = now.folder.clone();
        now.discard();
        assert!(left.is_dir() && !folder.exists());
    }
}
