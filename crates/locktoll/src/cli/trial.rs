//! Flags of `locktoll try`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::OutputArgs;

/// Flags of `locktoll try`.
#[derive(Debug, Args)]
#[command(override_usage = "locktoll try [OPTIONS] [--] <CMD>...")]
pub struct TryArgs {
    /// The locks to try [default: a selection; --list shows all].
    #[arg(short, long, value_name = "L,...", value_delimiter = ',')]
    pub lock: Vec<String>,
    /// Rounds that count; each runs the program once bare and once on each lock.
    #[arg(short, long, value_name = "N")]
    pub rounds: Option<usize>,
    /// Replace one lock of the program alone, or the locks of one site: its id in a recording.
    #[arg(long, value_name = "LOCK_ID")]
    pub only: Option<String>,
    /// CMD is a server: the command that drives it, run by `sh -c` once CMD is ready.
    #[arg(long, value_name = "CMD")]
    pub load: Option<String>,
    /// Compare what the first group of this expression finds in the output, not wall time.
    #[arg(long, value_name = "REGEX")]
    pub metric: Option<String>,
    /// Whether more or less of the metric is better [default: lower].
    #[arg(long, value_enum, requires = "metric")]
    pub better: Option<BetterArg>,
    /// When the server is ready: a port on which it listens, or an expression that its output matches.
    #[arg(long, value_name = "REGEX|PORT", requires = "load")]
    pub ready: Option<String>,
    /// List what can be tried.
    #[arg(long)]
    pub list: bool,
    /// Where the result goes.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The program and its arguments.
    #[arg(
        required_unless_present = "list",
        trailing_var_arg = true,
        value_name = "CMD"
    )]
    pub command: Vec<OsString>,
}

/// Whether more or less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BetterArg {
    /// As of throughput.
    Higher,
    /// As of time.
    Lower,
}
