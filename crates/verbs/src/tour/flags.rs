//! Flags of `locktoll tour`.

use clap::Args;

use crate::arguments::OutputArgs;

/// The first look: this machine's lock prices, a profile of a small contended program, and
/// what the figures say. Under a minute, no privileges.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll tour                    the first look, under a minute
  locktoll tour -o tour.html       the same as a page with charts, for a browser
  locktoll tour --json > tour.json the same figures for a script")]
pub struct TourArgs {
    /// Form and place of the result; the schema of JSON is locktoll.tour/1.
    #[command(flatten)]
    pub output: OutputArgs,
}
