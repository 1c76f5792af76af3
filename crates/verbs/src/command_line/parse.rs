//! From words to a [`Start`]: clap's findings become one line and an exit code.

use std::ffi::OsString;

use clap::FromArgMatches;
use clap::error::ErrorKind;

use super::command::command;
use super::missing::missing;
use super::verb::Cli;
use super::verb::refused;
use crate::arguments::one_line;
use crate::inner::Inner;
use locktoll_terminal::failure::Failure;

/// The reason why the process was started.
#[derive(Debug)]
pub enum Start {
    /// By a user, with a verb.
    User(Cli),
    /// By a user, without arguments.
    Nothing,
    /// By the program itself.
    Inner(Inner),
}

/// Parses the command line. Help and version are printed here and end the process with 0.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Start, Failure> {
    let words: Vec<OsString> = words.into_iter().collect();
    if let Some(inner) = Inner::of(words.get(1..).unwrap_or_default()) {
        return Ok(Start::Inner(inner));
    }
    if words.len() <= 1 {
        return Ok(Start::Nothing);
    }
    if let Some(failure) = refused(&words) {
        return Err(failure);
    }
    command()
        .try_get_matches_from(&words)
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .map(Start::User)
        .map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => error.exit(),
            ErrorKind::MissingRequiredArgument => Failure::Usage(missing(&words, &error)),
            ErrorKind::UnknownArgument => Failure::Usage(unknown(&words, &error)),
            _ => Failure::Usage(one_line(&error.render().to_string())),
        })
}

/// Returns clap's message in one line. For an unknown word with no similar name, adds where all flags are listed.
fn unknown(words: &[OsString], error: &clap::Error) -> String {
    let line = one_line(&error.render().to_string());
    if line.contains("did you mean") {
        return line;
    }
    let command = command();
    let verb = words.get(1).and_then(|word| command.find_subcommand(word));
    match (verb, line.split_once(" ('")) {
        (Some(verb), _) => format!("{line}; `locktoll {} -h` shows all flags", verb.get_name()),
        // clap names another verb that has the flag.
        (None, Some((line, exists))) => {
            let verb = exists.split(' ').next().unwrap_or_default();
            let flag = line.trim_start_matches("unknown flag ").trim_matches('\'');
            format!("{flag} must come after the verb, as in `locktoll {verb} {flag} ...`")
        }
        (None, None) => format!("{line}; `locktoll -h` lists the verbs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn usage(words: &[&str]) -> String {
        let words = std::iter::once("locktoll").chain(words.iter().copied());
        match parse(words.map(OsString::from)) {
            Err(Failure::Usage(text)) => text,
            other => panic!("expected wrong use, got {other:?}"),
        }
    }

    #[test]
    fn wrong_use_is_one_line_that_names_what_is_accepted() {
        let text = usage(&["report", "x", "--sort", "waits"]);
        assert!(!text.contains('\n'), "{text}");
        assert!(
            text.contains("waits") && text.contains("acquisitions"),
            "{text}"
        );
    }

    #[test]
    fn a_usage_of_several_lines_is_left_out_whole() {
        assert_eq!(
            usage(&["try", "--rounds", "5", "--rounds", "6", "--", "x"]),
            "the argument '--rounds <N>' cannot be used multiple times"
        );
    }

    #[test]
    fn a_misspelt_flag_is_told_its_likeness_and_nothing_else() {
        let text = usage(&["record", "--exat", "--", "true"]);
        assert!(
            text.ends_with("unknown flag '--exat' (did you mean '--exact'?)"),
            "{text}"
        );
        let text = usage(&["record", "-x", "--", "true"]);
        assert_eq!(
            text,
            "unknown flag '-x'; `locktoll record -h` shows all flags"
        );
        let text = usage(&["tour", "x"]);
        assert_eq!(
            text,
            "'x' is not expected here; `locktoll tour -h` shows all flags"
        );
        let text = usage(&["--repeat", "9", "bench"]);
        assert_eq!(
            text,
            "--repeat must come after the verb, as in `locktoll bench --repeat ...`"
        );
    }

    #[test]
    fn flags_behind_a_program_are_its_own() {
        for words in [
            &["locktoll", "record", "-q", "--", "cat", "-q"][..],
            &["locktoll", "record", "-q", "cat", "-q"],
        ] {
            let Ok(Start::User(cli)) = parse(words.iter().map(OsString::from)) else {
                panic!("{words:?} is not taken");
            };
            let shown = format!("{cli:?}");
            assert!(shown.contains(r#"command: ["cat", "-q"]"#), "{shown}");
        }
    }

    proptest! {
        #[test]
        fn any_words_give_a_verb_or_one_line(
            words in proptest::collection::vec(
                prop_oneof![
                    "[a-z]{1,8}",
                    "-{1,2}[a-z-]{1,12}(=[0-9a-z.,x]{0,8})?",
                    "[0-9.,x]{0,12}(ns|us|ms|s)?",
                    "\\PC{0,10}",
                    Just("bench".to_owned()),
                    Just("record".to_owned()),
                    Just("--lock".to_owned()),
                    Just("--threads".to_owned()),
                    Just("--hold".to_owned()),
                    Just("--".to_owned()),
                ],
                0..8,
            ),
        ) {
            let words = std::iter::once("locktoll".to_owned()).chain(words);
            if let Err(error) = command().try_get_matches_from(words) {
                prop_assert!(!one_line(&error.render().to_string()).contains('\n'));
            }
        }
    }

    #[test]
    fn definitions_are_consistent() {
        command().debug_assert();
    }
}
