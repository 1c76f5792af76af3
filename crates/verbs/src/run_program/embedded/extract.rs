//! Writes the library to its place, once for each content.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Library, place};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// Returns the path of a file with the library in it, newly written or found whole.
///
/// # Errors
/// [`Failure::Run`] when no folder can be used, with the reason for each.
pub fn extract(library: Library) -> Result<PathBuf, Failure> {
    let bytes = library.bytes().map_err(|error| {
        Failure::Run(anyhow::anyhow!("the carried library is damaged: {error}"))
    })?;
    let mut reasons = Vec::new();
    for folder in place::candidates(|name| std::env::var_os(name)) {
        match place::prepare(&folder).and_then(|found| write_once(&found, library.stem(), &bytes)) {
            Ok(path) => return Ok(path),
            Err(reason) => reasons.push(format!("{}: {reason}", shown(folder.as_os_str()))),
        }
    }
    Err(Failure::Run(anyhow::anyhow!(
        "no folder for the library to be preloaded ({}); set XDG_CACHE_HOME to a private folder",
        reasons.join("; ")
    )))
}

/// Returns the file in `folder` that holds `contents`. Its name is derived from the contents, so that two versions never collide;
/// a file found under the name is compared before it is used.
fn write_once(folder: &Path, stem: &str, contents: &[u8]) -> Result<PathBuf, String> {
    let path = folder.join(format!("{stem}-{:016x}.so", fnv1a(contents)));
    if holds(&path, contents) {
        note_use(&path);
        return Ok(path);
    }
    remove_unused(folder, stem);
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(".preload-")
            .tempfile_in(folder)?;
        file.write_all(contents)?;
        // Running programs keep the file that they mapped: a rename never changes it.
        file.persist(&path)?;
        Ok(())
    };
    write().map_err(|error| error.to_string())?;
    if holds(&path, contents) {
        Ok(path)
    } else {
        Err("what was written does not read back".to_owned())
    }
}

/// How long after its last use the library of another version is assumed to be unused.
const UNUSED: Duration = Duration::from_secs(30 * 86_400);

/// Keeps a library that is in use from being removed. Where that is not permitted, the library will be written again one day.
fn note_use(path: &Path) {
    if age(path).is_some_and(|age| age > UNUSED / 30) {
        let file = File::options()
            .write(true)
            .custom_flags(libc::O_NOFOLLOW)
            .open(path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }
}

/// Removes libraries of other versions that have not been used for a long time: each version of locktoll leaves one.
fn remove_unused(folder: &Path, stem: &str) {
    let begins = format!("{stem}-");
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with(&begins) && name.ends_with(".so");
        if is_ours && age(&entry.path()).is_some_and(|age| age > UNUSED) {
            // A file that cannot be removed stays.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Returns the time since a file was written or last used.
fn age(path: &Path) -> Option<Duration> {
    path.symlink_metadata()
        .ok()?
        .modified()
        .ok()?
        .elapsed()
        .ok()
}

fn holds(path: &Path, contents: &[u8]) -> bool {
    let read = || -> std::io::Result<bool> {
        let file = File::options()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW)
            .open(path)?;
        if !file.metadata()?.is_file() {
            return Ok(false);
        }
        let mut found = Vec::with_capacity(contents.len());
        file.take(contents.len() as u64 + 1)
            .read_to_end(&mut found)?;
        Ok(found == contents)
    };
    read().unwrap_or(false)
}

/// Returns the 64-bit FNV-1a hash (Fowler, Noll, Vo, 1991): it names a file, and proves nothing.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_agrees_with_the_published_values() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn libraries_of_other_versions_go_once_nobody_uses_them() {
        let folder = tempfile::tempdir().unwrap();
        let old = write_once(folder.path(), "lib", b"old").unwrap();
        let used = write_once(folder.path(), "lib", b"used").unwrap();
        let other = folder.path().join("notes.txt");
        std::fs::write(&other, b"").unwrap();
        for path in [&old, &used, &other] {
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::now() - UNUSED * 2).unwrap();
        }
        assert_eq!(write_once(folder.path(), "lib", b"used").unwrap(), used);
        write_once(folder.path(), "lib", b"new").unwrap();
        assert!(!old.exists() && used.exists() && other.exists());
    }

    #[test]
    fn a_changed_or_planted_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = write_once(folder.path(), "lib", b"library").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"library");
        let inode = |path: &Path| std::os::unix::fs::MetadataExt::ino(&path.metadata().unwrap());
        let first = inode(&path);
        assert_eq!(write_once(folder.path(), "lib", b"library").unwrap(), path);
        assert_eq!(inode(&path), first, "a whole file is left as it is");

        std::fs::write(&path, b"hostile").unwrap();
        write_once(folder.path(), "lib", b"library").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"library");

        let other = folder.path().join("other");
        std::fs::write(&other, b"library").unwrap();
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        write_once(folder.path(), "lib", b"library").unwrap();
        assert!(path.symlink_metadata().unwrap().is_file());
        assert!(write_once(folder.path(), "lib", b"another").unwrap() != path);
    }
}
