//! `locktoll man`: the manual page, generated from the command-line definitions.

use std::io::Write;

use clap::CommandFactory;

use crate::command_line::verb::Cli;
use locktoll_terminal::failure::{Ending, Outcome};

/// Prints the manual page in roff on standard output: the program first, then each verb.
pub fn run() -> Outcome {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let whole = clap_mangen::Man::new(command.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    whole.render_extra_section(&mut page)?;
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        if verb.get_name() == "help" {
            continue;
        }
        writeln!(page, ".SH \"LOCKTOLL {}\"", verb.get_name().to_uppercase())?;
        let man = clap_mangen::Man::new(verb.clone());
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
        man.render_extra_section(&mut page)?;
    }
    // What follows the options begins with a heading of its own.
    let page = String::from_utf8_lossy(&page).replace(".SH EXTRA\n", "");
    std::io::stdout().write_all(page.as_bytes())?;
    Ok(Ending::Done)
}
