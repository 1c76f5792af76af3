//! The program's own flag for its number of threads, such as `-t {}`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use locktoll_terminal::escape::{shown, shown_text};

/// The place of the number in the flag.
const PLACE: &str = "{}";

/// The flag, found in a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsFlag {
    command: Vec<OsString>,
    /// The word that has the number.
    word: usize,
    /// The bytes of that word before and after the number.
    around: (Vec<u8>, Vec<u8>),
    /// The number in the command.
    pub current: u32,
}

impl ThreadsFlag {
    /// Finds the flag `pattern` in the command.
    ///
    /// # Errors
    /// What is wrong with it, and what is accepted.
    pub fn find(pattern: &str, command: &[OsString]) -> Result<Self, String> {
        let refuse = |why: &str| {
            Err(format!(
                "--threads-flag {}: {why}; accepted: the program's flag with {PLACE} in place of the number, such as '-t {PLACE}', '--threads={PLACE}' \
                 or 'OMP_NUM_THREADS={PLACE}' with `env OMP_NUM_THREADS=4 CMD`",
                shown_text(pattern)
            ))
        };
        let words: Vec<&str> = pattern.split_whitespace().collect();
        if pattern.matches(PLACE).count() != 1 {
            return refuse("it needs {} once");
        }
        let Some(last) = words.iter().position(|it| it.contains(PLACE)) else {
            return refuse("it needs {} once");
        };
        if last + 1 != words.len() {
            return refuse("nothing may follow the number");
        }
        let (before, after) = words[last].split_once(PLACE).unwrap_or_default();
        let found = command
            .windows(words.len())
            .enumerate()
            .skip(1)
            .find_map(|(index, window)| {
                let same = words[..last]
                    .iter()
                    .zip(window)
                    .all(|(word, it)| it == OsStr::new(word));
                let number = window[last]
                    .as_bytes()
                    .strip_prefix(before.as_bytes())?
                    .strip_suffix(after.as_bytes())?;
                let number: u32 = std::str::from_utf8(number).ok()?.parse().ok()?;
                same.then_some((index + last, number))
            });
        match found {
            Some((_, 0)) => refuse("CMD asks for 0 threads"),
            Some((word, current)) => Ok(Self {
                command: command.to_vec(),
                word,
                around: (before.into(), after.into()),
                current,
            }),
            None => {
                let shown: Vec<String> = command.iter().map(|it| shown(it)).collect();
                refuse(&format!(
                    "CMD does not have it with a number ({})",
                    shown.join(" ")
                ))
            }
        }
    }

    /// Returns the command with another number of threads.
    pub fn command(&self, threads: u32) -> Vec<OsString> {
        let mut command = self.command.clone();
        let (before, after) = &self.around;
        let word = [before, threads.to_string().as_bytes(), after].concat();
        command[self.word] = OsString::from_vec(word);
        command
    }

    /// Returns the numbers to run: powers of two up to twice the CPUs, and the current number.
    pub fn numbers(&self, cpus: u32) -> Vec<u32> {
        let powers = (0..12).map(|power| 1 << power).filter(|it| *it <= 2 * cpus);
        let mut numbers: Vec<u32> = powers.chain([self.current, cpus.max(1)]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn command(words: &str) -> Vec<OsString> {
        words.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_number_is_found_and_replaced() {
        for (pattern, words, current, with_3) in [
            ("-t {}", "./a -t 4 x", 4, "./a -t 3 x"),
            ("--threads={}", "./a --threads=16", 16, "./a --threads=3"),
            ("-j{}", "make -j8 -k", 8, "make -j3 -k"),
            ("N={}", "env N=2 ./a 7", 2, "env N=3 ./a 7"),
            ("-t {}", "./a -t x -t 5", 5, "./a -t x -t 3"),
        ] {
            let flag = ThreadsFlag::find(pattern, &command(words)).unwrap();
            assert_eq!(flag.current, current);
            assert_eq!(flag.command(3), command(with_3));
        }
        let flag = ThreadsFlag::find("-t {}", &command("./a -t 6")).unwrap();
        assert_eq!(flag.numbers(2), [1, 2, 4, 6]);
        assert_eq!(flag.numbers(6), [1, 2, 4, 6, 8]);
    }

    #[test]
    fn what_is_not_there_is_refused() {
        for (pattern, words) in [
            ("-t", "./a -t 4"),
            ("", "./a"),
            ("{} {}", "./a 4 4"),
            ("{} x", "./a 4 x"),
            ("-t {}", "./a -n 4"),
            ("-t {}", "./a -t 4.5"),
            ("-t {}", "./a -t"),
            ("-t {}", "-t 4"),
            ("-t {}", "./a -t 0"),
        ] {
            let error = ThreadsFlag::find(pattern, &command(words)).unwrap_err();
            assert!(error.contains("accepted:"), "{pattern} in {words}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_pattern_and_no_command_panics(pattern in ".{0,12}", words in prop::collection::vec(".{0,8}", 0..5)) {
            let command: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            if let Ok(flag) = ThreadsFlag::find(&pattern, &command) {
                prop_assert_eq!(flag.command(flag.current).len(), command.len());
            }
        }
    }
}
