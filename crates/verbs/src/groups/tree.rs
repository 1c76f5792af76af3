//! The control groups of this machine.

use std::fs;
use std::path::{Path, PathBuf};

use super::cgroup::{MOUNTS, PROCESSES};

/// Groups below these depths, or beyond this number, are not looked at. A node of Kubernetes has a few thousand, ten deep.
const MOST_GROUPS: usize = 100_000;
const DEEPEST: usize = 64;

/// Returns the groups of each hierarchy that is mounted, as paths below its mount point, with that mount point.
pub fn hierarchies() -> impl Iterator<Item = (&'static Path, Vec<PathBuf>)> {
    let mounts = MOUNTS.iter().map(Path::new);
    // With version 1, the folder of the mount points is not a group itself.
    let mounted = mounts.filter(|mount| mount.join(PROCESSES).exists());
    mounted.map(|mount| (mount, groups_below(mount)))
}

/// Returns all groups below `mount`, parents before their children, in the order of their names.
fn groups_below(mount: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut next = vec![PathBuf::new()];
    while let Some(group) = next.pop() {
        let entries = fs::read_dir(mount.join(&group))
            .into_iter()
            .flatten()
            .flatten();
        let below = entries.filter(|it| it.file_type().is_ok_and(|it| it.is_dir()));
        let mut below: Vec<PathBuf> = below.map(|it| group.join(it.file_name())).collect();
        below.sort_unstable_by(|a, b| b.cmp(a));
        if group.components().count() < DEEPEST {
            next.extend(below);
        }
        if !group.as_os_str().is_empty() {
            found.push(group);
        }
        if found.len() == MOST_GROUPS {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_listed_parents_first_and_without_files() {
        let mount = tempfile::tempdir().unwrap();
        fs::create_dir_all(mount.path().join("b.slice/one.scope")).unwrap();
        fs::create_dir_all(mount.path().join("a.slice")).unwrap();
        fs::write(mount.path().join("a.slice").join(PROCESSES), "").unwrap();
        let found = groups_below(mount.path());
        let wanted = ["a.slice", "b.slice", "b.slice/one.scope"];
        assert_eq!(found, wanted.map(PathBuf::from));
    }
}
