//! `locktoll man`: the manual page, generated from the command-line definitions.

use std::io::Write;

use clap::CommandFactory;

use crate::cli::Cli;
use crate::exit::{Ending, Outcome};

/// Prints the manual page in roff on standard output: the program first, then each verb.
pub fn run() -> Outcome {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
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
    std::io::stdout().write_all(&page)?;
    Ok(Ending::Done)
}
