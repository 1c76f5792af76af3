//! Flags of `locktoll advise`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::arguments::{InputArgs, OutputArgs};
use crate::trial::flags::{BetterArg, parse_minutes};

/// Print ranked remedies for the locks of a program, each with its evidence and the gain to expect.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll advise [OPTIONS] <FILE>\n       locktoll advise [OPTIONS] -- <CMD>...",
    after_help = AFTER_HELP
)]
pub struct AdviseArgs {
    /// A recording that `locktoll record` made, or a profile of one saved as JSON.
    #[arg(value_name = "FILE")]
    pub recording: Option<PathBuf>,
    /// Advise on one lock only: its id or name in the recording, or a unique part of either.
    #[arg(short, long, value_name = "LOCK", value_hint = ValueHint::Other)]
    pub lock: Option<String>,
    /// Use the measurements in this result of `whatif` or `try`, saved for the same program; may be repeated.
    #[arg(long, value_name = "RESULT")]
    pub quote: Vec<PathBuf>,

    /// Time every hold while CMD is recorded (as `record --exact`).
    #[arg(long, help_heading = "Recording CMD")]
    pub exact: bool,

    /// Run `whatif` and `try` on the lock of the first remedy, and use their results.
    #[arg(long, help_heading = "Experiments with CMD")]
    pub measure: bool,
    /// Run CMD with other numbers of threads; FLAG is CMD's own flag for that, with {} in place of the number, such as '-t {}'.
    #[arg(
        long,
        value_name = "FLAG",
        allow_hyphen_values = true,
        help_heading = "Experiments with CMD"
    )]
    pub threads_flag: Option<String>,
    /// Time limit for all experiments together [default: 5min].
    #[arg(long, value_name = "T", value_parser = parse_minutes, help_heading = "Experiments with CMD")]
    pub time_limit: Option<u64>,
    /// Compare the number found by the first group of this regular expression instead of wall time.
    #[arg(long, value_name = "REGEX", help_heading = "Experiments with CMD")]
    pub metric: Option<String>,
    /// Whether a higher or a lower metric is better [default: lower].
    #[arg(
        long,
        value_enum,
        requires = "metric",
        help_heading = "Experiments with CMD"
    )]
    pub better: Option<BetterArg>,
    /// Treat CMD as a server, and run this command (with `sh -c`) against it, also during the recording.
    #[arg(long, value_name = "CMD", help_heading = "Experiments with CMD")]
    pub load: Option<String>,
    /// Wait until the server listens on this port, or until its output matches this expression [default: until it listens on any
    /// socket].
    #[arg(
        long,
        value_name = "REGEX|PORT",
        requires = "load",
        help_heading = "Experiments with CMD"
    )]
    pub ready: Option<String>,

    /// Limit on the input that is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The program to record first, and its arguments.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

const AFTER_HELP: &str = "EXAMPLES
  locktoll advise recording.locktoll             what to change, and what it gains
  locktoll advise -- ./simulate --threads 8      record the program first
  locktoll advise recording.locktoll --lock queue_lock
  locktoll advise --measure -- ./simulate        measure the gain of the first remedy, with `whatif` and `try`
  locktoll advise --threads-flag '--threads {}' -- ./simulate --threads 8
  locktoll advise recording.locktoll --quote try.json
  locktoll advise --json recording.locktoll | jq '.remedies[] | {kind, name, gain}'

REMEDIES
  Each remedy has its evidence in the recording, the gain to expect, its cost in code, and a command that tries it. They are: move a
  blocking call out of the hold; do not hold a lock while waiting for input, or for another lock; shorten the hold; take the lock less
  often; split it; use a reader-writer lock; use another lock; use fewer or more threads; spin less or more; wake fewer threads. Locks
  that are taken often and cost nothing are listed to be left alone.

GAINS
  A gain is a factor: 2x means twice as fast. It is found in one of these ways:
  model     threads that queue for the lock, computed from the counts, waits and holds of the recording
  bound     the change cannot gain more, and may gain nothing
  measured  by interleaved runs of the program (--measure, --threads-flag, --quote)

Ctrl-C ends the experiments and shows the advice so far.

The exit status is 0; with CMD, it is that of the recorded program. It is 1 if the run failed, and 2 for wrong use, or for a file
without the figures that advice needs.";
