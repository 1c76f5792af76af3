//! The CPU time that the control groups of the process allow it (cgroups(7), version 2, `cpu.max`).

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, read};

/// The usual mount point of version 2 in all distributions.
const ROOT: &[u8] = b"/sys/fs/cgroup";
/// Groups with longer names are not looked at.
const LONGEST: usize = 512;

/// Whether the process may use more than one processor's time. A file that cannot be read imposes no limit.
pub(super) fn allows_two() -> bool {
    let mut groups = [0; LONGEST];
    let Ok(length) = contents(b"/proc/self/cgroup", &mut groups) else {
        return true;
    };
    let Some(group) = group_of(&groups[..length]) else {
        return true;
    };
    // The tightest limit of the group and of all groups above it counts.
    let mut end = group.len();
    loop {
        if !group_allows_two(&group[..end]) {
            return false;
        }
        match group[..end].iter().rposition(|&byte| byte == b'/') {
            Some(slash) => end = slash,
            None => return true,
        }
    }
}

/// Finds the line of version 2 in `/proc/self/cgroup`, `0::/the/group`, and returns the group's name without a slash at the
/// end.
fn group_of(groups: &[u8]) -> Option<&[u8]> {
    let line = groups
        .split(|&byte| byte == b'\n')
        .find(|line| line.starts_with(b"0::/"))?;
    let name = &line[3..];
    Some(name.strip_suffix(b"/").unwrap_or(name))
}

fn group_allows_two(group: &[u8]) -> bool {
    let mut path = [0; LONGEST + 32];
    let mut length = 0;
    for part in [ROOT, group, b"/cpu.max"] {
        path[length..length + part.len()].copy_from_slice(part);
        length += part.len();
    }
    let mut said = [0; 64];
    contents(&path[..length], &mut said).map_or(true, |length| line_allows_two(&said[..length]))
}

/// Parses `max 100000`, or a quota and its period: `150000 100000` is one and a half processors.
fn line_allows_two(line: &[u8]) -> bool {
    let Ok(line) = core::str::from_utf8(line) else {
        return true;
    };
    let mut words = line.split_ascii_whitespace();
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
    match (number(), number()) {
        (Some(quota), Some(period)) => quota > period,
        _ => true,
    }
}

/// Reads a small file to its end.
fn contents(path: &[u8], into: &mut [u8]) -> Result<usize, Errno> {
    let file = openat(CWD, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut length = 0;
    while length < into.len() {
        match read(&file, &mut into[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_that_of_version_2() {
        assert_eq!(group_of(b"1:cpu:/a\n0::/b/c\n"), Some(&b"/b/c"[..]));
        assert_eq!(group_of(b"0::/\n"), Some(&b""[..]));
        assert_eq!(group_of(b"4:memory:/a\n"), None);
        assert_eq!(group_of(b""), None);
    }

    #[test]
    fn a_quota_of_one_processor_or_less_is_one() {
        for (line, allows) in [
            ("max 100000\n", true),
            ("100000 100000\n", false),
            ("50000 100000\n", false),
            ("100001 100000\n", true),
            ("", true),
            ("nonsense", true),
        ] {
            assert_eq!(line_allows_two(line.as_bytes()), allows, "{line}");
        }
        assert!(line_allows_two(&[0xff]));
    }

    #[test]
    fn files_that_are_not_there_forbid_nothing() {
        assert!(contents(b"/proc/self/no-such-file", &mut [0; 8]).is_err());
        assert!(group_allows_two(b"/no/such/group"));
    }
}
