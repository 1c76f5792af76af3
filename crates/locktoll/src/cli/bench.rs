//! Flags of `locktoll bench`.

use clap::Args;

/// Flags of `locktoll bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Print one JSON document on standard output instead of text.
    #[arg(long)]
    pub json: bool,
}
