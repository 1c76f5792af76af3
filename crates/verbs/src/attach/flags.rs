//! `locktoll attach`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::parse_time;
use locktoll_shown::{Choice, Formats, SortKey};

/// The futex waits of running programs, in any language, without stopping them (needs privileges).
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll attach 4711                                  until Ctrl-C, then its locks by waiting
  locktoll attach 4711 --duration 10s -o before.json    keep the profile
  locktoll report before.json --lock log_lock           one lock: who waited, who woke whom
  locktoll report before.json -o before.html            a page for a browser
  locktoll attach 4711 4712 --children                  two processes, and those they start
  locktoll attach --cgroup system.slice/redis.service   the processes of a service

Threads that wait for each other end up in one system call (futex), whatever the program is
written in. attach sees the waits that entered the kernel, by lock and place, and the thread that
ended each. It does not see acquisitions without a wait, spinning, or how long locks are held:
these are null in JSON, a dash in text. The program is not stopped and not changed. If one process
is watched without --children, watching ends when it becomes another program (execve). Otherwise
the new program is watched as another process.")]
pub struct AttachArgs {
    /// The processes.
    #[arg(value_name = "PID", required_unless_present = "cgroup", value_parser = clap::value_parser!(u32).range(1..))]
    pub pids: Vec<u32>,
    /// Also watch the processes that these start, and the programs that they become (execve).
    #[arg(long)]
    pub children: bool,
    /// Watch all processes in this control group and the groups below it, and those that join later. PATH is a folder, or its name under /sys/fs/cgroup.
    #[arg(long, value_name = "PATH", conflicts_with = "pids")]
    pub cgroup: Option<PathBuf>,
    /// How long to watch; without it, until Ctrl-C or the end of the last process.
    #[arg(long, value_name = "T", value_parser = parse_time)]
    pub duration: Option<u64>,
    /// How many places that wait or wake, stacks, threads and processes (each) the kernel keeps at most; those that find no room are counted.
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    pub max_entries: u32,
    /// How many rules for walking stacks of calls are kept at most, eight bytes each: files with more get no stacks, and are counted.
    #[arg(long, value_name = "N", default_value_t = 16_777_216, value_parser = clap::value_parser!(u32).range(1..=268_435_456))]
    pub max_rules: u32,
    /// Keep the profile in a file, as JSON (schema locktoll.profile/1), for `locktoll report`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The form of the result on standard output [default: text].
    #[arg(long, value_parser = Formats::OfResults.parser())]
    pub format: Option<Choice>,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// What puts a lock first [default: wait].
    #[arg(long, value_enum)]
    pub sort: Option<SortKey>,
    /// How many locks to show [default: 10 in text, else all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
}

impl AttachArgs {
    /// The format of the result on standard output.
    pub fn format(&self) -> Choice {
        Formats::OfResults.choose(self.format, self.json, None)
    }
}
