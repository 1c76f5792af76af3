//! What the programs with known answers say of themselves, and how the tests compare times with it.
//!
//! The tests of the library and those of the built binary both include this file.

/// What a program with known answers printed: lines of a word and numbers.
pub struct Answers(String);

impl Answers {
    /// Of a program's standard output.
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
/// there every time. Counts that other processes cannot change are not compared like this: they are right every time.
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
