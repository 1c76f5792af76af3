//! From a name to the folder to which it leads: path_resolution(7), with every link checked before it is followed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, PROC_SUPER_MAGIC, Stat, fstat, fstatfs, openat,
    readlinkat, statat,
};
use rustix::io::Errno;

use super::planted;

/// How many links Linux follows.
const LINKS: u32 = 40;

/// For opening a folder only to pass through it.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Where a name leads.
#[derive(Debug)]
pub struct End {
    /// The folder, open.
    pub folder: OwnedFd,
    /// Its path, without links other than those of proc(5).
    pub path: PathBuf,
    /// The name in the folder; `None` if the folder itself was named.
    pub name: Option<OsString>,
    /// The file with that name. It is never a link, except for those of proc(5), whose text does not lead anywhere.
    pub there: Option<Stat>,
}

/// Follows `path` to its end.
///
/// # Errors
/// The error of the system, or a link on the way that another user may have planted.
pub fn walk(path: &Path) -> io::Result<End> {
    let mut walker = Walker {
        folder: openat(CWD, ".", FOLDER, Mode::empty())?,
        path: PathBuf::new(),
        left: Vec::new(),
        links: 0,
    };
    walker.then(path);
    while let Some(step) = walker.left.pop() {
        let Step::Named(name) = step else {
            walker.go(&step)?;
            continue;
        };
        let there = match statat(&walker.folder, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(there) => Some(there),
            Err(Errno::NOENT) if walker.left.is_empty() => None,
            Err(error) => return Err(error.into()),
        };
        let is_link = there.is_some_and(|it| is(&it, FileType::Symlink));
        if let Some(link) = there.filter(|_| is_link) {
            planted::refuse(&fstat(&walker.folder)?, &link)?;
        }
        // The kernel's own links name files that have no name.
        if is_link && !walker.is_in_proc()? {
            walker.follow(&name)?;
        } else if walker.left.is_empty() && !there.is_some_and(|it| is(&it, FileType::Directory)) {
            return Ok(End {
                folder: walker.folder,
                path: walker.path,
                name: Some(name),
                there,
            });
        } else {
            walker.enter(&name, is_link)?;
        }
    }
    Ok(End {
        folder: walker.folder,
        path: walker.path,
        name: None,
        there: None,
    })
}

pub fn is(it: &Stat, kind: FileType) -> bool {
    FileType::from_raw_mode(it.st_mode) == kind
}

/// Opens the root folder. Not through `/` if that can be avoided: qemu-user opens its folder for libraries instead of `/` (its
/// option -L).
fn root() -> Result<OwnedFd, Errno> {
    openat(CWD, "/proc/self/root", FOLDER, Mode::empty())
        .or_else(|_| openat(CWD, "/", FOLDER, Mode::empty()))
}

enum Step {
    Root,
    Up,
    Named(OsString),
}

/// The state of a walk.
struct Walker {
    folder: OwnedFd,
    path: PathBuf,
    /// The remaining steps, the next one last.
    left: Vec<Step>,
    links: u32,
}

impl Walker {
    /// Adds the steps of this path before the remaining ones.
    fn then(&mut self, path: &Path) {
        let steps = path.components().rev().filter_map(|part| match part {
            Component::RootDir => Some(Step::Root),
            Component::ParentDir => Some(Step::Up),
            Component::Normal(name) => Some(Step::Named(name.to_owned())),
            Component::CurDir | Component::Prefix(_) => None,
        });
        self.left.extend(steps);
    }

    /// Takes a step that does not depend on a link.
    fn go(&mut self, step: &Step) -> io::Result<()> {
        match step {
            Step::Root => {
                self.folder = root()?;
                self.path = PathBuf::from("/");
            }
            _ => {
                self.folder = openat(&self.folder, "..", FOLDER, Mode::empty())?;
                match self.path.components().next_back() {
                    Some(Component::Normal(_)) => drop(self.path.pop()),
                    Some(Component::RootDir) => {}
                    _ => self.path.push(".."),
                }
            }
        }
        Ok(())
    }

    fn follow(&mut self, link: &OsStr) -> io::Result<()> {
        self.links += 1;
        if self.links > LINKS {
            return Err(Errno::LOOP.into());
        }
        let target = readlinkat(&self.folder, link, Vec::new())?;
        self.then(Path::new(&OsString::from_vec(target.into_bytes())));
        Ok(())
    }

    /// Enters the folder `name`. If it has become a link since it was looked at, that is an error.
    fn enter(&mut self, name: &OsStr, through_procs_link: bool) -> io::Result<()> {
        let flags = match through_procs_link {
            true => FOLDER,
            false => FOLDER | OFlags::NOFOLLOW,
        };
        self.folder = openat(&self.folder, name, flags, Mode::empty())?;
        self.path.push(name);
        Ok(())
    }

    fn is_in_proc(&self) -> io::Result<bool> {
        Ok(fstatfs(&self.folder)?.f_type == PROC_SUPER_MAGIC)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_what_is_there_and_to_what_is_not() {
        let base = tempfile::tempdir().unwrap();
        let at = |name: &str| base.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        std::fs::write(at("deep/file"), "").unwrap();
        symlink("deep/../deep/file", at("to_file")).unwrap();
        symlink(at("deep"), at("to_folder")).unwrap();
        symlink("to_folder/new", at("to_new")).unwrap();
        symlink("round", at("round")).unwrap();
        let real = base.path().canonicalize().unwrap();
        for (name, expected, is_there) in [
            ("deep/file", "deep/file", true),
            ("to_file", "deep/file", true),
            ("to_folder/file", "deep/file", true),
            ("to_new", "deep/new", false),
            ("deep/../other", "other", false),
        ] {
            let end = walk(&at(name)).unwrap();
            assert_eq!(end.path.join(end.name.unwrap()), real.join(expected));
            assert_eq!(end.there.is_some(), is_there, "{name}");
        }
        assert_eq!(walk(&at("to_folder")).unwrap().name, None);
        for (name, expected) in [
            ("round", Errno::LOOP),
            ("nowhere/new", Errno::NOENT),
            ("deep/file/new", Errno::NOTDIR),
        ] {
            let error = walk(&at(name)).err().and_then(|error| error.raw_os_error());
            assert_eq!(error, Some(expected.raw_os_error()), "{name}");
        }
    }

    #[test]
    fn a_relative_name_begins_here() {
        let end = walk(Path::new("../x/../new-file")).unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::NotFound, "no folder x");
        let end = walk(Path::new("src/../new-file")).unwrap();
        assert_eq!((end.path, end.there.is_none()), (PathBuf::new(), true));
        let end = walk(Path::new("../..")).unwrap();
        assert_eq!(end.path, Path::new("../.."));
    }

    #[test]
    fn what_the_kernel_s_own_links_lead_to_is_not_taken_for_a_name() {
        let (_reader, writer) = std::io::pipe().unwrap();
        use std::os::fd::AsRawFd;
        let end = walk(Path::new(&format!("/dev/fd/{}", writer.as_raw_fd()))).unwrap();
        assert!(end.there.is_some_and(|it| is(&it, FileType::Symlink)));
    }
}
