//! From a start to the verb that it asks for.

use super::parse::Start;
use super::verb::ABOUT;
use crate::first_run;
use crate::serve::serve;
use locktoll_terminal::failure::Outcome;

/// Does what the process was started for.
pub fn run(start: Start) -> Outcome {
    match start {
        Start::User(cli) => cli.verb.run(),
        Start::Nothing => first_run::run(&predicate(ABOUT)),
        Start::Inner(inner) => serve(inner),
    }
}

/// Returns the sentence about the program as it follows the program's name.
fn predicate(about: &str) -> String {
    let (first, rest) = about.split_at(about.len().min(1));
    first.to_lowercase() + rest
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::command_line::parse;

    #[test]
    fn every_command_of_a_first_run_is_accepted() {
        for command in first_run::commands() {
            let words = command.replace("PID", "1");
            let words = std::iter::once("locktoll").chain(words.split(' '));
            let parsed = parse(words.map(OsString::from));
            assert!(
                matches!(parsed, Ok(Start::User(_))),
                "{command}: {parsed:?}"
            );
        }
    }

    #[test]
    fn no_words_are_a_first_run() {
        for words in [&["locktoll"][..], &[]] {
            let parsed = parse(words.iter().map(OsString::from));
            assert!(matches!(parsed, Ok(Start::Nothing)), "{parsed:?}");
        }
    }
}
