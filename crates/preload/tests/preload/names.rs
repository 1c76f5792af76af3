//! The program's own names for what the recording has addresses of, and what the program said of itself.

use std::path::Path;
use std::process::Command;

use locktoll_recording::reader::Part;

/// Symbols of a program, by address.
pub struct Names {
    program: String,
    symbols: Vec<(u64, String)>,
}

impl Names {
    /// Of a program that is not stripped.
    pub fn of(program: &Path) -> Self {
        let output = Command::new("nm")
            .args(["--defined-only", "--numeric-sort"])
            .arg(program)
            .output()
            .expect("nm comes with the compiler");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("names are text");
        let symbol = |line: &str| {
            let mut words = line.split_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            Some((address, words.nth(1)?.to_owned()))
        };
        Self {
            program: program.file_name().unwrap().to_str().unwrap().to_owned(),
            symbols: text.lines().filter_map(symbol).collect(),
        }
    }

    /// The symbol that an address of the process belongs to; `None` outside the program's file.
    pub fn symbol(&self, part: &Part, address: u64) -> Option<&str> {
        let (module, address) = part.elf_address(address)?;
        if !module.path.ends_with(&self.program) {
            return None;
        }
        let after = self.symbols.partition_point(|&(start, _)| start <= address);
        Some(&self.symbols[..after].last()?.1)
    }

    /// The function that a call site lies in.
    pub fn function(&self, part: &Part, site: Option<usize>) -> Option<&str> {
        // The byte before: the address is that of the instruction after the call, which may be another function's first.
        self.symbol(part, part.sites[site?].address - 1)
    }
}

/// What a program with known answers printed: lines of a word and numbers.
pub struct Answers(String);

impl Answers {
    pub fn of(stdout: &[u8]) -> Self {
        Self(String::from_utf8(stdout.to_vec()).expect("answers are text"))
    }

    /// The numbers after `word`.
    pub fn numbers(&self, word: &str) -> Vec<f64> {
        let mut lines = self.0.lines().map(str::split_whitespace);
        let found = lines.find_map(|mut line| (line.next() == Some(word)).then_some(line));
        let numbers = found.unwrap_or_else(|| panic!("no {word} in {}", self.0));
        numbers.map(|number| number.parse().unwrap()).collect()
    }

    /// The one number after `word`.
    pub fn number(&self, word: &str) -> f64 {
        let numbers = self.numbers(word);
        assert_eq!(numbers.len(), 1, "{word}");
        numbers[0]
    }
}

/// Comparisons of times in one run.
#[derive(Default)]
pub struct Times(Vec<String>);

impl Times {
    /// `found` lies between `low` and `high`, give or take 2 in 100.
    pub fn between(&mut self, what: &str, found: f64, low: f64, high: f64) {
        if found < 0.98 * low || found > 1.02 * high {
            self.0
                .push(format!("{what}: {found} is not between {low} and {high}"));
        }
    }

    /// What was not as it should be.
    pub fn wrong(&self) -> &[String] {
        &self.0
    }

    /// `is_right`, or else `what` is wrong.
    pub fn check(&mut self, is_right: bool, what: impl FnOnce() -> String) {
        if !is_right {
            self.0.push(what());
        }
    }
}

/// Runs something whose times are compared until they are right, at most five times.
///
/// Another process may get the processor just between the program's look at the clock and ours. An error of ours would be
/// there every time. Counts are not compared like this: they are right every time.
#[track_caller]
pub fn undisturbed(mut run: impl FnMut(&mut Times)) {
    let mut wrong = Times::default();
    for _ in 0..5 {
        wrong.0.clear();
        run(&mut wrong);
        if wrong.0.is_empty() {
            return;
        }
    }
    panic!("{}", wrong.0.join("\n"));
}
