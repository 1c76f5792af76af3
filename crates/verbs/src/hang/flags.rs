//! Flags of `locktoll hang`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{OutputArgs, parse_process, parse_watching};

/// Show what each thread of a stuck process waits for, who holds it, and any deadlock.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll hang [OPTIONS] <PID>\n       locktoll hang [OPTIONS] --core <FILE>",
    after_help = "EXAMPLES
  locktoll hang 4711                 deadlocks, threads that hold up others, and where each thread waits
  locktoll hang 4711 --all           also the threads that sleep or wait for work
  locktoll hang 4711 --watch 5s      every five seconds: the threads that have not run since the last check
  locktoll hang 4711; [ $? -eq 1 ]   a health check: exit code 1 means that there is a deadlock
  locktoll hang --core core.4711     the same from a core file
  locktoll hang 4711 -o hang.json    keep it; `locktoll report hang.json` shows it again

WHAT IS SEEN
  Each thread is stopped for as long as it takes to read its registers and its stack, and goes on as if nothing had happened. No
  recording and no eBPF are needed. The holder of a lock is known from the lock itself (glibc's mutexes, and rwlocks held by a
  writer; under `locktoll try`, recursive and error-checking mutexes, and rwlocks held by a writer) or, if the process runs under `locktoll record`, from the recording: any kind of lock, with the place of the acquisition.
  If the holder cannot be known, the report says so.

  A second check confirms that the same threads are still in the same waits for the same holders; only such waits are reported as
  waits for a thread. A wait with a deadline ends by itself, so it is never part of a deadlock.

PRIVILEGES
  The right to trace the process (ptrace(2)): the same user, unless kernel.yama.ptrace_scope forbids it, or CAP_SYS_PTRACE.

EXIT CODE
  1 if there is a deadlock, 0 if there is none, 3 if the process cannot be examined, 4 if the report cannot be written."
)]
pub struct HangArgs {
    /// Process id.
    #[arg(value_name = "PID", required_unless_present = "core", value_parser = parse_pid)]
    pub pid: Option<u32>,
    /// Read a core file instead of a process.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pid", "watch"])]
    pub core: Option<PathBuf>,
    /// Also list the threads that merely sleep or wait for work.
    #[arg(long)]
    pub all: bool,
    /// Check the process every T, and list only the threads that have not run since the last check, until a deadlock, the end of
    /// the process, or Ctrl-C.
    #[arg(long, value_name = "T", value_parser = parse_watching, allow_hyphen_values = true)]
    pub watch: Option<u64>,
    /// Where the result goes.
    #[command(flatten)]
    pub output: OutputArgs,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll hang 1234`")
}
