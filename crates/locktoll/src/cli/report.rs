//! Flags of `locktoll report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Flags of `locktoll report`.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll report recording.locktoll                    the locks by total waiting time
  locktoll report recording.locktoll --sort acquisitions --top 5
  locktoll report recording.locktoll --format json -o profile.json")]
pub struct ReportArgs {
    /// A recording made by `locktoll record`.
    #[arg(value_name = "FILE")]
    pub recording: PathBuf,
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = ProfileFormat::Text)]
    pub format: ProfileFormat,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write the report to a file instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What puts a lock first.
    #[arg(long, value_enum, default_value_t = SortKey::Wait)]
    pub sort: SortKey,
    /// How many locks to show (text only).
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
}

/// The forms a profile can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProfileFormat {
    /// A table for a terminal.
    Text,
    /// The schema locktoll.profile/1.
    Json,
}

/// What locks are ordered by, largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SortKey {
    /// Total time spent waiting for the lock.
    Wait,
    /// Acquisitions that had to wait.
    Contended,
    /// All acquisitions.
    Acquisitions,
}
