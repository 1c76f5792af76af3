//! Flags of `locktoll whatif`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::arguments::OutputArgs;
use crate::trial::flags::{BetterArg, parse_minutes};

/// Measure what an unmodified program would gain if holds of its locks were shorter.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll whatif [OPTIONS] [--] <CMD>...",
    after_help = AFTER_HELP
)]
pub struct WhatifArgs {
    /// Lengthen the holds of this lock by these shares: its id or name in a recording of the program, or a unique part of either
    /// [default: the three locks that threads wait for longest, by +20% and +50%].
    #[arg(short, long, value_name = "LOCK=+P%,...", value_hint = ValueHint::Other)]
    pub slow: Vec<String>,

    /// Number of rounds; each runs the program twice without a change and once with each length, for each lock [default: as many as
    /// fit, up to 15].
    #[arg(short, long, value_name = "N", help_heading = "Time")]
    pub rounds: Option<usize>,
    /// Time limit for all runs together [default: 10min].
    #[arg(long, value_name = "T", value_parser = parse_minutes, help_heading = "Time")]
    pub time_limit: Option<u64>,
    /// Time limit for one run [default: ten times the longest run so far, plus 5 s].
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

    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The program and its arguments. locktoll's flags go before it; everything after it is passed to the program.
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

const AFTER_HELP: &str = "EXAMPLES
  locktoll whatif -- ./simulate --threads 8      which lock is worth shortening, and what would it gain?
  locktoll whatif --slow queue_lock=+20%,+50% -- ./simulate
  locktoll whatif --metric 'throughput: ([0-9.]+)' --better higher -- ./bench
  locktoll whatif --load 'redis-benchmark -q -t set -n 100000' --ready 6379 -- redis-server --io-threads 4
  locktoll whatif --json -- ./simulate | jq '.locks[] | {name, verdict, gains}'

HOW IT WORKS
  The program's files are not changed. One run is recorded, to find the locks that threads wait for. Then the program runs many times
  with a library in LD_PRELOAD that leaves every lock to the C library, and makes each hold of one lock longer by a share of the hold as
  it was measured: by work, and for the time in which the holder slept, by sleep. Each round runs the program twice without an addition,
  under the same library, and once with each length, in a new random order. The first run of each lock does not count.

  If holds that take 20 % longer make the program 10 % slower, then holds that take 20 % less time make it 10 % faster, as long as the
  response is a straight line. Two lengths show whether it is: if not, the slope at zero is used. The CPUs limit each gain: a
  program that keeps all of them busy cannot be faster than its work.

VERDICTS
  gains        the metric improves with shorter holds (95 % interval)
  no effect    with holds of half the length, the metric improves by less than 5 %, if at all
  cannot tell  the rounds differ by more than the effect; the report says which gain could have been seen

NOT EXAMINED
  Spin locks, semaphores, and locks that a program builds on futex(2) itself (as Rust, Go and Java do). Robust, priority-inheriting and
  process-shared mutexes. Programs that ignore preload libraries are refused, as by `try`.

Ctrl-C ends the rounds and shows the results so far.

The exit status is that of the unmodified program; for a server it is 0. It is 1 if the runs failed or were interrupted, 2 for wrong
use, and 3 for a program that cannot be examined.";
