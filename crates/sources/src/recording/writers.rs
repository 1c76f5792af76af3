//! The processes that write to the parts of a recording in progress.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::part_files::PartFile;
use super::unfinished::linux::runs;
use crate::mapped::{innermost_number, mappings, part_and_path_of, part_of};
use locktoll_terminal::system::files::{open_regular, text_of_process};

/// The processes that ran at one moment.
pub struct Writers {
    /// Their ids here, by the ids by which they know themselves. A process in another pid namespace has two.
    by_own: HashMap<u32, Vec<u32>>,
}

impl Writers {
    /// Finds all processes.
    pub fn look() -> Self {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let all = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let mut by_own: HashMap<u32, Vec<u32>> = HashMap::new();
        for pid in all {
            if let Some(own) = innermost_number(pid) {
                by_own.entry(own).or_default().push(pid);
            }
        }
        Self { by_own }
    }

    /// Whether a process that knows itself by the id `own` writes to this part. A process that has become another program writes to
    /// another part.
    pub fn write_to(&self, part: &File, own: u32) -> bool {
        let id = |file: &File| {
            let data = file.metadata().ok()?;
            Some((data.dev(), data.ino()))
        };
        let candidates = self.by_own.get(&own).into_iter().flatten();
        candidates.copied().any(|pid| match mappings(pid) {
            Ok(_) => part_of(pid).is_some_and(|it| id(&it) == id(part)),
            // It may have changed its user. That it has the same number is all that is known then.
            Err(error) => error.kind() == io::ErrorKind::PermissionDenied && pid == own,
        })
    }

    /// Whether the process of a part, which was there before the processes were looked for, has ended or has become another program:
    /// nobody will write to the part again. Where that is not certain, it has not. A process that has just been forked has a part
    /// before it writes to it.
    pub fn has_ended(&self, file: &PartFile) -> bool {
        let own = file.process.pid;
        let candidates = self.by_own.get(&own).map_or(&[][..], Vec::as_slice);
        // The folder of a process in /proc may be hidden from other users.
        let is_hidden = candidates.is_empty() && runs(own);
        !is_hidden && candidates.iter().all(|&pid| has_left(pid, file))
    }
}

/// Whether a process that exists writes to a later part than this one, or no longer runs and has only not been waited for.
fn has_left(pid: u32, file: &PartFile) -> bool {
    if !is_running(pid) {
        return true;
    }
    let Some((part, path)) = part_and_path_of(pid) else {
        return false;
    };
    let id = |file: &File| file.metadata().map(|it| (it.dev(), it.ino())).ok();
    let is_same = open_regular(&file.path).is_ok_and(|it| id(&it) == id(&part));
    !is_same && sequence_of(&path).is_some_and(|it| it > file.process.sequence)
}

/// Returns the sequence number in the name of a part.
fn sequence_of(part: &Path) -> Option<u32> {
    let name = part.file_stem()?.to_str()?;
    name.rsplit_once('-')?.1.parse().ok()
}

/// Whether a process exists and has not ended: until it has been waited for, it still has its folder in proc(5).
pub fn is_running(pid: u32) -> bool {
    // The state follows the name, which is in parentheses and may itself contain some: proc_pid_stat(5).
    text_of_process(pid, "stat").is_ok_and(|stat| {
        let rest = stat.rsplit(") ").next();
        let state = rest.and_then(|rest| rest.chars().next());
        !matches!(state, Some('Z' | 'X'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_has_not_mapped_the_part_does_not_write_to_it() {
        let writers = Writers::look();
        let own = std::process::id();
        assert!(writers.by_own[&own].contains(&own));
        let folder = tempfile::tempdir().unwrap();
        let part = File::create(folder.path().join(format!("{own}-0.part"))).unwrap();
        assert!(!writers.write_to(&part, own));
        assert!(!writers.write_to(&part, u32::MAX));
    }
}
