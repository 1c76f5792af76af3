//! `locktoll man [VERB]`: the manual pages, generated from the command-line definitions.

use std::io::Write;

use clap::{Command, CommandFactory};

use super::command::text_of;
use super::help_text::{HelpText, Piece, pieces};
use crate::command_line::verb::Cli;
use locktoll_terminal::failure::{Ending, Failure, Outcome};

/// Prints the manual page of the program or of a verb, in roff, on standard output.
pub fn run(verb: Option<&str>) -> Outcome {
    let page = match verb {
        None => of_program()?,
        Some(verb) => of_verb(verb)?,
    };
    std::io::stdout().write_all(&page)?;
    Ok(Ending::Done)
}

/// Returns the program with its verbs, built so that their full names are known.
fn built() -> Command {
    let mut command = Cli::command();
    command.build();
    command
}

fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    let shown = |verb: &&Command| !verb.is_hide_set() && verb.get_name() != "help";
    command.get_subcommands().filter(shown)
}

fn of_program() -> Result<Vec<u8>, Failure> {
    let command = built();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    writeln!(page, ".SH COMMANDS")?;
    for verb in verbs(&command) {
        let about = verb
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        writeln!(
            page,
            ".TP\n\\fBlocktoll {}\\fR\n{}",
            escaped(verb.get_name()),
            escaped(&about)
        )?;
    }
    man.render_options_section(&mut page)?;
    rest(&mut page, &text_of(&command))?;
    let pages: Vec<String> = verbs(&command)
        .map(|verb| format!("\\fBlocktoll\\-{}\\fR(1)", verb.get_name()))
        .collect();
    writeln!(page, ".SH \"SEE ALSO\"\n{}", pages.join(", "))?;
    Ok(page)
}

fn of_verb(name: &str) -> Result<Vec<u8>, Failure> {
    let command = built();
    let Some(verb) = verbs(&command).find(|verb| verb.get_name() == name) else {
        let names: Vec<&str> = verbs(&command).map(Command::get_name).collect();
        return Err(Failure::Usage(format!(
            "'{}' is not a verb; accepted: {}",
            locktoll_terminal::escape::shown_text(name),
            names.join(", ")
        )));
    };
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(verb.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    rest(&mut page, &text_of(verb))?;
    writeln!(page, ".SH \"SEE ALSO\"\n\\fBlocktoll\\fR(1)")?;
    Ok(page)
}

/// Writes the examples as they are typed, then everything else, each part under its heading.
fn rest(page: &mut Vec<u8>, text: &HelpText) -> std::io::Result<()> {
    for text in [&text.examples, &text.rest] {
        let pieces = pieces(text);
        if !matches!(pieces.first(), None | Some(Piece::Heading(_))) {
            writeln!(page, ".SH NOTES")?;
        }
        let mut is_table = false;
        for piece in pieces {
            if is_table != matches!(piece, Piece::Line(_)) {
                is_table = !is_table;
                writeln!(page, "{}", if is_table { ".nf" } else { ".fi" })?;
            }
            match piece {
                Piece::Heading(words) => writeln!(page, ".SH \"{}\"", escaped(&words))?,
                Piece::Prose(_, words) => writeln!(page, ".PP\n{}", escaped(&words))?,
                Piece::Line(line) => writeln!(page, "{}", escaped(&line))?,
                Piece::Gap => {}
            }
        }
        if is_table {
            writeln!(page, ".fi")?;
        }
    }
    Ok(())
}

/// Escapes a text so that roff finds no request in it.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_a_page_with_its_examples_as_they_are_typed() {
        let command = built();
        for verb in verbs(&command) {
            let page = String::from_utf8(of_verb(verb.get_name()).unwrap()).unwrap();
            let heading = format!(".TH locktoll\\-{}", verb.get_name());
            let heading_plain = format!(".TH locktoll-{}", verb.get_name());
            assert!(
                page.contains(&heading) || page.contains(&heading_plain),
                "{page}"
            );
            assert!(page.contains(".SH \"EXAMPLES\"\n.nf\n"), "{page}");
            assert!(page.contains("SEE ALSO"), "{page}");
        }
    }

    #[test]
    fn the_program_has_a_page_that_lists_its_verbs() {
        let page = String::from_utf8(of_program().unwrap()).unwrap();
        assert!(page.contains("\\fBlocktoll bench\\fR"), "{page}");
        assert!(page.contains("\\fBlocktoll\\-machine\\fR(1)"), "{page}");
    }

    #[test]
    fn a_page_of_nothing_names_what_there_is() {
        let error = of_verb("banch").unwrap_err().to_string();
        assert!(
            error.contains("accepted: ") && error.contains("bench"),
            "{error}"
        );
    }

    #[test]
    fn roff_finds_nothing_to_obey() {
        assert_eq!(escaped(".x --a\\b"), "\\&.x \\-\\-a\\eb");
    }
}
