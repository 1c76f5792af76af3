//! The expressions of `try` (`--ready`, `--metric`), and the output that they search, which any program may have written.

use crate::arguments::trial::pattern::{Pattern, number};
use crate::arguments::trial::ready::Ready;

/// Takes the first line of `bytes` for the value of each flag, and the rest for what a program wrote.
pub fn exercise(bytes: &[u8]) {
    let line = bytes.iter().position(|&byte| byte == b'\n');
    let (line, output) = bytes.split_at(line.unwrap_or(bytes.len()));
    let text = &*String::from_utf8_lossy(line);
    match Ready::parse(text) {
        Ok(ready) => {
            match &ready {
                Ready::Port(port) => assert_eq!(text.trim_start_matches('0'), port.to_string()),
                Ready::Says(pattern) => {
                    assert_eq!(pattern.text(), text);
                    pattern.matches(output);
                }
                Ready::Listens => panic!("that is what the flag's absence means"),
            }
            is_a_line(&ready.words());
        }
        Err(refusal) => is_a_line(&refusal),
    }
    match Pattern::with_group(text) {
        Ok(pattern) => match pattern.last(output).map(number) {
            Some(Ok(number)) => assert!(number.is_finite() && number > 0.0),
            Some(Err(refusal)) => is_a_line(&refusal),
            None => {}
        },
        Err(refusal) => is_a_line(&refusal),
    }
}

/// That a terminal obeys nothing in it.
fn is_a_line(message: &str) {
    assert!(
        !message.is_empty() && !message.chars().any(char::is_control),
        "{message:?}"
    );
}
