//! Flags of the live view of `locktoll machine`.

use clap::Args;

use crate::arguments::{parse_interval, parse_process};

/// Flags of the live view.
#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Show context switches live instead, of the machine or of a process and its threads.
    #[arg(
        long,
        value_name = "PID",
        num_args = 0..=1,
        value_parser = parse_pid,
        conflicts_with_all = ["output", "quick"],
        help_heading = "Live view"
    )]
    pub watch: Option<Option<u32>>,
    /// Length of an interval of the live view.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T",
        default_value = "1s",
        value_parser = parse_interval,
        requires = "watch",
        help_heading = "Live view"
    )]
    pub interval: u64,
    /// Number of intervals of the live view [default: until Ctrl-C].
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
        requires = "watch",
        help_heading = "Live view"
    )]
    pub count: Option<u64>,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `--watch 1234`; without one, the machine")
}
