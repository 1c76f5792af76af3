//! The mappings of a process.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use locktoll_terminal::system::files::of_process;

/// A line of /proc/PID/maps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its first address.
    pub start: u64,
    /// The first address behind it.
    pub end: u64,
    /// Whether code may be run there.
    pub executable: bool,
    /// Whether data that is written there is shared with others.
    pub shared: bool,
    /// Where it begins in its file.
    pub offset: u64,
    /// The device of its file, as the kernel prints it.
    pub device: String,
    /// The file's inode; zero if there is no file.
    pub inode: u64,
    /// The file's path, or the kernel's other name for the mapping (`[heap]`); empty for memory without a name.
    pub path: PathBuf,
    /// Whether the file has been removed or replaced since.
    pub deleted: bool,
}

/// Returns the present mappings of the process, in the order of addresses.
///
/// # Errors
/// If it is gone, or we may not look at it.
pub fn mappings(process: u32) -> io::Result<Vec<Mapping>> {
    Ok(Mapping::all(&of_process(process, "maps")?))
}

/// What the kernel appends to the path of a file that is gone.
const DELETED: &[u8] = b" (deleted)";

impl Mapping {
    /// Parses all mappings, in the order of their addresses. A line that cannot be read is left out.
    pub fn all(maps: &[u8]) -> Vec<Self> {
        maps.split(|&byte| byte == b'\n')
            .filter_map(Self::parse)
            .collect()
    }

    fn parse(line: &[u8]) -> Option<Self> {
        let mut rest = line;
        let mut word = || {
            let end = rest.iter().position(|&byte| byte == b' ')?;
            let word = std::str::from_utf8(&rest[..end]).ok();
            rest = &rest[end + 1..];
            word
        };
        let (start, end) = word()?.split_once('-')?;
        let access = word()?;
        let offset = word()?;
        let device = word()?.to_owned();
        let (inode, path) = match word() {
            Some(inode) => (inode.to_owned(), rest),
            // Without a path, the kernel may end the line here.
            None => (std::str::from_utf8(rest).ok()?.to_owned(), &[][..]),
        };
        let path = path.trim_ascii_start();
        let deleted = path.ends_with(DELETED);
        let path = path.strip_suffix(DELETED).unwrap_or(path);
        let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
        let (start, end) = (hex(start)?, hex(end)?);
        (start < end).then_some(Self {
            start,
            end,
            executable: access.contains('x'),
            shared: access.ends_with('s'),
            offset: hex(offset)?,
            device,
            inode: inode.trim().parse().ok()?,
            path: OsString::from_vec(unescaped(path)).into(),
            deleted,
        })
    }

    /// Whether it maps a file.
    pub fn is_of_file(&self) -> bool {
        self.inode != 0 && self.path.as_os_str().as_encoded_bytes().starts_with(b"/")
    }

    /// Whether it maps the same file as another one.
    pub fn is_of_same_file(&self, other: &Self) -> bool {
        self.inode == other.inode && self.device == other.device && self.path == other.path
    }
}

/// Returns a path as it probably is. The kernel writes a newline within a path as `\012`, and a backslash as it is, so `\012` may
/// be either. A path is only a hint.
fn unescaped(path: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&byte, behind)) = rest.split_first() {
        match rest.strip_prefix(b"\\012") {
            Some(behind) => {
                plain.push(b'\n');
                rest = behind;
            }
            None => {
                plain.push(byte);
                rest = behind;
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_sort() {
        let maps = b"00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/two words\n\
                     7f00-7f10 rw-p 00000000 00:00 0 \n\
                     7f20-7f30 r-xp 00000000 00:00 0                  [vdso]\n\
                     not a line\n\
                     7f40-7f50 r-xs 00000000 00:01 77      /memfd:code (deleted)\n";
        let all = Mapping::all(maps);
        assert_eq!(all.len(), 4);
        assert_eq!(all[0].path, PathBuf::from("/usr/bin/two words"));
        assert_eq!(
            (all[0].offset, all[0].inode, all[0].executable),
            (0x1000, 173_521, true)
        );
        assert!(all[0].is_of_file() && !all[1].is_of_file() && !all[2].is_of_file());
        assert!(all[3].shared && !all[1].shared);
        assert!(all[3].deleted && all[3].path.as_os_str() == "/memfd:code");
    }

    #[test]
    fn what_ends_before_it_begins_is_no_mapping() {
        let maps =
            b"7f10-7f00 r-xp 00000000 fe:00 18500      /usr/bin/a\n7f00-7f00 r-xp 0 0:0 1 /a\n";
        assert_eq!(Mapping::all(maps), []);
    }

    proptest::proptest! {
        #[test]
        fn no_line_makes_it_fail(maps in proptest::collection::vec(0_u8.., 0..300)) {
            Mapping::all(&maps);
        }
    }
}
