//! The processes of a control group (cgroups(7)).

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::open_regular;

/// Mount points of the version 2 hierarchy, alone or next to those of version 1.
const MOUNTS: [&str; 3] = [
    "/sys/fs/cgroup",
    "/sys/fs/cgroup/unified",
    "/sys/fs/cgroup/systemd",
];

/// The file that lists the processes of a group.
const PROCESSES: &str = "cgroup.procs";

/// A control group.
#[derive(Clone, Debug)]
pub struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    /// Finds the group that `path` names: a folder, or a path below the mount point of the groups.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no such group.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let named = path.strip_prefix("/").unwrap_or(path);
        let below = MOUNTS.iter().map(|mount| Path::new(mount).join(named));
        let folder = [path.to_owned()]
            .into_iter()
            .chain(below)
            .find(|folder| folder.join(PROCESSES).exists());
        folder.map(|folder| Self { folder }).ok_or_else(|| {
            Failure::Usage(format!(
                "--cgroup {}: there is no such control group; accepted: a folder below /sys/fs/cgroup, or its name there, which \
                 `cat /proc/PID/cgroup` shows after the last colon",
                shown(path.as_os_str())
            ))
        })
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the processes that are now in the group and in the groups below it, except this one.
    pub fn processes(&self) -> Vec<u32> {
        let mut all = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            // A group that has just gone, or that consists of threads only, has nothing to read.
            let listed = read(&folder.join(PROCESSES)).unwrap_or_default();
            all.extend(listed.lines().filter_map(|line| line.parse::<u32>().ok()));
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let below = entries.filter(|it| it.file_type().is_ok_and(|it| it.is_dir()));
            folders.extend(below.map(|it| it.path()));
        }
        // Processes of other pid namespaces are listed as zero.
        all.retain(|&pid| pid != 0 && pid != std::process::id());
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Reads a regular file and nothing else: the folder may belong to anybody.
fn read(path: &Path) -> io::Result<String> {
    /// Eight digits and a newline for each process that a machine can have.
    const MOST_BYTES: u64 = 64 << 20;
    let mut text = String::new();
    open_regular(path)?
        .take(MOST_BYTES)
        .read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_the_groups_below_belong_to_it_and_we_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("worker.slice").join("one.scope");
        fs::create_dir_all(&below).unwrap();
        let own = std::process::id();
        fs::write(folder.path().join(PROCESSES), format!("30\n{own}\n")).unwrap();
        fs::write(below.join(PROCESSES), "20\n0\n30\n").unwrap();
        let group = Cgroup::of(folder.path()).unwrap();
        assert_eq!(group.processes(), [20, 30]);
    }

    #[test]
    fn what_is_no_group_is_refused_by_its_name() {
        let refusal = Cgroup::of(Path::new("/no/such.slice")).unwrap_err();
        assert!(matches!(&refusal, Failure::Usage(words) if words.contains("/no/such.slice")));
    }
}
