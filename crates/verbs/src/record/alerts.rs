//! The watchdog: alerts while a lock is held or waited for too long.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::notices;
use crate::arguments::time_of;
use locktoll_results::profile::{Alert, AlertKind, AlertThread, described};
use locktoll_sources::alerts::{Event, Names, Rule, Watch};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::quantity::{counted, duration};

/// The most alerts that are printed in a second. Further ones are counted, and kept in the recording.
const PRINTED_PER_SECOND: usize = 10;
/// The most alerts that are kept in the recording.
const KEPT: usize = 10_000;
/// How often the watcher checks whether the program has ended.
const GLANCE: Duration = Duration::from_millis(5);

/// Reads an alert's condition: `hold>100ms`, `wait>1s`.
pub fn parse_rule(text: &str) -> Result<Rule, String> {
    const ACCEPTED: &str = "hold or wait, > and a time with a unit, such as hold>100ms or wait>1s";
    let (word, time) = text
        .split_once('>')
        .ok_or_else(|| format!("'{text}' is not a condition; accepted: {ACCEPTED}"))?;
    let kind = match word.trim() {
        "hold" => AlertKind::Hold,
        "wait" => AlertKind::Wait,
        other => return Err(format!("'{other}' is not known; accepted: {ACCEPTED}")),
    };
    let longer_than_ns = time_of(time, ACCEPTED)?;
    if longer_than_ns == 0 {
        return Err(format!(
            "a time of zero would report everything; accepted: {ACCEPTED}"
        ));
    }
    Ok(Rule {
        kind,
        longer_than_ns,
    })
}

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

    /// Watches until `has_ended`. Returns all alerts. Another thread looks names up, so no hold is missed in the meantime.
    pub fn watch(mut self, parts: &Path, has_ended: &AtomicBool) -> Vec<Alert> {
        let (events, received) = mpsc::channel();
        let mut watch = Watch::new(parts, self.rules);
        thread::scope(|scope| {
            scope.spawn(move || look_until(has_ended, &mut watch, &events));
            let (mut names, mut printed, mut kept) = (Names::default(), Printed::new(), Vec::new());
            for event in received {
                for alert in names.alerts(&event) {
                    self.put(&alert, &mut printed);
                    if kept.len() < KEPT {
                        kept.push(alert);
                    }
                }
            }
            printed.say_rest();
            kept
        })
    }

    fn put(&mut self, alert: &Alert, printed: &mut Printed) {
        match &mut self.file {
            Some(file) => {
                let line = serde_json::to_string(alert).unwrap_or_default();
                // A disk that is full does not end the program.
                if let Err(error) = writeln!(file, "{line}") {
                    notices::warn(&format!("an alert could not be written: {error}"));
                    self.file = None;
                }
            }
            None if printed.may_print() => notices::warn(&sentence(alert)),
            None => {}
        }
    }
}

/// Looks at the processes when it is time, and sends what is seen.
fn look_until(has_ended: &AtomicBool, watch: &mut Watch, events: &mpsc::Sender<Event>) {
    loop {
        let (seen, next_ns) = watch.look();
        let due = Instant::now() + Duration::from_nanos(next_ns);
        for event in seen {
            // The receiver is there until this thread ends.
            let _ = events.send(event);
        }
        loop {
            // Relaxed: nothing else is passed on with it.
            if has_ended.load(Relaxed) {
                return;
            }
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(GLANCE));
        }
    }
}

/// Bounds how much is printed.
struct Printed {
    second: Instant,
    in_second: usize,
    left_out: u64,
}

impl Printed {
    fn new() -> Self {
        Self {
            second: Instant::now(),
            in_second: 0,
            left_out: 0,
        }
    }

    fn may_print(&mut self) -> bool {
        if self.second.elapsed() >= Duration::from_secs(1) {
            self.say_rest();
            (self.second, self.in_second) = (Instant::now(), 0);
        }
        self.in_second += 1;
        if self.in_second > PRINTED_PER_SECOND {
            self.left_out += 1;
            return false;
        }
        true
    }

    fn say_rest(&mut self) {
        if self.left_out > 0 {
            let more = counted(self.left_out, "more alert", "more alerts");
            notices::warn(&format!("alert: {more}; the recording has them"));
            self.left_out = 0;
        }
    }
}

/// Describes an alert in one line.
fn sentence(alert: &Alert) -> String {
    let lasted = duration(alert.ns as f64);
    let name = shown_text(&alert.name);
    let at = |thread: &AlertThread, verb: &str| {
        let site = thread.site.as_ref().map(described);
        let site = site.map_or_else(String::new, |site| {
            format!(", {verb} {}", shown_text(&site))
        });
        format!("thread {}{site}", thread.tid)
    };
    let holder = alert
        .holder
        .as_ref()
        .map(|it| at(it, "which acquired it in"));
    let waiters = match alert.waiters {
        0 => "no thread waits for it".to_owned(),
        1 => "1 thread waits for it".to_owned(),
        many => format!("{many} threads wait for it"),
    };
    let waiter = alert.waiter.as_ref().map(|it| at(it, "in"));
    match alert.kind {
        AlertKind::Hold => {
            let holder = holder.unwrap_or_else(|| "an unknown thread".to_owned());
            let waiter = waiter.map_or_else(String::new, |it| format!(", longest {it}"));
            format!("alert: {name} has been held for {lasted} by {holder}; {waiters}{waiter}")
        }
        AlertKind::Wait => {
            let waiter = waiter.unwrap_or_else(|| "a thread".to_owned());
            let holder = holder.unwrap_or_else(|| "an unknown thread".to_owned());
            format!(
                "alert: a thread has waited for {name} for {lasted}: {waiter}; the lock is held by {holder}; {waiters}"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_a_word_and_a_time() {
        let hold = parse_rule("hold>100ms").unwrap();
        assert_eq!(
            (hold.kind, hold.longer_than_ns),
            (AlertKind::Hold, 100_000_000)
        );
        let wait = parse_rule("wait > 1s").unwrap();
        assert_eq!(
            (wait.kind, wait.longer_than_ns),
            (AlertKind::Wait, 1_000_000_000)
        );
        for wrong in [
            "hold>5", "sleep>1s", "hold>0", "hold>0ms", "hold", "hold<1s", "hold>-1s", "",
        ] {
            let refusal = parse_rule(wrong).unwrap_err();
            assert!(refusal.contains("hold>100ms"), "{wrong}: {refusal}");
        }
    }

    #[test]
    fn no_more_than_ten_lines_in_a_second_are_printed() {
        let mut printed = Printed::new();
        let count = (0..100).filter(|_| printed.may_print()).count();
        assert_eq!((count, printed.left_out), (10, 90));
    }
}
