//! The mappings of a process (proc_pid_maps(5)), and the files behind them.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::mapped;
use crate::mapped::{Mapping, mappings};
use locktoll_terminal::system::files::open_of_process;

/// A mapping whose contents may be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// Its first address.
    pub start: u64,
    /// The first address behind it.
    pub end: u64,
    /// Where in the file it begins.
    pub offset: u64,
    /// What is mapped there.
    pub origin: Origin,
}

/// The origin of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file, as the kernel identifies it. The path is as the process sees it.
    File {
        /// Which file.
        id: FileId,
        /// Its path, where there may be another file by now.
        path: PathBuf,
    },
    /// The kernel's page of code.
    Vdso,
    /// No file: code that was generated at run time.
    Anonymous,
}

/// Which file: its device as the kernel prints it, and its inode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    device: String,
    inode: u64,
}

/// Returns the executable mappings of `process`, by address.
///
/// # Errors
/// If the process is gone, or we may not look at it.
pub fn executables(process: u32) -> io::Result<Vec<Executable>> {
    let all = mappings(process)?.into_iter();
    Ok(all.filter_map(executable).collect())
}

/// Converts a mapping; `None` if it does not contain code.
fn executable(mapping: Mapping) -> Option<Executable> {
    if !mapping.executable {
        return None;
    }
    let origin = if mapping.path.as_os_str() == "[vdso]" {
        Origin::Vdso
    } else if mapping.inode != 0 {
        Origin::File {
            id: FileId {
                device: mapping.device,
                inode: mapping.inode,
            },
            path: mapping.path,
        }
    } else {
        Origin::Anonymous
    };
    Some(Executable {
        start: mapping.start,
        end: mapping.end,
        offset: mapping.offset,
        origin,
    })
}

/// Opens the file behind `mapping` of `process`.
///
/// # Errors
/// If there is no file behind it, or no path that we may use leads to it.
pub fn open(process: u32, mapping: &Executable) -> io::Result<File> {
    let Origin::File { id, path } = &mapping.origin else {
        return Err(io::ErrorKind::NotFound.into());
    };
    let of_file = Mapping {
        start: mapping.start,
        end: mapping.end,
        executable: true,
        shared: false,
        offset: mapping.offset,
        device: id.device.clone(),
        inode: id.inode,
        path: path.clone(),
        deleted: false,
    };
    mapped::open(process, &of_file)
}

/// Returns the bytes that `process` has at `mapping`: the kernel's page of code does not have a file.
///
/// # Errors
/// If the process is gone, or we may not read it.
pub fn bytes(process: u32, mapping: &Executable) -> io::Result<Vec<u8>> {
    /// More than the size of any kernel's page of code.
    const LIMIT: u64 = 1 << 20;
    let length = (mapping.end - mapping.start).min(LIMIT);
    let mut bytes = vec![0; length as usize];
    open_of_process(process, "mem")?.read_exact_at(&mut bytes, mapping.start)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn code_by_its_origin() {
        let one = |line: &[u8]| Mapping::all(line).into_iter().find_map(executable);
        let file = one(b"7f0c1a026000-7f0c1a17a000 r-xp 00026000 fe:01 18350                      /tmp/a b\\012c (deleted)").unwrap();
        assert_eq!(
            (file.start, file.end, file.offset),
            (0x7f0c_1a02_6000, 0x7f0c_1a17_a000, 0x26000)
        );
        let Origin::File { path, id } = file.origin else {
            panic!("{:?}", file.origin);
        };
        assert_eq!(path, PathBuf::from("/tmp/a b\nc"));
        assert_eq!((id.device.as_str(), id.inode), ("fe:01", 18350));
        let generated = one(b"7f0c1a026000-7f0c1a17a000 rwxp 00000000 00:00 0 ").unwrap();
        assert_eq!(generated.origin, Origin::Anonymous);
        let vdso =
            one(b"7ffc1a026000-7ffc1a028000 r-xp 00000000 00:00 0                          [vdso]")
                .unwrap();
        assert_eq!(vdso.origin, Origin::Vdso);
        let data = b"7f0c1a026000-7f0c1a17a000 r--p 00026000 fe:01 18350  /tmp/a";
        assert_eq!(one(data), None);
        for damaged in [
            &b""[..],
            b"x",
            b"1-2",
            b"1-2 r-xp 0 0:0 x /a",
            b"g-2 r-xp 0 0:0 1 /a",
        ] {
            assert_eq!(one(damaged), None);
        }
    }

    #[test]
    fn our_own_program_can_be_opened() {
        let own = std::process::id();
        let mappings = executables(own).unwrap();
        assert!(mappings.is_sorted_by_key(|mapping| mapping.start));
        let exe = std::env::current_exe().unwrap();
        let mapping = mappings
            .iter()
            .find(|mapping| matches!(&mapping.origin, Origin::File { path, .. } if *path == exe))
            .unwrap();
        let file = open(own, mapping).unwrap();
        assert_eq!(
            file.metadata().unwrap().ino(),
            exe.metadata().unwrap().ino()
        );
        let vdso = mappings
            .iter()
            .find(|mapping| mapping.origin == Origin::Vdso)
            .unwrap();
        assert!(bytes(own, vdso).unwrap().starts_with(b"\x7fELF"));
    }
}
