//! Flags of `locktoll kernel`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use crate::arguments::OutputArgs;
use crate::arguments::parse_time;

/// The kernel's own locks while a workload runs: who waits, for which, how long (needs privileges).
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll kernel [OPTIONS]\n       locktoll kernel [OPTIONS] -- <CMD>...",
    after_help = "EXAMPLES
  locktoll kernel -- make -j8                   the whole machine while a build runs
  locktoll kernel --only -- make -j8            the waits of the build's own processes alone
  locktoll kernel --by caller,lock -- make -j8  which functions waited, for which locks
  locktoll kernel --duration 10s                ten seconds of the whole machine
  locktoll kernel --live                        every second, until Ctrl-C; then all of it
  locktoll kernel -o build.json -- make -j8     keep it; `locktoll report build.json` shows it again

Seen are waits, by the kernel's own tracepoints lock:contention_begin and _end: Linux 5.19 and later. Not seen are
locks that were free, how long locks were held, whoever got a rw_semaphore by spinning, and on machines without
paravirtual spin locks the one waiter next in line, which does not queue. So shares are of waits, never of acquisitions.

With CMD the whole machine is watched while it runs, since kernel locks are shared: what others hold, CMD waits
for. --only keeps to the waits of CMD and the processes it starts. CMD's exit status is passed on; with --json or
--format html and no -o, what CMD writes to standard output goes to standard error.

It takes CAP_BPF and CAP_PERFMON; for names of functions and locks also CAP_SYSLOG, and for what watching itself
costs CAP_SYS_ADMIN. Root has them all. Nothing stays in the kernel afterwards, however this program ends."
)]
pub struct KernelArgs {
    /// How long to watch; without it and without CMD, until Ctrl-C.
    #[arg(long, value_name = "T", value_parser = parse_duration, conflicts_with = "command")]
    pub duration: Option<u64>,
    /// What to tell apart, several separated by commas; kind of lock and processor cost nothing more.
    #[arg(
        long,
        value_enum,
        value_name = "AXES",
        value_delimiter = ',',
        default_value = "type"
    )]
    pub by: Vec<Axis>,
    /// Only the waits of CMD and of the processes that it starts.
    #[arg(long, requires = "command")]
    pub only: bool,
    /// Add the waits by powers of two of ticks of the processor's counter.
    #[arg(long)]
    pub cycles: bool,
    /// Rows of each table.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Rows by caller and by lock that the kernel keeps for us; what finds no room is counted [default: what fits 64 MiB, at most 16384].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    pub max_entries: Option<u32>,
    /// Show each interval as it passes; with --json a document a line.
    #[arg(long, help_heading = "Live view")]
    pub live: bool,
    /// How long an interval is.
    #[arg(
        long,
        value_name = "T",
        default_value = "1s",
        value_parser = parse_duration,
        requires = "live",
        help_heading = "Live view"
    )]
    pub interval: u64,
    /// Form and place of the result; the schema of JSON is locktoll.kernel/1.
    #[command(flatten)]
    pub output: OutputArgs,
    /// A program and its arguments: the watch lasts as long as it runs.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// What waits are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Axis {
    /// Kind of lock.
    Type,
    /// The function that asked for the lock.
    Caller,
    /// The processor.
    Cpu,
    /// The lock.
    Lock,
}

/// A time to wait: shorter ones would see little but their own beginning, longer ones are a slip of the unit.
fn parse_duration(text: &str) -> Result<u64, String> {
    const RANGE: std::ops::RangeInclusive<u64> = 10_000_000..=7 * 86_400_000_000_000;
    let ns = parse_time(text)?;
    match RANGE.contains(&ns) {
        true => Ok(ns),
        false => Err(format!("'{text}' is not between 10ms and 604800s (a week)")),
    }
}
