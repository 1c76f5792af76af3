//! The common behaviour of every verb that measures.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// Wrong words got one line that says what is accepted, and nothing was measured.
pub fn is_refused(output: &Output, words: &[&str], expected: &str) {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{words:?}: {errors}");
    assert!(errors.contains(expected), "{words:?}: {errors}");
    assert!(output.stdout.is_empty(), "{words:?}");
}

/// Interrupts a run after `since`; gives the page of what there was by then.
pub fn interrupted(words: &[&str], since: Duration) -> String {
    let child = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(since);
    // SAFETY: the child has not been waited for, so its number is still its own.
    assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
    let asked = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(10));
    let (page, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(page.contains("PARTIAL"), "{page}");
    assert!(errors.contains("partial"), "{errors}");
    page
}
