//! Flags of `locktoll whatif`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::arguments::OutputArgs;
use crate::trial::flags::RunsArgs;

/// Measure what an unmodified program would gain if holds of its locks were shorter.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll whatif [OPTIONS] [--] <CMD>...",
    after_help = AFTER_HELP
)]
pub struct WhatifArgs {
    /// Shorten the holds of this lock virtually by these shares: its id or name in a recording of the program, or a unique part of
    /// either [default: the three locks that threads wait for longest, by -25% and -50%].
    #[arg(short, long, value_name = "LOCK=-P%,...", value_hint = ValueHint::Other)]
    pub fast: Vec<String>,
    /// Lengthen the holds of this lock by these shares [default: the same three locks, by +20% and +50%].
    #[arg(short, long, value_name = "LOCK=+P%,...", value_hint = ValueHint::Other)]
    pub slow: Vec<String>,

    /// How often, how long, and what is measured.
    #[command(flatten)]
    pub runs: RunsArgs,

    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The program and its arguments. locktoll's flags go before it; everything after it is passed to the program.
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

const AFTER_HELP: &str = "EXAMPLES
  locktoll whatif -- ./simulate --threads 8      which lock is worth shortening, and what would it gain?
  locktoll whatif --fast queue_lock=-25%,-50% -- ./simulate
  locktoll whatif --metric 'throughput: ([0-9.]+)' --better higher -- ./bench
  locktoll whatif --load 'redis-benchmark -q -t set -n 100000' --ready 6379 -- redis-server --io-threads 4
  locktoll whatif --json -- ./simulate | jq '.locks[] | {name, verdict, gains}'

HOW IT WORKS
  The program's files are not changed. One run is recorded, to find the locks that threads wait for. Then the program runs many times
  with a library in LD_PRELOAD. Each round runs the program twice without a change of holds, under the same library, and once with each
  change, in a new random order. The first run of each does not count.

  --fast shortens the holds of one lock virtually: while a thread holds the lock, every other running thread is delayed by the share to
  be saved, at its next lock operation. The delays are subtracted from the time that the program takes. If others run 1 ms while the
  holder does the work of 2 ms, the holder is, in effect, twice as fast.

  --slow makes each hold longer by a share of its measured time: by work for the time in which the holder ran, and by sleep for the
  time in which the holder slept. If holds that take 20 % longer make the program 10 % slower, then holds that take 20 % less time make
  it 10 % faster, as long as the response is a straight line.

  Without either flag, whatif makes both experiments. The gains in the table come from --fast if that is possible; --slow is the check,
  and a note says if the two do not agree. The CPUs limit each gain: a program that keeps all of them busy cannot be faster than its work.

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
