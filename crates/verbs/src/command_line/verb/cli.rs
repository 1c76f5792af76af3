//! The program as clap knows it.

use clap::Parser;

use super::table::Verb;
use super::words;

/// What the words of a command line are parsed into.
#[derive(Debug, Parser)]
#[command(
    name = "locktoll",
    about = words::ABOUT,
    version = locktoll_terminal::version::version(),
    propagate_version = true,
    after_help = words::AFTER_HELP
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}
