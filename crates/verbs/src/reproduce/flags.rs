//! Flags of `locktoll reproduce`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use locktoll_shown::{Choice, Formats};
use locktoll_terminal::system::help;

/// Published claims on what locks cost, run again: does each hold on this machine?
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArgs {
    /// Claims to run: ids (A5), letters for all of theirs (A), ranges (A1..A5) [default: all].
    #[arg(value_name = "ID", value_hint = ValueHint::Other)]
    pub claims: Vec<String>,
    /// Name every claim with its time and its last verdict, and stop.
    #[arg(long)]
    pub list: bool,
    /// Begin anew: take no verdict from an earlier run.
    #[arg(long, visible_alias = "again")]
    pub fresh: bool,
    /// Where finished claims are kept.
    #[arg(long, value_name = "FILE", help = format!(
        "Where finished claims are kept, so that the same command goes on where it was interrupted [default: a file for this \
         machine and version under {}]",
        help::STATE_FOLDER
    ))]
    pub state: Option<PathBuf>,
    /// Read the claims from a folder of TOML files instead of those carried by the program.
    #[arg(long, value_name = "DIR")]
    pub experiments: Option<PathBuf>,
    /// The form of the result [default: by the ending of OUT, else text].
    #[arg(long, value_parser = Formats::OfReproductions.parser(), help_heading = "Output")]
    pub format: Option<Choice>,
    /// Short for `--format json`: one document on standard output, schema locktoll.reproduce/1.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Write the result to a file instead of standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
EXAMPLES
  locktoll reproduce --list                the claims, how long each takes, what was found
  locktoll reproduce A5 E4                 two of them
  locktoll reproduce B                     all from one publication
  locktoll reproduce                       all, within 15 minutes; go on after Ctrl-C by the same words
  locktoll reproduce -o claims.html        what was found, as a page (measures what is missing)";

impl ReproduceArgs {
    /// The format that is wanted.
    pub fn format(&self) -> Choice {
        Formats::OfReproductions.choose(self.format, self.json, self.output.as_deref())
    }
}
