//! `locktoll completions SHELL`: generated from the command-line definitions.

use std::io::Write;

use clap::CommandFactory;

use crate::command_line::verb::Cli;
use locktoll_terminal::failure::{Ending, Outcome};

/// Prints the completion script for `shell` on standard output.
pub fn run(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "locktoll", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Ending::Done)
}
