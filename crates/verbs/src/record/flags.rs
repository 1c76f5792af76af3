//! Flags of `locktoll record`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::timeline::{self, Of};
use crate::alarm::parse_rule;
use crate::arguments::{Spin, parse_spin};
use locktoll_shown::{Choice, Formats};
use locktoll_sources::alerts::Rule;
use locktoll_sources::recording::When;
use locktoll_terminal::system::help;

/// Profile the locks of an unmodified program.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll record [OPTIONS] [--] <CMD>...",
    after_help = "EXAMPLES
  locktoll record -- ./server --port 8080       run it, then print its locks by cost
  locktoll record -o before.locktoll -- make    keep the recording
  locktoll report before.locktoll               read it again
  locktoll record --format html -- ./a.out      a page for a browser, recording.locktoll.html
  locktoll record --json -- ./a.out | jq .locks[0]
  locktoll record --exact -- ./a.out            time every hold instead of a sample (slower)
  locktoll record --spin off -- ./server        do not detect busy waiting
  locktoll record --timeline -- ./server        also keep the time of each wait, for a page or Perfetto
  locktoll record --timeline --timeline-when 'wait>50ms' -- ./server    only the events around each long wait
  locktoll record --preemption -- ./server      how often holders were preempted, and who waited
  locktoll record --live -- ./server            a program that runs for months; `locktoll snapshot PID` writes what is new

WHAT IS RECORDED
  Every acquisition is counted and every contended wait is timed. Hold times are an unbiased sample; --exact times every hold, which
  costs two more clock readings per acquisition.

  Processes that ignore preload libraries are not recorded: statically linked or set-user-id programs, programs of another
  architecture, and programs that are started without LD_PRELOAD in their environment. Of these, locktoll counts the ones that are
  still running at the end.

PREEMPTED HOLDERS
  With --preemption, an eBPF program notes at each context switch when a thread is preempted while it holds locks, for how long, and
  which threads wait for these locks in the meantime. It needs root, or CAP_BPF, CAP_PERFMON and CAP_SYS_ADMIN, and Linux 5.18 or later.
  Where it is not permitted, the run goes on without it. The report then contains an estimate, as it does without the flag; the
  estimate comes from context switches in long holds, and from holds that lasted many times as long as others.

BUSY WAITING
  A thread that waits in a loop for another thread to write a word of memory uses CPU time and acquires no lock. record samples the
  running threads 251 times per second of CPU time, and recognises such loops by their code. It reports the word, the code that writes
  it, and what the writing thread did in the meantime. With privileges (CAP_PERFMON), the kernel's work for the program is sampled too.

OUTPUT
  The program's output, exit status and signals pass through unchanged. The summary follows on standard output once the program has
  ended. With --json, standard output is the JSON document alone, and the program's standard output goes to standard error. With
  --format html, the page is written next to the recording, as FILE.html.

  Afterwards locktoll measures what recording adds to an uncontended acquisition and release on this machine. That takes up to half
  a second; Ctrl-C skips it and keeps the recording.

FILES
  An existing FILE is replaced only once the new recording is complete. Until then each process writes into the folder
  FILE.parts-PID. `locktoll report FILE` reads that folder while the program runs, or if locktoll itself was killed."
)]
pub struct RecordArgs {
    /// Write the recording to this file.
    #[arg(short, long, value_name = "FILE", default_value = help::RECORDING)]
    pub output: PathBuf,
    /// Time every hold instead of a sample (slower).
    #[arg(long)]
    pub exact: bool,
    /// Do not record the processes that the program starts.
    #[arg(long)]
    pub no_children: bool,
    /// Keep the recording of a program that runs for months small: it does not grow with each thread or process that ends, and lists the
    /// lives of few of them. `locktoll snapshot PID` writes what is new.
    #[arg(long)]
    pub live: bool,
    /// Note which locks are acquired while others are held, and find orders that can end in a deadlock.
    #[arg(long, value_enum, default_value_t = OnOff::On, value_name = "on|off")]
    pub order: OnOff,
    /// Exit with code 1 if an order of locks was seen that can end in a deadlock.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
    /// Print an alert when a lock is held or waited for longer than a time, such as 'hold>100ms' or 'wait>1s'; may be repeated.
    #[arg(long, value_name = "WHAT>TIME", value_parser = parse_rule)]
    pub alert: Vec<Rule>,
    /// Write alerts to this file as JSON lines instead of to standard error.
    #[arg(long, value_name = "FILE", requires = "alert")]
    pub alert_file: Option<PathBuf>,
    /// Keep the last events of each thread with their times, in this much memory for each process [default SIZE: 64MiB].
    #[arg(long, value_name = "SIZE", num_args = 0..=1, require_equals = true, default_missing_value = "64MiB", value_parser = timeline::parse_room)]
    pub timeline: Option<u64>,
    /// Events of --timeline to keep: waits (with the holds that caused them), everything (all holds too), or NAME,... (waits and
    /// holds of the locks with these names) [default: waits].
    #[arg(long, value_name = "WHAT", requires = "timeline", value_parser = timeline::parse_of, hide_default_value = true, default_value = "waits")]
    pub timeline_of: Of,
    /// Keep only the events of the 2 s before and after each long wait, such as 'wait>50ms'.
    #[arg(long, value_name = "WAIT", requires = "timeline", value_parser = timeline::parse_when)]
    pub timeline_when: Option<When>,
    /// Watch for preempted holders with eBPF (needs privileges).
    #[arg(long)]
    pub preemption: bool,
    /// Detect busy waiting by sampling: on, off, or samples per second of CPU time [default: on, 251 per second].
    #[arg(long, value_name = "on|off|HZ", value_parser = parse_spin, hide_default_value = true, default_value = "on")]
    pub spin: Spin,
    /// Size of the eBPF tables for --preemption, in entries; events that do not fit are counted as lost.
    #[arg(long, value_name = "N", requires = "preemption", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    pub max_entries: u32,
    /// Print no summary.
    #[arg(short, long, conflicts_with_all = ["json", "format"])]
    pub quiet: bool,
    /// Format of the summary: text or json on standard output, html in FILE.html [default: text].
    #[arg(long, value_parser = Formats::OfResults.parser())]
    pub format: Option<Choice>,
    /// Short for `--format json`: one document (schema locktoll.profile/1).
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// The program and its arguments. locktoll's flags go before it; everything after it is passed to the program.
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OnOff {
    /// Yes.
    On,
    /// No.
    Off,
}

/// What makes `record` fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// An order of locks that can end in a deadlock.
    Order,
}

impl RecordArgs {
    /// Returns the format of the summary.
    pub fn format(&self) -> Choice {
        Formats::OfResults.choose(self.format, self.json, None)
    }
}
