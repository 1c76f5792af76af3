//! Flags of `locktoll kernel`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use crate::arguments::OutputArgs;
use crate::arguments::parse_watching;
use crate::groups::GroupArgs;

/// Profile the kernel's own locks: who waits, for which lock, and how long (needs privileges).
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll kernel [OPTIONS]\n       locktoll kernel [OPTIONS] -- <CMD>...",
    after_help = "EXAMPLES
  locktoll kernel -- make -j8                   the whole machine while a build runs
  locktoll kernel --only -- make -j8            the waits of the build's own processes
  locktoll kernel --by caller,lock -- make -j8  which functions waited, and for which locks
  locktoll kernel --duration 10s                ten seconds of the whole machine
  locktoll kernel --live                        every second, until Ctrl-C; then the sum
  locktoll kernel --live --interval 5s          every five seconds
  locktoll kernel --container web --duration 10s  the waits of the threads of a container
  locktoll kernel -o build.json -- make -j8     keep it; `locktoll report build.json` shows it again

WHAT IS SEEN
  Waits for the kernel's locks, by the tracepoints lock:contention_begin and lock:contention_end (Linux 5.19 or later). Acquisitions
  without a wait and hold times are not seen, so all shares are shares of waiting. Two kinds of waiters are missing: those that got a
  rw_semaphore by spinning, and, on machines without paravirtual spin locks, the waiter that is next in line.

  While CMD runs, the whole machine is watched, because kernel locks are shared: CMD waits for locks that others hold. --only shows
  only the waits of CMD and of the processes it starts. --cgroup and --container show only the waits of the threads in a control group
  (version 2) and in the groups below it. CMD's exit status is passed on. With --json or --format html and no -o, CMD's standard output
  goes to standard error.

PRIVILEGES
  CAP_BPF and CAP_PERFMON; for the names of functions and locks also CAP_SYSLOG, and for the cost of watching CAP_SYS_ADMIN. Root has
  them all. Nothing stays in the kernel, however locktoll ends."
)]
pub struct KernelArgs {
    /// How long to watch [default: as long as CMD runs, else until Ctrl-C].
    #[arg(long, value_name = "T", value_parser = parse_watching, conflicts_with = "command")]
    pub duration: Option<u64>,
    /// Tables to show, separated by commas; type and cpu add no cost.
    #[arg(
        long,
        value_enum,
        value_name = "AXES",
        value_delimiter = ',',
        default_value = "type"
    )]
    pub by: Vec<Axis>,
    /// Show only the waits of CMD and of the processes it starts.
    #[arg(long, requires = "command", conflicts_with_all = ["cgroup", "container"])]
    pub only: bool,
    /// The control group whose waits are shown.
    #[command(flatten)]
    pub group: GroupArgs,
    /// Also show wait lengths in CPU cycles.
    #[arg(long)]
    pub cycles: bool,
    /// Rows per table.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Size of the eBPF tables of callers and locks, in entries; events that do not fit are counted as lost [default: as many as fit into 64 MiB, at most 16384].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    pub max_entries: Option<u32>,
    /// Show each interval as it passes; with --json one document per line.
    #[arg(long, help_heading = "Live view")]
    pub live: bool,
    /// Length of an interval.
    #[arg(
        long,
        value_name = "T",
        default_value = "1s",
        value_parser = parse_watching,
        requires = "live",
        help_heading = "Live view"
    )]
    pub interval: u64,
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
    /// A program and its arguments; locktoll watches while it runs.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// What to group waits by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Axis {
    /// Kind of lock.
    Type,
    /// The function that asked for the lock.
    Caller,
    /// The CPU.
    Cpu,
    /// The lock.
    Lock,
}
