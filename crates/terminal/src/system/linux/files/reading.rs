//! Reads files that others may have placed, and the kernel's files about their processes, without waiting for another process,
//! and never more than a limit.
//!
//! All files whose names come from another process, a recording or another user's folder are opened here. `cargo test -p
//! xtask-sources` checks that no other code opens them.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, open, openat};
use rustix::io::Errno;

use super::walk::is;

/// For reading, without waiting for a pipe's writer or for the holder of a lease (fcntl(2)). A terminal does not become the
/// controlling one.
const TO_READ: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// Opens the regular file to which `path` leads. Other files are not even opened: opening a pipe would wait, and opening a device
/// may have effects.
///
/// # Errors
/// The error of the system; [`io::ErrorKind::InvalidInput`] if it is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_found(path, OFlags::PATH | OFlags::CLOEXEC)
}

/// Like [`open_regular`], but `path` itself must be the file: links are not followed.
///
/// # Errors
/// As [`open_regular`].
pub fn open_regular_itself(path: &Path) -> io::Result<File> {
    open_found(path, OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW)
}

fn open_found(path: &Path, to_look: OFlags) -> io::Result<File> {
    let found = openat(CWD, path, to_look, Mode::empty())?;
    let looked_at = fstat(&found)?;
    if !is(&looked_at, FileType::RegularFile) {
        return Err(no_regular_file());
    }
    match openat(CWD, by_descriptor(&found), TO_READ, Mode::empty()) {
        Ok(opened) => Ok(opened.into()),
        // Without proc(5), it is opened by its name once more: another file may have that name now.
        Err(Errno::NOENT | Errno::NOTDIR) => {
            let opened = openat(CWD, path, TO_READ | OFlags::NOFOLLOW, Mode::empty())?;
            let now = fstat(&opened)?;
            let is_same = (now.st_dev, now.st_ino) == (looked_at.st_dev, looked_at.st_ino);
            match is_same {
                true => Ok(opened.into()),
                false => Err(no_regular_file()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

fn no_regular_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

fn by_descriptor(file: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// The limit for a command line. A process can make its own as long as all of its memory (prctl(2), PR_SET_MM_MAP).
const MOST_OF_A_COMMAND: u64 = 1 << 20;
/// The limit for an environment. It is more than execve(2) accepts.
const MOST_OF_AN_ENVIRONMENT: u64 = 8 << 20;
/// The limit for a map of memory. A process has 65,530 mappings unless the machine's owner says otherwise, and a line has less
/// than 100 bytes and its file's path.
const MOST_OF_A_MAP: u64 = 32 << 20;
/// The limit for all other files, whose contents come only from the kernel.
const MOST_ELSE: u64 = 1 << 20;

/// Reads `/proc/PID/NAME` (proc(5)), truncated if it is longer than any use needs.
///
/// Reading may wait as long as the process likes: a command line is memory of the process, which one of its own programs can
/// serve (userfaultfd(2), fuse(4)).
///
/// # Errors
/// If there is no such process, or this user may not examine it.
pub fn of_process(process: u32, name: &str) -> io::Result<Vec<u8>> {
    let file = open_of_process(process, name)?;
    let most = match name {
        "cmdline" => MOST_OF_A_COMMAND,
        "environ" => MOST_OF_AN_ENVIRONMENT,
        "maps" => MOST_OF_A_MAP,
        _ => MOST_ELSE,
    };
    let mut text = Vec::new();
    file.take(most).read_to_end(&mut text)?;
    Ok(text)
}

/// Like [`of_process`], for a file that is text, except perhaps for names in it.
///
/// # Errors
/// As [`of_process`].
pub fn text_of_process(process: u32, name: &str) -> io::Result<String> {
    let text = of_process(process, name)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns a field of the `stat` of a process or a thread by its number in proc_pid_stat(5), from 3 on. Field 2, the name, is in brackets,
/// and may itself contain brackets and spaces.
pub fn field_of_stat(stat: &str, number: usize) -> Option<&str> {
    let (_, after_name) = stat.rsplit_once(") ")?;
    after_name
        .split_ascii_whitespace()
        .nth(number.checked_sub(3)?)
}

/// Returns the reason why no process can be examined, if there is one: `/proc` is not mounted, as in a bare chroot(2).
pub fn why_no_process() -> Option<&'static str> {
    const NOT_MOUNTED: &str = "/proc is not mounted here, and without it no process can be examined; mount it: `mount -t proc proc /proc`";
    (!Path::new("/proc/self/status").exists()).then_some(NOT_MOUNTED)
}

/// Opens such a file, for example `mem`, for reading at given places.
///
/// # Errors
/// As [`of_process`].
pub fn open_of_process(process: u32, name: &str) -> io::Result<File> {
    let path = format!("/proc/{process}/{name}");
    Ok(open(path, TO_READ | OFlags::NOFOLLOW, Mode::empty())?.into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_opened_by_its_name_by_links_and_by_a_descriptor() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "contents").unwrap();
        let link = folder.path().join("link");
        symlink("file", &link).unwrap();
        let open = File::open(&file).unwrap();
        let own = format!("/proc/self/fd/{}", open.as_raw_fd());
        for path in [&file, &link, Path::new(&own)] {
            let mut text = String::new();
            open_regular(path)
                .unwrap()
                .read_to_string(&mut text)
                .unwrap();
            assert_eq!(text, "contents", "{}", path.display());
        }
        assert!(open_regular_itself(&file).is_ok() && open_regular_itself(&link).is_err());
        let missing = open_regular(&folder.path().join("nothing")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn nothing_else_is_opened_and_nobody_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        let link = folder.path().join("link");
        symlink(&pipe, &link).unwrap();
        for path in [&pipe, &link, folder.path(), Path::new("/dev/null")] {
            let refused = open_regular(path).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn a_name_with_brackets_moves_no_field_of_stat() {
        let field = |number| field_of_stat("7 (a) b) (c) S 12 13 14\n", number);
        assert_eq!((field(3), field(6)), (Some("S"), Some("14")));
        assert_eq!((field(2), field(7)), (None, None));
        assert_eq!(field_of_stat("7 (a", 3), None);
        let own = text_of_process(std::process::id(), "stat").unwrap();
        let parent = std::os::unix::process::parent_id().to_string();
        assert_eq!(field_of_stat(&own, 4), Some(parent.as_str()));
    }

    #[test]
    fn a_process_is_read_by_what_the_kernel_says_of_it() {
        let own = std::process::id();
        let status = text_of_process(own, "status").unwrap();
        assert!(status.contains(&format!("Pid:\t{own}\n")));
        assert!(of_process(own, "maps").unwrap().ends_with(b"\n"));
        assert!(of_process(u32::MAX, "maps").is_err());
        // A file to which a link of proc(5) leads does not come from the kernel.
        assert!(of_process(own, "exe").is_err());
    }
}
