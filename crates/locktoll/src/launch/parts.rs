//! The folder that processes write their parts into, and how it becomes one recording.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::mem::offset_of;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use locktoll_recording::layout::{Header, PAGE_BYTES};
use locktoll_recording::reader::{ReadError, Recording, Source, append_part};

use super::{Ended, output};
use crate::exit::Failure;
use crate::profile::shown;

/// What names a folder of parts, after the recording's own name and before a process id.
const SUFFIX: &str = ".parts-";

/// How many folders one process id may have left behind.
const ATTEMPTS: u32 = 1000;

/// A folder beside the recording to come, which only its owner can look into.
///
/// It stays where it is until the recording is whole: if we are killed, the parts remain.
#[derive(Debug)]
pub struct Parts {
    output: PathBuf,
    folder: PathBuf,
}

/// Whose parts become the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// The program's, and those of every process it started.
    Included,
    /// The program's alone.
    LeftOut,
}

/// Parts of a run that was cut short, found beside the output.
#[derive(Debug)]
pub struct Leftover(pub PathBuf);

impl Parts {
    /// Checks that the recording can be written to `output`, and makes the folder.
    pub fn prepare(output: &Path) -> Result<Self, Failure> {
        let output = output::check(output)?;
        let cannot = |error: io::Error| {
            Failure::Usage(format!(
                "{} cannot be written ({error}); choose a file in a folder that you can write to with -o",
                shown(output.as_os_str())
            ))
        };
        // A run that was cut short may have had our process id: in a container it is often the same.
        for attempt in 0..ATTEMPTS {
            let mut name = output.file_name().unwrap_or_default().to_owned();
            name.push(format!("{SUFFIX}{}", std::process::id()));
            if attempt > 0 {
                name.push(format!("-{attempt}"));
            }
            let folder = output.with_file_name(name);
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => {
                    return Ok(Self {
                        // The recorded program may change its working folder: give it a whole path.
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

    /// Where the recorded processes are to write.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Folders of parts that earlier runs with the same output left, whose processes are gone.
    pub fn leftovers(&self) -> Vec<Leftover> {
        let mut prefix = self.output.file_name().unwrap_or_default().to_owned();
        prefix.push(SUFFIX);
        let beside = self.folder.parent().unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(beside).into_iter().flatten().flatten();
        entries
            .filter(|entry| {
                let name = entry.file_name();
                let of_us =
                    |pid| pid == std::process::id() && Some(&*name) != self.folder.file_name();
                let rest = name
                    .as_encoded_bytes()
                    .strip_prefix(prefix.as_encoded_bytes())
                    .and_then(|rest| std::str::from_utf8(rest).ok());
                let pid = rest
                    .map(|rest| rest.split_once('-').map_or(rest, |(pid, _)| pid))
                    .and_then(|pid| pid.parse::<u32>().ok());
                pid.is_some_and(|pid| of_us(pid) || !Path::new(&format!("/proc/{pid}")).exists())
            })
            .map(|entry| Leftover(entry.path()))
            .collect()
    }

    /// How many recorded processes are still running, other than `program`.
    pub fn still_running(&self, program: u32) -> usize {
        let files = files_in(&self.folder).unwrap_or_default();
        let mut alive: Vec<u32> = files
            .iter()
            .filter(|file| file.pid != program && !file.end_known)
            .map(|file| file.pid)
            .filter(|&pid| is_running(pid))
            .collect();
        // One process has a part for each program that it became.
        alive.sort_unstable();
        alive.dedup();
        alive.len()
    }

    /// Takes the folder away, with whatever is in it.
    pub fn discard(self) {
        // Nothing depends on it: what cannot be removed is in nobody's way.
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// Lays all parts into one file and puts it in the place of `output`, all at once.
    ///
    /// The end of the program is filled in where it could not write that itself, having been killed.
    ///
    /// # Errors
    /// [`Failure::Run`]; the parts are then still in their folder, if there were any.
    pub fn merge(self, ended: &Ended, children: Children) -> Result<PathBuf, Failure> {
        if files_in(&self.folder)?.is_empty() {
            self.discard();
            return Err(Failure::Run(anyhow::anyhow!(
                "nothing was recorded: the preload library could not start in the program, which ended with {}",
                ended.status
            )));
        }
        match self.write_whole(ended, children) {
            Ok(()) => {
                let output = self.output.clone();
                self.discard();
                Ok(output)
            }
            Err(error) => Err(Failure::Run(error.context(format!(
                "the recording could not be written to {}; its parts are in {}, and `locktoll report` reads that folder",
                shown(self.output.as_os_str()),
                shown(self.folder.as_os_str())
            )))),
        }
    }

    fn write_whole(&self, ended: &Ended, children: Children) -> anyhow::Result<()> {
        let mut files = files_in(&self.folder)?;
        if children == Children::LeftOut {
            files.retain(|file| file.pid == ended.pid);
        }
        // A process that was killed could not write when; exec had ended its earlier images.
        let last = files.iter().rposition(|file| file.pid == ended.pid);

        let beside = self.folder.parent().unwrap_or(Path::new("."));
        let mut whole = tempfile::Builder::new()
            .prefix(".recording-")
            // As any new file: tempfile's own default would hide it from the user's group.
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666))
            .tempfile_in(beside)?;
        let mut writer = io::BufWriter::new(whole.as_file_mut());
        for (position, file) in files.iter().enumerate() {
            let end = (Some(position) == last && !file.end_known).then_some(ended.monotonic_ns);
            append_part(&mut writer, &Part::open(&file.path, end)?).map_err(
                |error| match error {
                    // Of reading or of writing: the system's own words tell which.
                    ReadError::Io(error) => anyhow::Error::from(error),
                    other => other.into(),
                },
            )?;
        }
        writer.flush()?;
        drop(writer);
        whole.persist(&self.output)?;
        Ok(())
    }
}

/// Whether the process exists and has not ended: one that nobody has waited for yet still has its folder in proc(5).
fn is_running(pid: u32) -> bool {
    // The state follows the name, which is in parentheses and may itself hold some: proc_pid_stat(5).
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat
            .rsplit(") ")
            .next()
            .and_then(|rest| rest.chars().next());
        !matches!(state, Some('Z' | 'X'))
    })
}

/// A part in its folder, and what its header says.
struct PartFile {
    path: PathBuf,
    start_monotonic_ns: u64,
    pid: u32,
    sequence: u32,
    end_known: bool,
}

/// The parts in a folder, in the order of their start.
pub fn parts_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(files_in(folder)?
        .into_iter()
        .map(|file| file.path)
        .collect())
}

fn files_in(folder: &Path) -> io::Result<Vec<PartFile>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if !path.is_file() {
            continue;
        }
        // A file without a whole header was begun by a process that came no further.
        let mut page = Vec::new();
        File::open(&path)?.take(PAGE_BYTES).read_to_end(&mut page)?;
        let header = Recording::from_bytes(&page).ok();
        if let Some(part) = header.as_ref().and_then(|header| header.parts.first()) {
            let process = &part.process;
            files.push(PartFile {
                path,
                start_monotonic_ns: process.start_monotonic_ns,
                pid: process.pid,
                sequence: process.sequence,
                end_known: process.end_monotonic_ns.is_some(),
            });
        }
    }
    files.sort_by_key(|file| (file.start_monotonic_ns, file.pid, file.sequence));
    Ok(files)
}

/// A part as its process left it, with the end of the process filled in where we know better.
struct Part {
    file: File,
    end_monotonic_ns: Option<u64>,
}

impl Part {
    fn open(path: &Path, end_monotonic_ns: Option<u64>) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(Self {
            file,
            end_monotonic_ns,
        })
    }
}

impl Source for Part {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = Source::read_at(&self.file, buffer, offset)?;
        if let Some(end) = self.end_monotonic_ns {
            let field = offset_of!(Header, end_monotonic_ns) as u64;
            for (position, byte) in (field..).zip(end.to_le_bytes()) {
                let place = position.checked_sub(offset).map(|place| place as usize);
                if let Some(slot) = place.and_then(|place| buffer[..read].get_mut(place)) {
                    *slot = byte;
                }
            }
        }
        Ok(read)
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

    #[test]
    fn a_process_that_ended_and_was_not_waited_for_does_not_run() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        assert!(is_running(child.id()));
        drop(child.stdin.take());
        let id = rustix::process::Pid::from_child(&child);
        let ended = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
        rustix::process::waitid(rustix::process::WaitId::Pid(id), ended).unwrap();
        assert!(!is_running(child.id()));
        child.wait().unwrap();
        assert!(!is_running(child.id()));
    }
}
