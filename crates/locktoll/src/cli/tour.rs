//! Flags of `locktoll tour`.

use clap::Args;

/// Flags of `locktoll tour`.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll tour                    the first look, under a minute
  locktoll tour --json > tour.json the same figures for a script")]
pub struct TourArgs {
    /// Print one JSON document on standard output instead of text.
    #[arg(long)]
    pub json: bool,
}
