//! Flags of `locktoll try`.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

use crate::arguments::OutputArgs;
use crate::arguments::parse_time;

/// Run an unmodified program on other locks, and say which one wins, by how much, or that nothing can be told.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll try [OPTIONS] [--] <CMD>...\n       locktoll try --list [--json]",
    after_help = AFTER_HELP
)]
pub struct TryArgs {
    /// The locks to try, by name, as NAME or NAME:N; `all` takes every one [default: a selection; --list shows it].
    #[arg(short, long, value_name = "L,...", value_delimiter = ',', value_hint = ValueHint::Other)]
    pub lock: Vec<String>,
    /// List what can be tried.
    #[arg(long)]
    pub list: bool,
    /// Replace one lock of the program alone, or those made at one place: its id in a recording of the program, its name, or
    /// a part that only it has.
    #[arg(long, value_name = "LOCK_ID")]
    pub only: Option<String>,

    /// Rounds that count; each runs the program twice bare and once on each lock [default: as many as fit, 15 at most].
    #[arg(short, long, value_name = "N", help_heading = "Time")]
    pub rounds: Option<usize>,
    /// What all runs together never take longer than [default: 10min].
    #[arg(long, value_name = "T", value_parser = parse_minutes, help_heading = "Time")]
    pub time_limit: Option<u64>,
    /// What one run may take before it is ended [default: ten times the longest bare run, and 5 s].
    #[arg(long, value_name = "T", value_parser = parse_minutes, help_heading = "Time")]
    pub timeout: Option<u64>,

    /// Compare the number that the first group of this regular expression finds, not wall time.
    #[arg(long, value_name = "REGEX", help_heading = "Metric")]
    pub metric: Option<String>,
    /// Whether more or less of the metric is better [default: lower].
    #[arg(long, value_enum, requires = "metric", help_heading = "Metric")]
    pub better: Option<BetterArg>,

    /// CMD is a server: the command that drives it, for `sh -c`, once CMD is ready.
    #[arg(long, value_name = "CMD", help_heading = "Servers")]
    pub load: Option<String>,
    /// When the server is ready: the port that it listens on, or an expression that its output matches [default: when it
    /// listens at any socket].
    #[arg(
        long,
        value_name = "REGEX|PORT",
        requires = "load",
        help_heading = "Servers"
    )]
    pub ready: Option<String>,

    /// Where the result goes.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The program and its arguments; flags before it are ours, those behind it its own.
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

const AFTER_HELP: &str = "EXAMPLES
  locktoll try -- ./simulate --threads 8         does another lock make it faster?
  locktoll try --lock futex3:0,ticket-yield -- ./simulate
  locktoll try --metric 'throughput: ([0-9.]+)' --better higher -- ./bench
  locktoll try --load 'redis-benchmark -q -t set -n 100000' --ready 6379 \\
               --metric 'SET: ([0-9.]+) requests' --better higher -- redis-server --io-threads 4
  locktoll record -- ./simulate                  then, with an id from there:
  locktoll try --only mutex:simulate:queue_lock -- ./simulate
  locktoll try --json -- ./simulate | jq '.results[] | {lock, verdict, ratio_to_bare}'

What is done to the program: nothing is changed in its files. It is run again and again, as it
is (bare) and with a library of ours in front of LD_PRELOAD that puts another lock inside the
program's own pthread mutexes, condition variables, reader-writer locks and spin locks. Rounds
run bare twice and every lock once, in an order drawn anew; a first run of each does not count,
and one run before that is recorded, to see where threads wait. `pass-through` has the library
loaded and replaces nothing. A lock that crashes the program, hangs it or is clearly worse is
dropped and named.

Each run has a session of its own, and nothing that it has started outlives it: what is left is
ended by SIGTERM, after 2 s by SIGKILL. Its standard input is empty, unless ours is a file: then
each run reads that from its beginning. What it writes is kept in memory, searched for the
metric and not shown, but for the last lines where it fails. What it writes to files, it writes
once for each run.

The metric is the first group of the last match in the standard output, or where nothing matches
there, in the standard error; ^ and $ match at lines. It must be a number above zero without a
unit and without separators of thousands: 1234.5, 1e6.

With --load, CMD is started for each run, the load runs once it is ready, and then it is stopped
by SIGTERM; a server that has not ended 10 s later is killed. The metric is then the load's wall
time, or what is found in the load's output; processor time is the server's alone. CMD must stay
in the foreground.

Not replaced, and counted with the reason: robust, priority-inheriting and process-shared
objects. Semaphores, barriers and locks that a program makes of futex(2) itself (Rust's, Go's,
Java's) stay as they are. Programs that ignore preload libraries (statically linked,
set-user-id, of another architecture or C library) are refused.

Ctrl-C ends it and shows what is known so far. Exit status: that of the program without us; for
a server 0. 1 if the runs failed or were interrupted, 2 for wrong use, 3 for a program that
cannot be tried.";

/// As [`parse_time`], and in minutes, which a program's runs together may well take.
fn parse_minutes(text: &str) -> Result<u64, String> {
    let ns = match text.trim().strip_suffix("min") {
        Some(minutes) => parse_time(&format!("{minutes}s"))?.saturating_mul(60),
        None => parse_time(text).map_err(|error| error.replace(", 2s", ", 2s, 10min"))?,
    };
    match ns {
        0 => Err(
            "no time at all; accepted: a number with a unit, such as 500ms, 30s, 10min".to_owned(),
        ),
        ns => Ok(ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_times_too() {
        assert_eq!(parse_minutes("10min"), Ok(600_000_000_000));
        assert_eq!(parse_minutes("1.5min"), Ok(90_000_000_000));
        assert_eq!(parse_minutes("500ms"), Ok(500_000_000));
        for wrong in ["0", "0min", "min", "5", "-1min", "3h"] {
            assert!(parse_minutes(wrong).is_err(), "{wrong}");
        }
        assert!(parse_minutes("5").unwrap_err().contains("10min"));
    }
}
