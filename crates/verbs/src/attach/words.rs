//! The messages on standard error.

use std::path::Path;

use super::subjects::Subjects;
use locktoll_results::profile::AlertKind;
use locktoll_sources::alerts::Rule;
use locktoll_sources::futexes::{Processes, Subject};
use locktoll_terminal::escape::word;
use locktoll_terminal::output::say;
use locktoll_terminal::quantity::{counted, duration};

/// Says what is watched, until when, and how to end it.
pub fn watching(subjects: &Subjects, processes: &Processes, duration_ns: Option<u64>) {
    let threads = processes.all().map(|(_, it)| it.lives.threads().count());
    let threads = counted(threads.sum::<usize>() as u64, "thread", "threads");
    let (what, end) = match &subjects.now[..] {
        [only] => (
            format!("process {} ({}, {threads})", only.pid, only.name),
            "it ends",
        ),
        all => (format!("{} processes ({threads})", all.len()), "they end"),
    };
    let children = match (&subjects.cgroup, subjects.children) {
        (Some(_), _) => " and the processes that join the control group,",
        (None, true) if subjects.now.len() == 1 => " and the processes it starts,",
        (None, true) => " and the processes they start,",
        (None, false) => "",
    };
    let until = match duration_ns {
        Some(ns) => format!("for {}", duration(ns as f64)),
        None if subjects.children => "until the last one ends".to_owned(),
        None => format!("until {end}"),
    };
    say(&format!(
        "locktoll: watching {what}{children} {until}; Ctrl-C prints the results so far"
    ));
}

/// Says which holds can be reported, if alerts about holds are wanted.
pub fn holds(rules: &[Rule]) {
    if rules.iter().any(|it| it.kind == AlertKind::Hold) {
        say(
            "locktoll: --alert hold: attach sees holds only of mutexes of the GNU C library, which name their holder; for all other locks, use \
             --alert 'wait>TIME', or `locktoll record`",
        );
    }
}

/// Says that all processes ended before watching did.
pub fn ended(subjects: &Subjects) {
    say(&match &subjects.now[..] {
        [only] if subjects.is_one() => {
            format!("locktoll: process {} ({}) has ended", only.pid, only.name)
        }
        _ => "locktoll: all watched processes have ended".to_owned(),
    });
}

/// Says that the process became another program.
pub fn replaced(subject: &Subject) {
    say(&format!(
        "locktoll: process {} became another program (execve); the results are those up to then",
        subject.pid
    ));
}

/// Says where the profile was saved.
pub fn kept(file: &Path) {
    let file = word(file.as_os_str());
    say(&format!(
        "locktoll: wrote {file}; `locktoll report {file}` shows it again"
    ));
}
