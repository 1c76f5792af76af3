//! Folders where the library may be kept, and the conditions under which it is safe to load code from one.

use std::ffi::OsString;
use std::fs::{DirBuilder, Metadata};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, StatVfsMountFlags};

/// Returns the folders to try, best first: the user's cache, then temporary folders named after the user.
///
/// Relative paths are ignored, as the XDG base directory specification requires.
pub fn candidates(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let absolute = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    let temporary = absolute("TMPDIR");
    let own = format!("locktoll-{}", rustix::process::geteuid().as_raw());
    let mut folders: Vec<PathBuf> = cache
        .map(|cache| cache.join("locktoll"))
        .into_iter()
        .collect();
    for shared in temporary
        .into_iter()
        .chain([PathBuf::from("/tmp"), PathBuf::from("/var/tmp")])
    {
        folders.push(shared.join(&own));
    }
    folders.dedup();
    folders
}

/// Creates the folder if it is missing. Returns its path with links followed, or the reason why it cannot be used.
///
/// Code is loaded from here into the user's programs, so nobody else may be able to put a file there: the folder is ours, is not
/// a link and is closed to others, and nobody can replace it or a folder around it.
pub fn prepare(folder: &Path) -> Result<PathBuf, String> {
    let (parent, name) = folder
        .parent()
        .zip(folder.file_name())
        .ok_or("it has no parent")?;
    // Checked before anything is created: in a home that is not ours, a folder of ours would be in its owner's way.
    controlled(parent)?;
    std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
    let parent = controlled(parent)?;
    let folder = parent.join(name);
    can_be_named(&folder)?;
    match DirBuilder::new().mode(0o700).create(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error.to_string()),
    }

    let metadata = std::fs::symlink_metadata(&folder).map_err(|error| error.to_string())?;
    objection(&metadata).map_or(Ok(()), |objection| Err(objection.to_owned()))?;

    can_be_executed_from(&folder)?;
    Ok(folder)
}

/// Returns the part of `folder` that exists, with links followed, if only we and root can replace any of it.
fn controlled(folder: &Path) -> Result<PathBuf, String> {
    let there = folder
        .ancestors()
        .find_map(|path| path.canonicalize().ok())
        .ok_or("it has no parent")?;
    for around in there.ancestors() {
        let metadata = std::fs::symlink_metadata(around).map_err(|error| error.to_string())?;
        if let Some(objection) = objection_around(&metadata) {
            return Err(objection.to_owned());
        }
    }
    Ok(there)
}

/// Returns the folder that will probably be used, found without creating any, and the folders before it with the reasons against
/// them.
pub fn likely_folder() -> (Option<PathBuf>, Vec<String>) {
    let mut passed_over = Vec::new();
    for folder in candidates(|name| std::env::var_os(name)) {
        match would_do(&folder) {
            Ok(()) => return (Some(folder), passed_over),
            Err(reason) => passed_over.push(format!("{}: {reason}", folder.display())),
        }
    }
    (None, passed_over)
}

/// Checks for what would keep the folder from being used or created, as far as that shows beforehand.
fn would_do(folder: &Path) -> Result<(), String> {
    can_be_named(folder)?;
    let parent = folder.parent().ok_or("it has no parent")?;
    let around = controlled(parent)?;
    let there = match folder.symlink_metadata() {
        Err(_) => around.as_path(),
        Ok(metadata) => {
            if let Some(objection) = objection(&metadata) {
                return Err(objection.to_owned());
            }
            folder
        }
    };
    can_be_executed_from(there)?;
    rustix::fs::access(there, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| {
        let of = match there == folder {
            true => String::new(),
            false => format!(" in {}", there.display()),
        };
        format!("it cannot be written{of} ({})", std::io::Error::from(error))
    })
}

/// Checks that LD_PRELOAD can name the folder. ld.so(8): spaces and colons separate its entries, and `$` starts a token; there is
/// no way to escape any of them.
fn can_be_named(folder: &Path) -> Result<(), String> {
    let path = folder.as_os_str().as_encoded_bytes();
    match path.iter().any(|byte| b" :$\t\n".contains(byte)) {
        true => Err("LD_PRELOAD cannot name a path with a space, a colon or a $".to_owned()),
        false => Ok(()),
    }
}

fn can_be_executed_from(folder: &Path) -> Result<(), String> {
    let mount = rustix::fs::statvfs(folder).map_err(|error| error.to_string())?;
    match mount.f_flag.contains(StatVfsMountFlags::NOEXEC) {
        true => Err("it is mounted noexec".to_owned()),
        false => Ok(()),
    }
}

/// Returns why a folder with this metadata cannot be trusted.
fn objection(folder: &Metadata) -> Option<&'static str> {
    let own = rustix::process::geteuid().as_raw();
    if folder.file_type().is_symlink() {
        Some("it is a symbolic link")
    } else if !folder.is_dir() {
        Some("it is not a directory")
    } else if folder.uid() != own {
        Some("it belongs to another user")
    } else if folder.mode() & 0o022 != 0 {
        Some("others can write to it")
    } else {
        None
    }
}

/// Returns why the contents of a folder with this metadata cannot be trusted.
fn objection_around(folder: &Metadata) -> Option<&'static str> {
    const STICKY: u32 = 0o1000;
    let own = rustix::process::geteuid().as_raw();
    if folder.uid() != own && folder.uid() != 0 && !is_of_the_system_outside(folder.uid()) {
        Some("a folder around it belongs to another user")
    } else if folder.mode() & 0o002 != 0 && folder.mode() & STICKY == 0 {
        Some("others can replace it")
    } else {
        None
    }
}

/// Whether this may be root's number, seen from a user namespace that has no number for root: user_namespaces(7).
fn is_of_the_system_outside(user: u32) -> bool {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let is_in_namespace = || {
        let map = read("/proc/self/uid_map");
        !map.is_empty() && map.split_whitespace().ne(["0", "0", "4294967295"])
    };
    read("/proc/sys/kernel/overflowuid").trim().parse() == Ok(user) && is_in_namespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn looking_beforehand_agrees_with_making_it_and_makes_nothing() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("cache/locktoll");
        assert_eq!(would_do(&folder), Ok(()));
        assert!(!around.path().join("cache").exists());
        prepare(&folder).unwrap();
        assert_eq!(would_do(&folder), Ok(()));
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o777)).unwrap();
        assert_eq!(would_do(&folder), prepare(&folder).map(drop));
        assert!(would_do(&folder).is_err());
        let unnameable = around.path().join("a b");
        assert_eq!(would_do(&unnameable), prepare(&unnameable).map(drop));
    }

    #[test]
    fn the_users_cache_comes_first_and_relative_paths_are_passed_over() {
        let with = |pairs: &'static [(&str, &str)]| {
            candidates(move |name| {
                pairs
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| OsString::from(value))
            })
        };
        let all = with(&[("XDG_CACHE_HOME", "/c"), ("HOME", "/h"), ("TMPDIR", "/t")]);
        assert_eq!(all[0], Path::new("/c/locktoll"));
        assert!(all[1].starts_with("/t") && all[2].starts_with("/tmp"));
        let home = with(&[("XDG_CACHE_HOME", "c"), ("HOME", "/h")]);
        assert_eq!(home[0], Path::new("/h/.cache/locktoll"));
        assert!(with(&[])[0].starts_with("/tmp"));
    }

    #[test]
    fn a_folder_that_others_control_is_refused() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("own");
        prepare(&folder).unwrap();
        let mode = std::fs::metadata(&folder).unwrap().mode();
        assert_eq!(mode & 0o777, 0o700);
        prepare(&folder).unwrap();

        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o777)).unwrap();
        assert_eq!(prepare(&folder).unwrap_err(), "others can write to it");

        let way = base.path().join("way");
        std::os::unix::fs::symlink(base.path(), &way).unwrap();
        let real = folder.canonicalize().unwrap();
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).unwrap();
        assert_eq!(prepare(&way.join("own")).unwrap(), real);

        let link = base.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert_eq!(prepare(&link).unwrap_err(), "it is a symbolic link");

        let file = base.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(prepare(&file).unwrap_err(), "it is not a directory");

        let open = base.path().join("open");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, PermissionsExt::from_mode(0o777)).unwrap();
        assert_eq!(
            prepare(&open.join("in")).unwrap_err(),
            "others can replace it"
        );

        assert_eq!(
            prepare(&open.join("deep/in")).unwrap_err(),
            "others can replace it"
        );
        assert!(!open.join("deep").exists(), "nothing was made there");

        let spaced = base.path().join("a b");
        assert!(prepare(&spaced).unwrap_err().contains("LD_PRELOAD"));
        assert!(!spaced.exists());
    }
}
