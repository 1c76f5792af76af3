//! The arguments that a command line lacks, with an example that has them.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use super::command::{command, text_of};
use super::help_text::HelpText;
use super::verb::Cli;
use crate::arguments::one_line;

/// Says what is missing, for the verb or for a flag that needs it, with an example if the help has one.
pub fn missing(words: &[OsString], error: &clap::Error) -> String {
    let command = command();
    let verb = words.get(1).and_then(|word| command.find_subcommand(word));
    let (Some(verb), Some(lacking)) = (verb, lacking(error)) else {
        return one_line(&error.render().to_string());
    };
    let name = verb.get_name();
    let text = definition_of(name);
    let text = text.as_ref();
    let (needs, example) = match flag_in_need(words, verb, &lacking) {
        Some((flag, needed)) => {
            let needed = noun(&needed);
            let example = text.and_then(|text| text.example_with(&[&flag, needed]));
            (format!("{flag} needs {needed}"), example)
        }
        None => {
            let needs = match lacking[..] {
                [ref second] if second == "<B>" => format!("`locktoll {name}` needs a second file"),
                _ => format!("`locktoll {name}` needs {}", lacking.join(" ")),
            };
            let is_flag = lacking.iter().any(|it| it.starts_with('-'));
            let example = text.and_then(HelpText::first_example);
            let example = example.filter(|_| !is_flag);
            (needs, example.map(str::to_owned))
        }
    };
    let example = example.map_or_else(String::new, |it| format!(", as in `{it}`"));
    format!("{needs}{example}; `locktoll {name} -h` shows all flags")
}

/// Returns the arguments that clap misses, as it writes them: `--metric <REGEX>`, `<CMD>...`.
fn lacking(error: &clap::Error) -> Option<Vec<String>> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(arguments)) => Some(arguments.clone()),
        _ => None,
    }
}

/// Returns the flag that needs one of `lacking`, and which one: without this flag, the argument would not be missing. clap knows
/// the flag but does not report it.
fn flag_in_need(
    words: &[OsString],
    verb: &Command,
    lacking: &[String],
) -> Option<(String, String)> {
    let flags = words.iter().enumerate().skip(2);
    for (at, word) in flags.take_while(|(_, word)| *word != "--") {
        let Some(typed) = word.to_str().and_then(|word| word.strip_prefix("--")) else {
            continue;
        };
        let long = typed.split('=').next().unwrap_or(typed);
        let mut flags = verb.get_arguments();
        let Some(flag) = flags.find(|flag| flag.get_long() == Some(long)) else {
            continue;
        };
        let has_value_behind = flag.get_action().takes_values() && long == typed;
        let end = at + 1 + usize::from(has_value_behind);
        let mut others = words.to_vec();
        others.drain(at..end.min(words.len()));
        let still = match command().try_get_matches_from(others) {
            Ok(_) => Vec::new(),
            Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
                self::lacking(&error).unwrap_or_default()
            }
            Err(_) => continue,
        };
        if let Some(needed) = lacking.iter().find(|it| !still.contains(it)) {
            return Some((format!("--{long}"), needed.clone()));
        }
    }
    None
}

/// Returns the name of a missing argument for a message.
fn noun(needed: &str) -> &str {
    match needed {
        "<CMD>..." => "a command",
        flag => flag.split(' ').next().unwrap_or(flag),
    }
}

/// Returns the text of a verb as written next to its flags.
fn definition_of(verb: &str) -> Option<HelpText> {
    Some(text_of(Cli::command().find_subcommand(verb)?))
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;
    use locktoll_terminal::failure::Failure;

    fn usage(words: &[&str]) -> String {
        let words = std::iter::once("locktoll").chain(words.iter().copied());
        match parse(words.map(OsString::from)) {
            Err(Failure::Usage(text)) => text,
            other => panic!("expected wrong use, got {other:?}"),
        }
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

    #[cfg(target_os = "linux")]
    #[test]
    fn the_flag_that_needs_another_is_named_with_an_example_of_both() {
        for words in [
            &["try", "--better", "higher", "--", "x"][..],
            &["try", "--rounds", "3", "--better=higher", "--", "x"],
            &["try", "--better", "higher"],
        ] {
            assert_eq!(
                usage(words),
                "--better needs --metric, as in `locktoll try --metric 'throughput: ([0-9.]+)' --better higher -- ./bench`; \
                 `locktoll try -h` shows all flags"
            );
        }
        assert_eq!(
            usage(&["kernel", "--cycles", "--only"]),
            "--only needs a command, as in `locktoll kernel --only -- make -j8`; `locktoll kernel -h` shows all flags"
        );
        let text = usage(&["try", "--ready", "80", "--", "x"]);
        assert!(
            text.starts_with("--ready needs --load, as in `locktoll try --load 'redis-benchmark ")
                && text.contains("-- redis-server --io-threads 4`"),
            "{text}"
        );
        assert_eq!(
            usage(&["record", "--max-entries", "64", "--", "x"]),
            "--max-entries needs --preemption; `locktoll record -h` shows all flags"
        );
    }
}
