//! Names of generated code, from the file that just-in-time compilers write for perf, `/tmp/perf-PID.map`.
//!
//! The process may belong to another user, and the file to yet another. As in perf, a file that belongs neither to the process's
//! user nor to root is ignored.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::futexes::process::Subject;
use locktoll_terminal::system::files::open_regular_itself;

/// The limits for the file and for a line in it.
const MOST_BYTES: u64 = 1 << 30;
const MOST_OF_A_LINE: u64 = 64 << 10;
/// How many addresses are given names, at most: each line could name all of them.
const MOST_NAMED: u64 = 1 << 20;
/// The length of the longest name.
const MOST_NAME: usize = 2_000;

/// The contents of the file.
#[derive(Debug, PartialEq, Eq)]
pub enum PerfMap {
    /// Names by the requested addresses.
    Names(BTreeMap<u64, String>),
    /// There is no such file.
    None,
    /// The file belongs to another user, whose id this is, and is therefore not used.
    OfAnother(u32),
}

impl PerfMap {
    /// Looks up the names of these addresses.
    pub fn of(subject: &Subject, addresses: impl IntoIterator<Item = u64>) -> Self {
        let inside = subject
            .root()
            .join(format!("tmp/perf-{}.map", subject.own_pid));
        let outside = PathBuf::from(format!("/tmp/perf-{}.map", subject.pid));
        let mut found = Self::None;
        for path in [inside, outside] {
            // A link is not followed: its owner could choose any file.
            let Ok(file) = open_regular_itself(&path) else {
                continue;
            };
            let owner = file.metadata().map_or(u32::MAX, |it| it.uid());
            if owner != subject.user && owner != 0 {
                found = Self::OfAnother(owner);
                continue;
            }
            return Self::Names(names(BufReader::new(file.take(MOST_BYTES)), addresses));
        }
        found
    }
}

/// Returns the names of generated code of process `pid`. If it has ended, the file must belong to this process's user or to root.
pub fn generated_names(pid: u32, addresses: &[u64]) -> BTreeMap<u64, String> {
    let asked = addresses.iter().copied();
    if let Ok(subject) = Subject::of(pid) {
        return match PerfMap::of(&subject, asked) {
            PerfMap::Names(names) => names,
            PerfMap::None | PerfMap::OfAnother(_) => BTreeMap::new(),
        };
    }
    let Ok(file) = open_regular_itself(&PathBuf::from(format!("/tmp/perf-{pid}.map"))) else {
        return BTreeMap::new();
    };
    let owner = file.metadata().map_or(u32::MAX, |it| it.uid());
    if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        return BTreeMap::new();
    }
    names(BufReader::new(file.take(MOST_BYTES)), asked)
}

/// Reads `START LENGTH NAME` in hexadecimal, line by line. A later line belongs to a later compilation.
pub fn names(
    mut lines: impl BufRead,
    addresses: impl IntoIterator<Item = u64>,
) -> BTreeMap<u64, String> {
    let mut asked: Vec<u64> = addresses.into_iter().collect();
    asked.sort_unstable();
    asked.dedup();
    let mut names = BTreeMap::new();
    let mut line = Vec::new();
    let mut left = MOST_NAMED;
    loop {
        line.clear();
        // The rest of a longer line is read as separate lines.
        let most = lines.by_ref().take(MOST_OF_A_LINE);
        match { most }.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return names,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let mut words = text.trim_end().splitn(3, ' ');
        let mut hex = || u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok();
        let (Some(start), Some(length)) = (hex(), hex()) else {
            continue;
        };
        let Some(name) = words.next() else { continue };
        let first = asked.partition_point(|&address| address < start);
        let inside = asked[first..]
            .iter()
            .take_while(|&&address| address - start < length);
        for &address in inside {
            let Some(less) = left.checked_sub(1) else {
                return names;
            };
            left = less;
            names.insert(address, name.chars().take(MOST_NAME).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_to_name_an_address_is_right() {
        let map =
            "1000 100 first\nnonsense\n0x1000 20 second one\n2000 10\n3000 zz x\n4000 1 third\n";
        let names = names(map.as_bytes(), [0x1010, 0x1050, 0x2001, 0x4001]);
        let names: Vec<(u64, &str)> = names
            .iter()
            .map(|(&at, name)| (at, name.as_str()))
            .collect();
        assert_eq!(names, [(0x1010, "second one"), (0x1050, "first")]);
    }

    #[test]
    fn a_line_without_end_and_lines_that_name_everything_end_the_reading() {
        let mut map = vec![b'7'; 3 << 20];
        map.extend(b"\n1000 20 name\n");
        assert_eq!(names(&map[..], [0x1010]).len(), 1);
        let all: Vec<u64> = (0..1 << 12).collect();
        let map = "0 ffff x\n".repeat(1 << 8) + "0 ffff late\n";
        let names = names(map.as_bytes(), all);
        assert!(names.len() == 1 << 12 && names.values().all(|name| name == "x"));
    }

    #[test]
    fn a_map_is_found_by_the_process_that_wrote_it() {
        let subject = Subject::of(std::process::id()).unwrap();
        let path = format!("/tmp/perf-{}.map", std::process::id());
        std::fs::write(&path, "7000 10 compiled\n").unwrap();
        let found = PerfMap::of(&subject, [0x7001]);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(
            found,
            PerfMap::Names([(0x7001, "compiled".to_owned())].into())
        );
        assert_eq!(PerfMap::of(&subject, [0x7001]), PerfMap::None);
    }

    proptest::proptest! {
        #[test]
        fn no_file_makes_it_fail(map in proptest::collection::vec(0_u8.., 0..200), address: u64) {
            names(&map[..], [address]);
        }
    }
}
