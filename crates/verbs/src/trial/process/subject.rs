//! The program and how to run it: read from the command line and checked.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use super::{Input, Pattern, Ready, child};

/// The program to run.
pub struct Subject {
    /// The program as the user called it, and its arguments.
    pub command: Vec<OsString>,
    /// The file to execute.
    pub program: PathBuf,
    /// The program's standard input.
    pub input: Input,
    /// The load that drives the program, if it is a server.
    pub load: Option<Load>,
    /// The expression that finds the metric in the output of the load or, without a load, of the program; `None` to compare wall
    /// time.
    pub metric: Option<Pattern>,
}

/// The load that drives a server.
pub struct Load {
    /// A command for `sh -c`.
    pub command: String,
    /// The condition on which the server is ready for it.
    pub ready: Ready,
}

impl Subject {
    /// Returns the program's command.
    pub fn program(&self) -> Command {
        child::command(&self.program, &self.command)
    }

    /// Returns the program's name as the user gave it, for people.
    pub fn name(&self) -> String {
        locktoll_terminal::escape::shown(
            self.command
                .first()
                .map_or("".as_ref(), OsString::as_os_str),
        )
    }
}

impl Load {
    /// Returns the load's command.
    pub fn command(&self) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(&self.command);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_terminal::escape::quoted;
    use proptest::prelude::*;

    proptest! {
        // Each case starts a shell.
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_quoted_word_of_the_load_reaches_its_program_as_it_is(word in "[^\\x00]{0,24}|[ '\"$`\\\\*~!\n-]{0,12}") {
            let load = Load {
                command: format!("printf %s {}", quoted(&word)),
                ready: Ready::Listens,
            };
            let output = load.command().output().unwrap();
            prop_assert!(output.status.success());
            prop_assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
    }
}
