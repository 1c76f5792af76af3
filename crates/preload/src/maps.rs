//! Reads `/proc/self/maps` (proc_pid_maps(5)) line by line, without allocating.

use crate::sys::Fd;

/// One mapped range of memory.
#[derive(Clone, Copy)]
pub struct Mapping<'a> {
    /// The first address.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
    /// `rwxp`, as far as it is needed here.
    pub readable: bool,
    pub writable: bool,
    pub executable: bool,
    /// The offset in the file where the mapping begins.
    pub file_offset: u64,
    /// The inode of the file, or 0 if there is none.
    pub inode: u64,
    /// The file's path, a name such as `[vdso]`, or nothing.
    pub path: &'a [u8],
}

/// Calls `visit` for each line of `maps`. A line longer than `buffer` is skipped.
pub fn for_each(maps: &Fd, buffer: &mut [u8], mut visit: impl FnMut(Mapping<'_>)) {
    let mut filled = 0;
    let mut passing_over = false;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        let Ok(read @ 1..) = maps.read(room) else {
            break;
        };
        filled += read;
        let mut begin = 0;
        while let Some(length) = position(buffer, begin, filled) {
            let line = buffer.get(begin..begin + length).unwrap_or(&[]);
            if !core::mem::take(&mut passing_over)
                && let Some(mapping) = parse(line)
            {
                visit(mapping);
            }
            begin += length + 1;
        }
        if begin == 0 && filled == buffer.len() {
            passing_over = true;
            filled = 0;
        } else {
            buffer.copy_within(begin..filled, 0);
            filled -= begin;
        }
    }
}

/// Returns the distance from `begin` to the next line feed.
fn position(buffer: &[u8], begin: usize, end: usize) -> Option<usize> {
    let mut rest = buffer.get(begin..end)?.iter();
    rest.position(|&byte| byte == b'\n')
}

/// Parses `start-end perms offset device inode path`.
fn parse(line: &[u8]) -> Option<Mapping<'_>> {
    let (start, rest) = hexadecimal(line, b'-')?;
    let (end, rest) = hexadecimal(rest, b' ')?;
    let (permissions, rest) = rest.split_at_checked(4)?;
    let (file_offset, rest) = hexadecimal(rest.get(1..)?, b' ')?;
    let device = rest.iter().position(|&byte| byte == b' ')?;
    let rest = rest.get(device + 1..)?;
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit());
    let (inode, rest) = rest.split_at_checked(digits.unwrap_or(rest.len()))?;
    Some(Mapping {
        start,
        end,
        readable: permissions.first() == Some(&b'r'),
        writable: permissions.get(1) == Some(&b'w'),
        executable: permissions.get(2) == Some(&b'x'),
        file_offset,
        inode: inode.iter().fold(0_u64, |sum, digit| {
            sum.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'))
        }),
        path: rest.trim_ascii_start(),
    })
}

/// Parses a hexadecimal number that ends before `end`. Returns the number and the text after `end`.
fn hexadecimal(text: &[u8], end: u8) -> Option<(u64, &[u8])> {
    let digits = text.iter().position(|&byte| byte == end)?;
    let mut number = 0_u64;
    for &digit in text.get(..digits)? {
        let value = (digit as char).to_digit(16)?;
        number = number.checked_mul(16)? | u64::from(value);
    }
    Some((number, text.get(digits + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart() {
        let line = b"7f0a1000-7f0a3000 r-xp 00002000 fe:01 1234                 /usr/lib/a b.so";
        let mapping = parse(line).unwrap();
        assert_eq!((mapping.start, mapping.end), (0x7f0a_1000, 0x7f0a_3000));
        assert!(mapping.readable && !mapping.writable && mapping.executable);
        assert_eq!((mapping.file_offset, mapping.inode), (0x2000, 1234));
        assert_eq!(mapping.path, b"/usr/lib/a b.so");
    }

    #[test]
    fn anonymous_memory_has_no_path() {
        let mapping = parse(b"1000-2000 rw-p 00000000 00:00 0 ").unwrap();
        assert_eq!((mapping.inode, mapping.path), (0, &b""[..]));
    }

    #[test]
    fn nonsense_is_no_mapping() {
        for line in [
            &b""[..],
            b"-",
            b"1-2",
            b"1-2 rw",
            b"zz-2 rw-p 0 0 0",
            b"1-2 rw-p 0",
        ] {
            assert!(parse(line).is_none());
        }
    }

    #[test]
    fn lines_that_span_reads_come_whole_and_too_long_ones_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("maps");
        let long = "x".repeat(300);
        let text = format!(
            "1000-2000 r-xp 0 0:0 1 /a\n2000-3000 r-xp 0 0:0 1 /{long}\n3000-4000 r-xp 0 0:0 1 /b\n"
        );
        std::fs::write(&path, text).unwrap();
        let path = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
        let mut starts = Vec::new();
        for_each(
            &crate::sys::open(&path, libc::O_RDONLY, 0).unwrap(),
            &mut [0; 64],
            |mapping| starts.push(mapping.start),
        );
        assert_eq!(starts, [0x1000, 0x3000]);
    }
}
