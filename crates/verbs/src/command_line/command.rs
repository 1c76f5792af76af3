//! The program as clap parses it, with its help laid out: examples come first.

use clap::{Arg, Command, CommandFactory};

use super::help_text::{HelpText, folded};
use super::verb::Cli;
use locktoll_terminal::width::line_width;

/// Longest line of help; longer lines are hard to follow.
const MOST: usize = 100;

/// Headings of flags that are many and that few readers want: `--help` lists them, `-h` does not.
const RARE: [&str; 2] = ["Parameters", "Surroundings"];

/// Usage, then examples, then flags, then everything else.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// Returns the program, with help in lines as wide as the terminal.
pub fn command() -> Command {
    command_within(line_width().min(MOST))
}

/// Returns the same with lines of `width` characters.
pub fn command_within(width: usize) -> Command {
    let whole = Cli::command();
    let text = whole
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    whole
        .term_width(width)
        .after_help(folded(&text, width))
        .mut_subcommands(|verb| laid_out(verb, width))
}

fn laid_out(verb: Command, width: usize) -> Command {
    let text = text_of(&verb);
    let rare = verb.get_arguments().filter(|flag| is_rare(flag)).count();
    let more = match (rare, text.rest.is_empty()) {
        (0, true) => String::new(),
        (0, false) => format!("More: locktoll {} --help", verb.get_name()),
        (flags, _) => format!(
            "More, and {flags} further flags: locktoll {} --help",
            verb.get_name()
        ),
    };
    let verb = verb
        .term_width(width)
        .help_template(TEMPLATE)
        .after_help(folded(&more, width))
        .mut_args(|flag| {
            // A number below zero is a wrong value, not an unknown flag. The words after a program belong to the program.
            let takes_a_value = flag.get_action().takes_values() && !flag.is_trailing_var_arg_set();
            let is_rare = is_rare(&flag);
            flag.allow_negative_numbers(takes_a_value)
                .hide_short_help(is_rare)
        });
    let verb = match text.examples.is_empty() {
        true => verb,
        false => verb.before_help(folded(&text.examples, width)),
    };
    verb.after_long_help(folded(&text.rest, width))
}

/// Returns the verb's text as written next to its flags.
pub fn text_of(verb: &Command) -> HelpText {
    let text = verb.get_after_help().map(ToString::to_string);
    HelpText::of(&text.unwrap_or_default())
}

fn is_rare(flag: &Arg) -> bool {
    flag.get_help_heading()
        .is_some_and(|heading| RARE.contains(&heading))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the help of every verb, short and long, in lines of `width` characters.
    fn helps(width: usize) -> Vec<(String, String)> {
        let verbs: Vec<String> = command_within(width)
            .get_subcommands()
            .map(|verb| verb.get_name().to_owned())
            .collect();
        let mut all = Vec::new();
        for verb in verbs {
            for flag in ["-h", "--help"] {
                let words = ["locktoll", verb.as_str(), flag];
                let help = command_within(width)
                    .try_get_matches_from(words)
                    .unwrap_err();
                all.push((format!("{verb} {flag}"), help.render().to_string()));
            }
        }
        all
    }

    #[test]
    fn help_fits_forty_eighty_and_a_hundred_and_twenty_columns() {
        for width in [40, 80, 120] {
            for (name, help) in helps(width) {
                // A longer word is on its own line, and a usage is on one line, so that both can be copied.
                let long = help.lines().find(|line| {
                    let usage = line.trim_start().starts_with("Usage:")
                        || line.trim_start().starts_with("locktoll ");
                    line.chars().count() > width
                        && line.trim().contains(char::is_whitespace)
                        && !usage
                });
                assert_eq!(long, None, "{name} at {width}");
            }
        }
    }

    #[test]
    fn examples_come_before_the_flags() {
        for (name, help) in helps(100) {
            let (examples, flags) = (help.find("EXAMPLES"), help.find("Options:"));
            assert!(examples.is_some() && examples < flags, "{name}: {help}");
        }
    }

    #[test]
    fn the_short_help_is_shorter_where_there_is_more_to_know() {
        let of = |name: &str| helps(100).into_iter().find(|it| it.0 == name).unwrap().1;
        for verb in ["bench", "record", "compare", "report"] {
            if command_within(100).find_subcommand(verb).is_none() {
                continue;
            }
            let (short, long) = (of(&format!("{verb} -h")), of(&format!("{verb} --help")));
            assert!(short.lines().count() + 10 < long.lines().count(), "{verb}");
            assert!(
                short.contains(&format!("locktoll {verb} --help")),
                "{short}"
            );
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn help_as_it_is_read() {
        let of = |width, name: &str| helps(width).into_iter().find(|it| it.0 == name).unwrap().1;
        insta::assert_snapshot!(format!(
            "{}\n==== 40 columns\n{}\n==== long\n{}",
            of(80, "record -h"),
            of(40, "doctor -h"),
            of(80, "kernel --help")
        ));
    }
}
