//! Runs the program.

use std::io::Error;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Two runs at once would share the processors, and what one starts would be taken for the other's.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The program, to be started.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_locktoll"))
}

/// Does something while no other test runs the program.
pub fn alone<T>(what: impl FnOnce() -> T) -> T {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    what()
}

/// ERROR_INTERNAL_ERROR, with which Wine now and then fails to start any process at all, and starts the same one a moment later.
const NOT_STARTED: i32 = 1359;

/// How often starting is tried.
const ATTEMPTS: u32 = 3;

/// Runs it to its end.
pub fn locktoll(words: &[&str]) -> Output {
    alone(|| {
        let mut attempt = 1;
        loop {
            let output = program().args(words).output();
            let is_wines = |error: &Error| error.raw_os_error() == Some(NOT_STARTED);
            if attempt < ATTEMPTS && output.as_ref().is_err_and(is_wines) {
                attempt += 1;
                continue;
            }
            return output.expect("the program was built");
        }
    })
}

/// What it printed, if it did what was asked.
pub fn printed(words: &[&str]) -> String {
    let output = locktoll(words);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{words:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// A quick bench as JSON.
pub fn bench(words: &[&str]) -> Value {
    let quick = ["bench", "--json", "--repeat=1"];
    parsed(&printed(&[&quick[..], words].concat()))
}

/// One JSON document and nothing else.
pub fn parsed(document: &str) -> Value {
    serde_json::from_str(document).unwrap_or_else(|error| panic!("{error}: {document}"))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// It ended with this code and one line, and printed nothing.
pub fn is_refused(words: &[&str], code: i32, expected: &str) {
    let output = locktoll(words);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{words:?}: {errors}");
    assert!(errors.contains(expected), "{words:?}: {errors}");
    assert!(output.stdout.is_empty(), "{words:?}");
}

/// What plays Windows where these tests run; `None` on Windows.
pub fn stand_in() -> Option<String> {
    let doctor = parsed(&printed(&["doctor", "--json"]));
    doctor["machine"]["stand_in"].as_str().map(str::to_owned)
}

/// A text begins with what plays Windows, and with nothing of the kind on Windows.
pub fn is_labelled(page: &str) {
    match stand_in() {
        Some(name) => assert!(
            page.lines().next().is_some_and(|line| line.contains(&name)),
            "{page}"
        ),
        None => assert!(!page.contains("***"), "{page}"),
    }
}
