//! Flags of `locktoll tour`.

use clap::Args;

use crate::arguments::OutputArgs;

/// Start here: lock costs of this machine, the locks of a small program, and what the figures mean. Under a minute, no privileges.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll tour                    the first look, under a minute
  locktoll tour -o tour.html       the same as a page with charts, for a browser
  locktoll tour --json > tour.json the same figures for a script")]
pub struct TourArgs {
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}
