//! A recording whose file does not exist yet, and the folder of parts that is used instead.

use std::fs;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::Recording;
use locktoll_terminal::system::files::is_planted;

/// The part of a folder's name between the recording's own name and the process id of the `locktoll` that records.
pub const PARTS: &str = ".parts-";

/// Returns the newest folder next to `path` into which the recording's processes write, or wrote, their parts.
pub fn parts_of(path: &Path) -> Option<PathBuf> {
    let mut prefix = path.file_name()?.to_owned();
    prefix.push(PARTS);
    let beside = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let entries = fs::read_dir(beside).ok()?.flatten();
    let parts = entries.filter(|entry| {
        let name = entry.file_name();
        let prefix = prefix.as_encoded_bytes();
        let is_of_it = name.as_encoded_bytes().starts_with(prefix);
        let is_folder = || entry.file_type().is_ok_and(|it| it.is_dir());
        // The user did not name this folder.
        is_of_it && is_folder() && !is_planted(&entry.path())
    });
    let newest = parts.max_by_key(|entry| entry.metadata().and_then(|it| it.modified()).ok())?;
    Some(path.with_file_name(newest.file_name()))
}

/// Ends waits and threads that go on at the present time, if the recorder that made the folder still runs. Returns whether it
/// does.
pub fn end_now(parts: &Path, recording: &mut Recording) -> bool {
    #[cfg(target_os = "linux")]
    if linux::goes_on(parts) {
        linux::end_now(recording);
        return true;
    }
    // On other systems, recordings are only read.
    let _ = (parts, recording);
    false
}

/// The parts that need the kernel of the recording machine.
#[cfg(target_os = "linux")]
pub mod linux {
    use std::collections::HashMap;
    use std::path::Path;

    use locktoll_recording::reader::Recording;
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    use locktoll_terminal::system::files::text_of_process;

    use super::PARTS;
    use crate::clock::now_ns;

    /// Whether there is such a process. The kernel is asked, since there may be no /proc.
    pub fn runs(pid: u32) -> bool {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        pid.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
    }

    /// Whether the recorder that made the folder still runs, as far as that can be known: another process may have its number.
    pub fn goes_on(parts: &Path) -> bool {
        let name = parts.file_name().unwrap_or_default().to_string_lossy();
        let after = name.rsplit_once(PARTS).map_or("", |(_, after)| after);
        let pid = after.split('-').next().unwrap_or_default();
        let Ok(pid) = pid.parse() else {
            return false;
        };
        let comm = text_of_process(pid, "comm");
        runs(pid) && comm.is_ok_and(|comm| comm.trim_end() == "locktoll")
    }

    /// Ends all parts of running processes now.
    pub fn end_now(recording: &mut Recording) {
        let now_ns = now_ns();
        let mut last: HashMap<u32, u32> = HashMap::new();
        for part in &recording.parts {
            let sequence = last.entry(part.process.pid).or_default();
            *sequence = part.process.sequence.max(*sequence);
        }
        for part in &mut recording.parts {
            let process = &mut part.process;
            // If a process became another program, its earlier part has ended.
            if last.get(&process.pid) == Some(&process.sequence) && runs(process.pid) {
                process.end_monotonic_ns.get_or_insert(now_ns);
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_to_run_without_proc() {
        assert!(linux::runs(std::process::id()) && linux::runs(1));
        assert!(
            !linux::runs(0) && !linux::runs(u32::MAX) && !linux::runs(i32::MAX.cast_unsigned())
        );
    }

    #[test]
    fn the_newest_folder_of_its_own_name_is_taken() {
        let beside = tempfile::tempdir().unwrap();
        let output = beside.path().join("out");
        assert_eq!(parts_of(&output), None);
        for name in ["other.parts-7", "out.parts", "out.parts-8"] {
            fs::create_dir(beside.path().join(name)).unwrap();
        }
        fs::write(beside.path().join("out.parts-9"), "no folder").unwrap();
        let parts = parts_of(&output).unwrap();
        assert_eq!(parts, beside.path().join("out.parts-8"));
        // A process with this number may run, but it is not locktoll.
        assert!(!linux::goes_on(&beside.path().join("out.parts-1")));
    }
}
