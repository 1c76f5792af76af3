//! Flags of `locktoll try`.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};

use locktoll_results::trial::{Better, Metric, MetricSource};

use super::settings::DEFAULT_TIME_LIMIT;
use crate::arguments::OutputArgs;
use crate::arguments::time_of;

/// Run an unmodified program with other locks, and report which lock is faster and by how much.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll try [OPTIONS] [--] <CMD>...\n       locktoll try --list [--json]",
    after_help = AFTER_HELP
)]
pub struct TryArgs {
    /// Locks to try, as NAME or NAME:N; NAME+slice also requests a longer time slice while a mutex is held; `all` selects every
    /// lock, without `+slice` [default: a selection; --list shows it].
    #[arg(short, long, value_name = "L,...", value_delimiter = ',', value_hint = ValueHint::Other)]
    pub lock: Vec<String>,
    /// List all locks and exit.
    #[arg(long)]
    pub list: bool,
    /// Replace only one lock of the program, or the locks made at one place: its id or name in a recording of the program, or a
    /// unique part of either.
    #[arg(long, value_name = "LOCK_ID")]
    pub only: Option<String>,

    /// How often, how long, and what is measured.
    #[command(flatten)]
    pub runs: RunsArgs,

    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The program and its arguments. locktoll's flags go before it; everything after it is passed to the program.
    #[arg(
        required_unless_present = "list",
        trailing_var_arg = true,
        value_name = "CMD"
    )]
    pub command: Vec<OsString>,
}

/// Flags of the verbs that run the program many times.
#[derive(Debug, Args)]
pub struct RunsArgs {
    /// Number of rounds; each runs every variant of the program once, and the unmodified one twice [default: as many as fit, up to 15].
    #[arg(short, long, value_name = "N", help_heading = "Time")]
    pub rounds: Option<usize>,
    /// Time limit for all runs together [default: 10min].
    #[arg(long, value_name = "T", value_parser = parse_minutes, help_heading = "Time")]
    pub time_limit: Option<u64>,
    /// Time limit for one run [default: ten times the longest unmodified run, plus 5 s].
    #[arg(long, value_name = "T", value_parser = parse_minutes, help_heading = "Time")]
    pub timeout: Option<u64>,

    /// Compare the number found by the first group of this regular expression instead of wall time.
    #[arg(long, value_name = "REGEX", help_heading = "Metric")]
    pub metric: Option<String>,
    /// Whether a higher or a lower metric is better [default: lower].
    #[arg(long, value_enum, requires = "metric", help_heading = "Metric")]
    pub better: Option<BetterArg>,

    /// Treat CMD as a server, and run this command (with `sh -c`) against it.
    #[arg(long, value_name = "CMD", help_heading = "Servers")]
    pub load: Option<String>,
    /// Wait until the server listens on this port, or until its output matches this expression [default: until it listens on any
    /// socket].
    #[arg(
        long,
        value_name = "REGEX|PORT",
        requires = "load",
        help_heading = "Servers"
    )]
    pub ready: Option<String>,
}

impl RunsArgs {
    /// Returns the time limit for all runs together.
    pub fn limit(&self) -> Duration {
        let limit = self.time_limit.map(Duration::from_nanos);
        limit.unwrap_or(DEFAULT_TIME_LIMIT)
    }

    /// Returns the time limit for one run, if the user has set one.
    pub fn limit_of_run(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_nanos)
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        Metric {
            source: match self.metric {
                Some(_) => MetricSource::Output,
                None => MetricSource::WallTime,
            },
            pattern: self.metric.clone(),
            better: match self.better {
                Some(BetterArg::Higher) => Better::Higher,
                Some(BetterArg::Lower) | None => Better::Lower,
            },
        }
    }
}

/// Whether more or less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BetterArg {
    /// Higher is better (throughput).
    Higher,
    /// Lower is better (time).
    Lower,
}

const AFTER_HELP: &str = "EXAMPLES
  locktoll try -- ./simulate --threads 8         does another lock make it faster?
  locktoll try --lock futex3:0,ticket-yield -- ./simulate
  locktoll try --metric 'throughput: ([0-9.]+)' --better higher -- ./bench
  locktoll try --load 'redis-benchmark -q -t set -n 100000' --ready 6379 \\
               --metric 'SET: ([0-9.]+) requests' --better higher -- redis-server --io-threads 4
  locktoll record -- ./simulate                  find the id of a lock, then replace it alone:
  locktoll try --only mutex:simulate:queue_lock -- ./simulate
  locktoll try --json -- ./simulate | jq '.results[] | {lock, verdict, ratio_to_bare}'

HOW IT WORKS
  The program's files are not changed. locktoll runs the program many times: unmodified (bare), and with a library in LD_PRELOAD that
  puts another lock into the program's pthread mutexes, condition variables, reader-writer locks and spin locks. Each round runs bare
  twice and every lock once, in a new random order. The first run of each does not count. Before these, one run is recorded to see
  where threads wait. `pass-through` loads the library and replaces nothing. A lock that crashes or hangs the program, or is clearly worse,
  is dropped, and the report says why.

  With few rounds nothing can be judged: ten locks need six or seven rounds for a verdict on each.

EACH RUN
  Each run has its own session, and no process that it starts outlives it: locktoll ends the remaining ones with SIGTERM, and after 2 s
  with SIGKILL. Standard input is empty, unless locktoll's is a file: then each run reads that file from its beginning. Output is kept in
  memory, searched for the metric and not shown, except for the last lines of a run that fails. Files are written once per run.

METRIC
  The first group of the last match on standard output, or if nothing matches there, on standard error; ^ and $ match at line ends. It
  must be a number above zero without a unit and without thousands separators: 1234.5, 1e6.

SERVERS
  With --load, each run starts CMD, runs the load once CMD is ready, and stops CMD with SIGTERM, or after 10 s with SIGKILL. The metric is
  then the load's wall time, or the number found in the load's output; CPU time is the server's. CMD must stay in the foreground.

NOT REPLACED
  Robust, priority-inheriting and process-shared objects, which are counted with the reason. Semaphores, barriers, and locks that a
  program builds on futex(2) itself (as Rust, Go and Java do). Programs that ignore preload libraries are refused: statically linked
  or set-user-id programs, and those of another architecture or C library.

Ctrl-C ends the trial and shows the results so far.

The exit status is that of the unmodified program; for a server it is 0. It is 1 if the runs failed or were interrupted, 2 for wrong
use, and 3 for a program or a lock that cannot be tried.";

/// Parses a time like other flags, and accepts minutes too: the runs of a program together can take that long.
///
/// # Errors
/// A description of what is accepted.
pub fn parse_minutes(text: &str) -> Result<u64, String> {
    const ACCEPTED: &str = "more than 0, with a unit (ns, us, ms, s, min), such as 10min";
    let ns = match text.trim().strip_suffix("min") {
        Some(minutes) => time_of(&format!("{minutes}s"), ACCEPTED)?.saturating_mul(60),
        None => time_of(text, ACCEPTED)?,
    };
    match ns {
        0 => Err(format!("zero is not a time limit; accepted: {ACCEPTED}")),
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
