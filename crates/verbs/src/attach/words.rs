//! What is said on standard error.

use std::path::Path;

use locktoll_sources::futexes::{Lives, Subject};
use locktoll_terminal::escape::shown;
use locktoll_terminal::output::say;
use locktoll_terminal::quantity::{counted, duration};

/// What is watched, until when, and how to end it.
pub fn watching(subject: &Subject, lives: &Lives, duration_ns: Option<u64>) {
    let threads = counted(lives.threads().count() as u64, "thread", "threads");
    let until = match duration_ns {
        Some(ns) => format!("for {}", duration(ns as f64)),
        None => "until it ends".to_owned(),
    };
    say(&format!(
        "locktoll: watching process {} ({}, {threads}) {until}; Ctrl-C prints what there is",
        subject.pid, subject.name
    ));
}

/// The process has ended before watching did.
pub fn ended(subject: &Subject) {
    say(&format!(
        "locktoll: process {} ({}) has ended",
        subject.pid, subject.name
    ));
}

/// The process has become another program.
pub fn replaced(subject: &Subject) {
    say(&format!(
        "locktoll: process {} has become another program (execve): this is what was gathered until then",
        subject.pid
    ));
}

/// Where the profile is kept.
pub fn kept(file: &Path) {
    let file = shown(file.as_os_str());
    say(&format!(
        "locktoll: `locktoll report {file}` shows this again"
    ));
}
