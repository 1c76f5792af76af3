//! Flags of `locktoll reproduce`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::guest;
use crate::arguments::parse_budget;
use crate::present::Goes;
use locktoll_shown::{Choice, Formats};
use locktoll_terminal::system::help;

/// Run published claims about lock costs again: does each hold on this machine?
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArgs {
    /// Claims to run (with --merge, to show): an id (A5), a letter for all of its claims (A), or a range (A1..A5) [default: all].
    #[arg(value_name = "ID", value_hint = ValueHint::Other)]
    pub claims: Vec<String>,
    /// List all claims with their times and last verdicts, and exit.
    #[arg(long)]
    pub list: bool,
    /// Add rounds to claims that noise leaves unjudged, as long as this time lasts. Claims that earlier runs left unjudged are run
    /// again. Each further judgement uses a wider interval, so that the verdict on one check is wrong in at most 5 % of the cases.
    #[arg(long = "budget", value_name = "T", value_parser = parse_budget)]
    pub budget_ns: Option<u64>,
    /// Run everything again, without the verdicts of earlier runs.
    #[arg(long, visible_alias = "again")]
    pub fresh: bool,
    /// Where finished claims are kept.
    #[arg(long, value_name = "FILE", help = format!(
        "File that keeps finished claims, so that the same command continues after an interruption [default: a file for this \
         machine and version under {}]",
        help::STATE_FOLDER
    ))]
    pub state: Option<PathBuf>,
    /// Show saved results of several machines, one column for each. Nothing is measured; IDs choose the claims to show. A single
    /// file is shown as the result of one machine.
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["list", "budget_ns", "fresh", "state", "guest_kernel"]
    )]
    pub merge: Vec<PathBuf>,
    /// Linux kernel image (vmlinuz) for claims that run in an emulated virtual machine [default: the newest in /boot or
    /// /lib/modules].
    #[arg(long, value_name = "FILE", value_parser = parse_image)]
    pub guest_kernel: Option<PathBuf>,
    /// Read the claims from a folder of TOML files.
    #[arg(long, value_name = "DIR")]
    pub experiments: Option<PathBuf>,
    /// Format of the result [default: by the ending of OUT, else text].
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
  locktoll reproduce                       all, in 15 minutes; the same command continues after Ctrl-C
  locktoll reproduce --budget 2h           all, and more rounds for those that noise leaves unjudged
  locktoll reproduce -o claims.html        the verdicts as a page; measures what is missing
  locktoll reproduce -o claims.md          the same in Markdown, with pictures in the folder claims
  locktoll reproduce --json > a.json       the results as a file, to be merged with those of other machines
  locktoll reproduce --merge a.json b.json -o claims.md
                                           all claims, one column for each machine";

impl ReproduceArgs {
    /// Returns the requested format.
    pub fn format(&self) -> Choice {
        Formats::OfReproductions.choose(self.format, self.json, self.output.as_deref())
    }

    /// Returns the kind of output that goes to its place.
    pub fn goes(&self) -> Goes {
        Goes {
            pictures: self.format().has_pictures(),
            ..Goes::default()
        }
    }
}

fn parse_image(path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    guest::check_image(&path).map(|()| path)
}
