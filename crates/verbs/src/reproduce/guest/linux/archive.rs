//! An archive in the format of the kernel's initial file systems: cpio's "newc"
//! (Documentation/driver-api/early-userspace/buffer-format.rst in the kernel's sources).

use std::collections::BTreeSet;

/// Bits of a mode, as in inode(7).
const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;

/// An archive that is being written.
#[derive(Default)]
pub struct Archive {
    bytes: Vec<u8>,
    entries: u32,
    folders: BTreeSet<String>,
}

impl Archive {
    /// Adds a folder, and those that it lies in. `path` is absolute.
    pub fn folder(&mut self, path: &str) {
        let path = path.trim_matches('/');
        let ends = path.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            let folder = &path[..end];
            // The kernel makes no folder by itself, and two entries of one name are one too many.
            if !folder.is_empty() && self.folders.insert(folder.to_owned()) {
                self.entry(folder, FOLDER, &[]);
            }
        }
    }

    /// Adds a file that can be executed, and the folders that it lies in. `path` is absolute.
    pub fn program(&mut self, path: &str, contents: &[u8]) {
        let path = path.trim_matches('/');
        if let Some((folder, _)) = path.rsplit_once('/') {
            self.folder(folder);
        }
        self.entry(path, PROGRAM, contents);
    }

    /// Returns the whole archive.
    pub fn finish(mut self) -> Vec<u8> {
        // No entry has the number zero.
        self.entries = 0;
        self.header("TRAILER!!!", 0, 0);
        self.bytes
    }

    fn entry(&mut self, name: &str, mode: u32, contents: &[u8]) {
        self.entries += 1;
        self.header(name, mode, contents.len());
        self.bytes.extend_from_slice(contents);
        self.pad();
    }

    fn header(&mut self, name: &str, mode: u32, length: usize) {
        let (links, user, group, time, device) = (1, 0, 0, 0, 0);
        let name_length = name.len() as u32 + 1;
        let fields = [
            self.entries,
            mode,
            user,
            group,
            links,
            time,
            length as u32,
            device,
            device,
            device,
            device,
            name_length,
            0,
        ];
        self.bytes.extend_from_slice(b"070701");
        for field in fields {
            self.bytes
                .extend_from_slice(format!("{field:08X}").as_bytes());
        }
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.pad();
    }

    /// Headers and contents begin at multiples of four bytes.
    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    fn archive() -> Vec<u8> {
        let mut archive = Archive::default();
        archive.folder("/tmp");
        archive.program("/lib/one/libc.so.6", b"12345");
        archive.program("/lib/one/libm.so.6", b"");
        archive.program("/init", b"first");
        archive.finish()
    }

    /// Reads an archive: name, mode and contents of each entry.
    fn entries(mut bytes: &[u8]) -> Vec<(String, u32, Vec<u8>)> {
        let mut entries = Vec::new();
        loop {
            assert_eq!(&bytes[..6], b"070701");
            let field = |index: usize| {
                let digits = &bytes[6 + 8 * index..14 + 8 * index];
                u32::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap()
            };
            let (mode, length, name_length) = (field(1), field(6) as usize, field(11) as usize);
            let name = std::str::from_utf8(&bytes[110..110 + name_length - 1]).unwrap();
            assert_eq!(bytes[110 + name_length - 1], 0);
            if name == "TRAILER!!!" {
                return entries;
            }
            let start = (110 + name_length).next_multiple_of(4);
            entries.push((name.to_owned(), mode, bytes[start..start + length].to_vec()));
            bytes = &bytes[(start + length).next_multiple_of(4)..];
        }
    }

    #[test]
    fn each_folder_comes_once_and_before_what_it_contains() {
        let read = entries(&archive());
        let names: Vec<&str> = read.iter().map(|(name, ..)| name.as_str()).collect();
        let expected = [
            "tmp",
            "lib",
            "lib/one",
            "lib/one/libc.so.6",
            "lib/one/libm.so.6",
            "init",
        ];
        assert_eq!(names, expected);
        assert_eq!((read[2].1, read[3].1), (FOLDER, PROGRAM));
        assert_eq!(
            (read[3].2.as_slice(), read[5].2.as_slice()),
            (&b"12345"[..], &b"first"[..])
        );
    }

    #[test]
    fn cpio_reads_it_too() {
        if !locktoll_needs::programs(&["cpio"]) {
            return;
        }
        let mut child = Command::new("cpio")
            .args(["-t", "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&archive()).unwrap();
        let listed = child.wait_with_output().unwrap();
        assert!(listed.status.success());
        let listed = String::from_utf8(listed.stdout).unwrap();
        assert_eq!(listed.lines().count(), 6, "{listed}");
        assert!(listed.contains("lib/one/libm.so.6"), "{listed}");
    }
}
