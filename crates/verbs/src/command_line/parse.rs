//! From words to a [`Start`]: clap's findings become one line and an exit code.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use super::command::{command, text_of};
use super::help_text::HelpText;
use super::verb::Cli;
use super::verb::refused;
use crate::arguments::one_line;
use crate::inner::Inner;
use locktoll_terminal::failure::Failure;

/// What the process was started for.
#[derive(Debug)]
pub enum Start {
    /// By a user, with a verb.
    User(Cli),
    /// By the program itself.
    Inner(Inner),
}

/// Parses the command line. Help and version are printed here and end the process with 0.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Start, Failure> {
    let words: Vec<OsString> = words.into_iter().collect();
    if let Some(inner) = Inner::of(words.get(1..).unwrap_or_default()) {
        return Ok(Start::Inner(inner));
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
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
            ErrorKind::MissingRequiredArgument => Failure::Usage(missing(&words, &error)),
            _ => Failure::Usage(one_line(&error.render().to_string())),
        })
}

/// What is missing, how the verb is used, and an example.
fn missing(words: &[OsString], error: &clap::Error) -> String {
    let plain = one_line(&error.render().to_string());
    let command = command();
    let verb = words.get(1).and_then(|word| command.find_subcommand(word));
    let arguments = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(arguments)) => arguments.join(" "),
        _ => return plain,
    };
    let Some(verb) = verb else { return plain };
    let mut text = format!("`locktoll {}` needs {arguments}", verb.get_name());
    let is_flag = arguments.starts_with('-');
    if !is_flag
        && let Some(example) = definition_of(verb.get_name())
            .as_ref()
            .and_then(HelpText::first_example)
    {
        text.push_str(&format!(", as in `{example}`"));
    }
    text.push_str(&format!(
        "; `locktoll {} -h` shows all flags",
        verb.get_name()
    ));
    text
}

/// The text of a verb, as it is written at its flags.
fn definition_of(verb: &str) -> Option<HelpText> {
    Some(text_of(Cli::command().find_subcommand(verb)?))
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
    fn what_is_missing_is_named_with_an_example() {
        let text = usage(&["compare"]);
        assert!(text.contains("as in `locktoll compare "), "{text}");
    }

    #[test]
    fn a_missing_program_is_named_with_an_example() {
        assert_eq!(
            usage(&["record"]),
            "`locktoll record` needs <CMD>..., as in `locktoll record -- ./server --port 8080`; `locktoll record -h` shows all \
             flags"
        );
        for verb in ["attach", "try"] {
            let text = usage(&[verb]);
            assert!(text.contains(&format!("as in `locktoll {verb} ")), "{text}");
        }
    }

    #[test]
    fn a_misspelt_flag_is_told_its_likeness_and_nothing_else() {
        let text = usage(&["record", "--exat", "--", "true"]);
        assert!(
            text.ends_with("'--exat' is not expected here (did you mean '--exact'?)"),
            "{text}"
        );
        let text = usage(&["record", "-x", "--", "true"]);
        assert!(text.ends_with("'-x' is not expected here"), "{text}");
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
