//! Flags for the amount of input that is read.

use clap::Args;

use locktoll_results::saved::MOST_BYTES;

/// Limit on the input that is read.
#[derive(Clone, Copy, Debug, Args)]
pub struct InputArgs {
    /// Largest saved result (JSON) to read, in bytes; reading takes about three times its size in memory.
    #[arg(long, value_name = "N", default_value_t = MOST_BYTES, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_bytes: u64,
}

impl Default for InputArgs {
    fn default() -> Self {
        Self {
            max_bytes: MOST_BYTES,
        }
    }
}
