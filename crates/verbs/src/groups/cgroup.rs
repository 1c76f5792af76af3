//! The processes of a control group (cgroups(7)).

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::container::{Unfound, find, has_id};
use super::container_names::names_below;
use super::tree::hierarchies;
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::open_regular;

/// Mount points of the version 2 hierarchy, alone or next to those of version 1.
pub(super) const MOUNTS: [&str; 3] = [
    "/sys/fs/cgroup",
    "/sys/fs/cgroup/unified",
    "/sys/fs/cgroup/systemd",
];

/// The file that lists the processes of a group.
pub(super) const PROCESSES: &str = "cgroup.procs";

/// The inode of the hierarchy's root.
const ROOT: u64 = 1;

/// The magic number of a mounted hierarchy of version 2: statfs(2).
const VERSION_2: rustix::fs::FsWord = 0x6367_7270;

/// How the kernel's programs know a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InKernel {
    /// Its id: the inode of its folder.
    pub id: u64,
    /// How many groups are above it.
    pub level: u32,
}

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

    /// Finds the group of the container or unit that `asked` means. A container may have a group in each hierarchy; the first one
    /// in the order of the mount points is taken.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is none, or if several could be meant.
    pub fn of_container(asked: &str) -> Result<Self, Failure> {
        let named = names_below(Path::new("/"));
        let mut unknown = None;
        for (mount, groups) in hierarchies() {
            match find(asked, &groups, &named) {
                Ok(group) => {
                    return Ok(Self {
                        folder: mount.join(group),
                    });
                }
                Err(why @ Unfound::Ambiguous { .. }) => return Err(refusal(asked, &why)),
                Err(why) => unknown = unknown.or(Some(why)),
            }
        }
        let why = unknown.unwrap_or(Unfound::Unknown {
            there_are: Vec::new(),
            more: 0,
        });
        Err(refusal(asked, &why))
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Finds out how the kernel's programs know the group.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a group of version 1, whose threads they cannot ask for; [`Failure::Unsupported`] if the mount shows
    /// only a part of the hierarchy, so that nobody knows how deep the group lies.
    pub fn in_kernel(&self) -> Result<InKernel, Failure> {
        let folder = fs::canonicalize(&self.folder).map_err(anyhow::Error::from)?;
        let name = shown(folder.as_os_str());
        if !is_of_version_2(&folder) {
            return Err(Failure::Usage(format!(
                "{name} is a control group of version 1; accepted: one of version 2, below the mount point that `findmnt -t cgroup2` prints"
            )));
        }
        let above = folder.ancestors().take_while(|it| is_of_version_2(it));
        for (level, group) in (0..).zip(above) {
            let id = fs::metadata(group).map_err(anyhow::Error::from)?.ino();
            if id == ROOT {
                let id = fs::metadata(&folder).map_err(anyhow::Error::from)?.ino();
                return Ok(InKernel { id, level });
            }
        }
        Err(Failure::Unsupported(format!(
            "{name} is below a mount point that shows only a part of the control groups; run locktoll where the whole hierarchy is \
             mounted, for example on the host"
        )))
    }

    /// Whether it is the group of a container whose id is `asked`, or begins with it.
    pub fn has_id(&self, asked: &str) -> bool {
        has_id(&self.folder, asked.trim_matches('/'))
    }

    /// Whether it is still there.
    pub fn exists(&self) -> bool {
        self.folder.join(PROCESSES).exists()
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

fn is_of_version_2(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|it| it.f_type == VERSION_2)
}

/// Says in one line why no group was taken, and what would be accepted.
fn refusal(asked: &str, why: &Unfound) -> Failure {
    let asked = shown_text(asked);
    let listed = |all: &[String], more: usize| {
        let all: Vec<String> = all.iter().map(|it| shown_text(it)).collect();
        match more {
            0 => all.join(", "),
            more => format!("{} and {more} more", all.join(", ")),
        }
    };
    Failure::Usage(match why {
        Unfound::Ambiguous { candidates, more } => format!(
            "--container {asked}: several control groups match: {}; give more digits of the id, or name one of these groups with --cgroup",
            listed(candidates, *more)
        ),
        Unfound::Unknown { there_are, .. } if there_are.is_empty() => format!(
            "--container {asked}: no container or systemd unit is visible below /sys/fs/cgroup; accepted: the id or the name of a \
             container or unit that is running, or its control group with --cgroup"
        ),
        Unfound::Unknown { there_are, more } => format!(
            "--container {asked}: no running container or systemd unit has this id or name; accepted: one that is running, such as {}",
            listed(there_are, *more)
        ),
    })
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
