//! What host and guest say to each other over the serial line: one JSON document per line.

use serde::{Deserialize, Serialize};

use crate::reproduce::kernel_run::KernelRound;

/// What the host asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// One round of a build.
    Round {
        /// Its length.
        milliseconds: u64,
        /// Jobs at once.
        jobs: u32,
    },
    /// To switch the guest off.
    End,
}

/// What the guest answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The guest's first words: it watches, and waits for a request.
    Ready {
        /// The kernel's release: `6.1.0-56-cloud-amd64`.
        kernel: String,
    },
    /// The figures of a round.
    Round(KernelRound),
    /// Why the guest can do nothing.
    Refused(String),
}

/// Writes a message as a line.
pub fn line(message: &impl Serialize) -> String {
    // A message has no maps and no numbers that JSON lacks.
    let mut line = serde_json::to_string(message).unwrap_or_default();
    line.push('\n');
    line
}

/// Reads a line; `None` if it is not a message, but something that firmware or the kernel wrote.
pub fn read<'a, T: Deserialize<'a>>(line: &'a str) -> Option<T> {
    serde_json::from_str(line.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_lines_and_anything_else_is_none() {
        let round = Request::Round {
            milliseconds: 500,
            jobs: 4,
        };
        assert_eq!(line(&round).matches('\n').count(), 1);
        assert_eq!(read(&line(&round)), Some(round));
        let answer = Answer::Round(KernelRound {
            log2_cycles: vec![0, 3],
            known_acquisitions: 9,
        });
        assert_eq!(read(&line(&answer)), Some(answer));
        assert_eq!(read::<Answer>("SeaBIOS (version 1.16)\r\n"), None);
    }
}
