//! Where alerts go, and how many of them.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use super::sentence::sentence;
use locktoll_results::profile::Alert;
use locktoll_sources::alerts::Rule;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::output;
use locktoll_terminal::quantity::{count, counted};

/// The most alerts that are printed in a second. Further ones are counted.
const PRINTED_PER_SECOND: usize = 10;
/// The most alerts that are kept in the profile.
const KEPT: usize = 10_000;

/// Where alerts go while the program runs.
pub struct Alarm<'a> {
    /// What is too long.
    pub rules: &'a [Rule],
    /// The file of JSON lines; `None` for standard error.
    pub file: Option<File>,
}

impl<'a> Alarm<'a> {
    /// Opens the file, before anything is started.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it cannot be written.
    pub fn prepare(rules: &'a [Rule], file: Option<&Path>) -> Result<Self, Failure> {
        let open = |path: &Path| {
            File::create(path).map_err(|error| {
                let path = locktoll_terminal::escape::shown(path.as_os_str());
                Failure::Usage(format!(
                    "--alert-file {path} cannot be written: {error}; give a file in a folder that exists and that you may write to"
                ))
            })
        };
        Ok(Self {
            rules,
            file: file.map(open).transpose()?,
        })
    }
}

/// Passes alerts on, to the file or to standard error, and keeps them for the profile.
pub struct Delivery<K> {
    file: Option<File>,
    printed: Printed,
    kept: Vec<K>,
    /// The word for the result that has the alerts: the recording, or the profile.
    keeper: &'static str,
}

impl<K> Delivery<K> {
    /// Begins to deliver to `file`, or to standard error. `keeper` is the word for the result that has the alerts.
    pub fn begin(file: Option<File>, keeper: &'static str) -> Self {
        Self {
            file,
            printed: Printed::new(Instant::now()),
            kept: Vec::new(),
            keeper,
        }
    }

    /// Delivers an alert. `kept` is what is kept of it.
    pub fn put(&mut self, alert: &Alert, kept: K) {
        match &mut self.file {
            Some(file) => {
                let line = serde_json::to_string(alert).unwrap_or_default();
                // A disk that is full does not end the program.
                if let Err(error) = writeln!(file, "{line}") {
                    say(&format!("an alert could not be written: {error}"));
                    self.file = None;
                }
            }
            None => {
                let now = Instant::now();
                if let Some(left_out) = self.printed.begins_second(now) {
                    self.say_more(left_out);
                }
                if self.printed.may_print() {
                    say(&sentence(alert));
                }
            }
        }
        if self.kept.len() < KEPT {
            self.kept.push(kept);
            if self.kept.len() == KEPT {
                say(&format!(
                    "alert: the {} keeps the first {} alerts; further ones are only {}",
                    self.keeper,
                    count(KEPT as u64),
                    match &self.file {
                        Some(_) => "written to the file",
                        None => "printed",
                    }
                ));
            }
        }
    }

    /// Ends the delivery. Returns what was kept.
    pub fn end(mut self) -> Vec<K> {
        let left_out = std::mem::take(&mut self.printed.left_out);
        self.say_more(left_out);
        self.kept
    }

    fn say_more(&self, left_out: u64) {
        if left_out == 0 {
            return;
        }
        let more = counted(left_out, "more alert", "more alerts");
        say(&match self.kept.len() < KEPT {
            true => format!("alert: {more}; the {} has them", self.keeper),
            false => format!("alert: {more}, not all of which are kept"),
        });
    }
}

fn say(text: &str) {
    output::say(&format!("locktoll: {text}"));
}

/// Bounds how much is printed.
struct Printed {
    second: Instant,
    in_second: usize,
    left_out: u64,
}

impl Printed {
    fn new(now: Instant) -> Self {
        Self {
            second: now,
            in_second: 0,
            left_out: 0,
        }
    }

    /// Begins another second if the last one is over. Returns how many alerts the last one left out.
    fn begins_second(&mut self, now: Instant) -> Option<u64> {
        if now.duration_since(self.second) < Duration::from_secs(1) {
            return None;
        }
        (self.second, self.in_second) = (now, 0);
        Some(std::mem::take(&mut self.left_out))
    }

    fn may_print(&mut self) -> bool {
        self.in_second += 1;
        if self.in_second > PRINTED_PER_SECOND {
            self.left_out += 1;
            return false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_ten_lines_in_a_second_are_printed() {
        let began = Instant::now();
        let mut printed = Printed::new(began);
        let count = (0..100).filter(|_| printed.may_print()).count();
        assert_eq!((count, printed.left_out), (10, 90));
        assert_eq!(printed.begins_second(began), None);
        let later = began + Duration::from_secs(1);
        assert_eq!(printed.begins_second(later), Some(90));
        assert!(printed.may_print());
    }
}
