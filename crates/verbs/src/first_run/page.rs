//! The text of a first run.

use std::fmt::{self, Write};

use anstyle::{AnsiColor, Effects, Style};

use super::suggestion::{Suggestion, Suggestions};
use locktoll_terminal::fold;

const STRONG: Style = Style::new().effects(Effects::BOLD);
const HALF: Style = AnsiColor::Yellow.on_default();

/// Fewer characters than this next to a command are no column.
const LEAST: usize = 30;

/// Returns the whole text, in lines of `width` characters.
pub fn text(chosen: &Suggestions, about: &str, width: usize) -> String {
    let mut page = String::new();
    write(&mut page, chosen, about, width).expect("a string accepts text");
    page
}

fn write(page: &mut String, chosen: &Suggestions, about: &str, width: usize) -> fmt::Result {
    fold::write(page, "", &format!("locktoll {about}."), width)?;
    writeln!(page)?;
    let heading = "The most useful commands on this machine, as this user:";
    for line in fold::lines("", heading, width) {
        writeln!(page, "{STRONG}{line}{STRONG:#}")?;
    }
    let widest = chosen.commands.iter().map(|it| it.command.len()).max();
    let column = "  locktoll ".len() + widest.unwrap_or(0) + 2;
    for suggestion in &chosen.commands {
        one(page, suggestion, column, width)?;
    }
    writeln!(page)?;
    if !chosen.refused.is_empty() {
        let verbs: Vec<&str> = chosen.refused.iter().map(|verb| verb.words()).collect();
        let (does, them) = match verbs.len() {
            1 => ("does", "it"),
            _ => ("do", "them"),
        };
        let text = format!(
            "{} {does} not work here: `locktoll doctor` says why, and what would allow {them}.",
            listed(&verbs)
        );
        fold::write(page, "", &text, width)?;
    }
    let doctor = match chosen.refused.is_empty() {
        true => "`locktoll doctor` checks what works here. ",
        false => "",
    };
    let rest = "`locktoll -h` lists all verbs, `locktoll VERB -h` the flags of one.";
    fold::write(page, "", &format!("{doctor}{rest}"), width)
}

fn one(page: &mut String, suggestion: &Suggestion, column: usize, width: usize) -> fmt::Result {
    let command = format!("  locktoll {}", suggestion.command);
    let (lead, below) = match width >= column + LEAST {
        true => (format!("{command:column$}"), " ".repeat(column)),
        false => {
            writeln!(page, "{command}")?;
            ("      ".to_owned(), "      ".to_owned())
        }
    };
    fold::write(page, &lead, suggestion.why, width)?;
    if suggestion.lost.is_empty() {
        return Ok(());
    }
    let lost = format!("here without: {}", suggestion.lost.join(", "));
    for line in fold::lines(&below, &lost, width) {
        let words = line.trim_start();
        writeln!(page, "{below}{HALF}{words}{HALF:#}")?;
    }
    Ok(())
}

/// Returns `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::super::suggestion::suggestions;
    use super::*;
    use crate::diagnosis::{Reading, examine, made_up};

    fn plain(reading: &Reading, width: usize) -> String {
        let chosen = suggestions(&examine(reading, None));
        let page = text(&chosen, "measures what locks cost", width);
        anstream::adapter::strip_str(&page).to_string()
    }

    #[test]
    fn a_first_run_on_three_systems_at_three_widths() {
        let mut all = String::new();
        for width in [40, 80, 200] {
            for (name, reading) in made_up::all().into_iter().take(3) {
                let page = plain(&reading, width);
                let long = page.lines().find(|line| line.chars().count() > width);
                assert_eq!(long, None, "{name} at {width}");
                all.push_str(&format!("==== {name}, {width} columns\n{page}\n"));
            }
        }
        insta::assert_snapshot!(all);
    }
}
