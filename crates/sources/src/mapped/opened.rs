//! The file that a process has mapped, and not another that its owner might substitute.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use locktoll_terminal::system::files::open_regular;
use memmap2::MmapOptions;

use super::{Mapping, mappings};

/// Opens the file behind `mapping` of `process` for reading.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] if no path that we may use leads to it.
pub fn open(process: u32, mapping: &Mapping) -> io::Result<File> {
    let ways = ways(process, mapping).into_iter();
    let mut found = ways.filter_map(|way| open_regular(&way).ok());
    found
        .find(|file| is_of(file, mapping))
        .ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Returns the paths to try. First the mapping itself, whatever file now has its name; that takes CAP_CHECKPOINT_RESTORE or
/// CAP_SYS_ADMIN. Then the name, in the process's own view of the file system. Then the program of the process, for which there
/// is a separate path when its name is gone. Last the name as we see it, if the process is gone.
///
/// A name is only a hint: the process chose it, and the kernel does not escape a backslash in it.
fn ways(process: u32, mapping: &Mapping) -> [PathBuf; 4] {
    let (start, end) = (mapping.start, mapping.end);
    let inside = mapping.path.strip_prefix("/").unwrap_or(&mapping.path);
    [
        format!("/proc/{process}/map_files/{start:x}-{end:x}").into(),
        PathBuf::from(format!("/proc/{process}/root")).join(inside),
        format!("/proc/{process}/exe").into(),
        mapping.path.clone(),
    ]
}

/// Whether the file is the one that was mapped.
fn is_of(file: &File, mapping: &Mapping) -> bool {
    let same = |device: &str, inode: u64| inode == mapping.inode && device == mapping.device;
    let Ok(found) = file.metadata() else {
        return false;
    };
    let device = rustix::fs::major(found.dev());
    let device = format!("{device:02x}:{:02x}", rustix::fs::minor(found.dev()));
    if same(&device, found.ino()) {
        return true;
    }
    // Where file systems are overlaid, or share a device, the kernel reports one device for an open file and another for a
    // mapping of it. It reports the same device for two mappings.
    name_when_mapped(file).is_some_and(|(device, inode)| same(&device, inode))
}

/// Returns device and inode, as the kernel prints them for a mapping of this file. Nothing is read from that mapping, so it does
/// no harm if the file is truncated.
fn name_when_mapped(file: &File) -> Option<(String, u64)> {
    let ours = MmapOptions::new().len(1).map_raw_read_only(file).ok()?;
    let at = ours.as_ptr() as u64;
    let own = mappings(std::process::id()).ok()?;
    let found = own.into_iter().find(|it| it.start == at)?;
    Some((found.device, found.inode))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn own_mapping() -> Mapping {
        let program = std::env::current_exe().unwrap();
        let all = mappings(std::process::id()).unwrap();
        all.into_iter().find(|it| it.path == program).unwrap()
    }

    #[test]
    fn the_file_of_a_mapping_is_the_one_that_is_opened() {
        let (own, mapping) = (std::process::id(), own_mapping());
        let file = open(own, &mapping).unwrap();
        assert_eq!(file.metadata().unwrap().ino(), mapping.inode);
        assert_eq!(
            name_when_mapped(&file),
            Some((mapping.device, mapping.inode))
        );
    }

    #[test]
    fn another_file_under_its_name_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other");
        std::fs::write(&path, "x").unwrap();
        let other = File::open(&path).unwrap();
        let inode = other.metadata().unwrap().ino();
        let mapping = own_mapping();
        assert!(!is_of(&other, &mapping));
        // The right inode number, on another device.
        let elsewhere = Mapping {
            inode,
            device: "ff:ff".to_owned(),
            ..mapping
        };
        assert!(!is_of(&other, &elsewhere));
        let gone = Mapping {
            inode: u64::MAX,
            path: path.clone(),
            start: 1,
            end: 2,
            ..elsewhere
        };
        let error = open(std::process::id(), &gone).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!Path::new("/proc/self/map_files/1-2").exists());
    }
}
