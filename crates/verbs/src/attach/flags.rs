//! `locktoll attach`.

use std::path::PathBuf;

use clap::Args;

use crate::alarm::parse_rule;
use crate::arguments::{Spin, parse_process, parse_spin, parse_watching};
use crate::groups::GroupArgs;
use locktoll_shown::{Choice, Formats, SortKey};
use locktoll_sources::alerts::Rule;

/// Profile the locks of running programs, in any language, without stopping them (needs privileges).
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll attach 4711                                  until Ctrl-C, then its locks by waiting time
  locktoll attach 4711 --duration 10s -o before.json    ten seconds; keep the profile
  locktoll report before.json --lock log_lock           one lock: who waited, who woke whom
  locktoll report before.json -o before.html            a page for a browser
  locktoll attach 4711 4712 --children                  two processes, and those they start
  locktoll attach 4711 --alert 'wait>1s'                each wait for a lock that exceeds a second, while it lasts
  locktoll attach --cgroup system.slice/redis.service   the processes of a service
  locktoll attach --container web --duration 10s        the processes of a container, by its name or id

WHAT IS SEEN
  Threads that wait for each other use one system call, futex(2), whatever language the program is written in. attach sees the waits
  that enter the kernel, by lock and place, and the thread that ended each wait; and, by samples, loops that wait for another thread to
  write a word of memory. It does not see acquisitions without a wait or hold times: these are null in JSON and a dash in text.

  The program is neither stopped nor changed, except that an alert may stop a thread that holds a lock for the time that it takes
  to read its stack. Watching a single process without --children ends when it becomes another program
  (execve); otherwise the new program is watched as another process.")]
pub struct AttachArgs {
    /// Process ids.
    #[arg(value_name = "PID", required_unless_present_any = ["cgroup", "container"], conflicts_with_all = ["cgroup", "container"], value_parser = parse_pid)]
    pub pids: Vec<u32>,
    /// Also watch the processes that these start, and the programs that replace them (execve).
    #[arg(long)]
    pub children: bool,
    /// The control group to watch instead.
    #[command(flatten)]
    pub group: GroupArgs,
    /// How long to watch [default: until Ctrl-C or the end of the last process].
    #[arg(long, value_name = "T", value_parser = parse_watching, allow_hyphen_values = true)]
    pub duration: Option<u64>,
    /// Print an alert when a mutex for which threads wait is held for longer than a time ('hold>100ms'), or when a thread waits for any
    /// lock for longer than a time ('wait>1s'); may be repeated.
    #[arg(long, value_name = "WHAT>TIME", value_parser = parse_rule)]
    pub alert: Vec<Rule>,
    /// Write alerts to this file as JSON lines instead of to standard error.
    #[arg(long, value_name = "FILE", requires = "alert")]
    pub alert_file: Option<PathBuf>,
    /// Detect busy waiting by sampling: on, off, or samples per second of CPU time [default: on, 251 per second].
    #[arg(long, value_name = "on|off|HZ", value_parser = parse_spin, hide_default_value = true, default_value = "on")]
    pub spin: Spin,
    /// Size of the eBPF tables, in entries (places, stacks, threads, processes); events that do not fit are counted as lost.
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    pub max_entries: u32,
    /// Most stack-unwinding rules to load (8 bytes each); files that do not fit get no stacks, and are counted.
    #[arg(long, value_name = "N", default_value_t = 16_777_216, value_parser = clap::value_parser!(u32).range(1..=268_435_456))]
    pub max_rules: u32,
    /// Write the profile to a file as JSON, for `locktoll report`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Format on standard output [default: text].
    #[arg(long, value_parser = Formats::OfResults.parser())]
    pub format: Option<Choice>,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Order of the locks [default: wait].
    #[arg(long, value_enum)]
    pub sort: Option<SortKey>,
    /// Number of locks [default: 10 in text, else all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll attach 1234`")
}

impl AttachArgs {
    /// Returns the format of the result on standard output.
    pub fn format(&self) -> Choice {
        Formats::OfResults.choose(self.format, self.json, None)
    }
}
