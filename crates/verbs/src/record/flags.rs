//! Flags of `locktoll record`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use locktoll_shown::{Choice, Formats};

/// Profile the locks of an unmodified program.
#[derive(Debug, Args)]
#[command(
    override_usage = "locktoll record [OPTIONS] [--] <CMD>...",
    after_help = "EXAMPLES
  locktoll record -- ./server --port 8080       run it, then print its locks by cost
  locktoll record -o before.locktoll -- make    keep the recording
  locktoll record --exact -- ./a.out            time every hold, not a sample of them
  locktoll record --json -- ./a.out | jq .locks[0]
  locktoll record --format html -- ./a.out      a page for a browser, recording.locktoll.html
  locktoll record --preemption -- ./server      how often holders lost their processor, and who waited
  locktoll report before.locktoll               read it again

Every acquisition is counted and every contended wait is timed. Of the times that locks are
held, an unbiased sample is taken; with --exact all are timed, which costs two readings of the
clock more for each acquisition.

With --preemption, a program of locktoll's at the kernel's context switches notes when a thread
loses its processor while it holds locks, for how long, and which threads waited for these
meanwhile. That takes root, or the capabilities CAP_BPF and CAP_PERFMON, and a kernel from 5.18 on.
Where it is not allowed, the run goes on without it, and what is said of preempted holders is what
is said without the flag: an estimate, from holds that are long enough to ask the kernel about, and
from holds that lasted many times as long as others.

The program's own output, exit status and signals pass through unchanged; the profile follows on
standard output once the program has ended. With --json, standard output is the document alone,
and what the program writes there goes to standard error. With --format html, standard output is
the program's alone, and the page is written beside the recording, to FILE.html.

Once the program has ended, what recording adds to an uncontended lock and unlock is measured on
this machine, so that reports can say what the recorder cost. That takes a quarter of a second,
never more than half a second; Ctrl-C cuts it short and keeps the recording.

A recording that is already at FILE, and with --format html a page at FILE.html, is replaced only
when the new one is whole; no other file is ever overwritten. Until then each process writes into
the folder FILE.parts-PID. `locktoll report FILE` reads that as long as FILE is not there: while the
program runs, or if locktoll itself was killed.

Not recorded are processes that ignore preload libraries: statically linked, set-user-id, of
another architecture, or started with an environment of their own. Those of them that still run
at the end are counted; of others, nothing can be known."
)]
pub struct RecordArgs {
    /// Where the recording goes.
    #[arg(short, long, value_name = "FILE", default_value = "recording.locktoll")]
    pub output: PathBuf,
    /// Time every hold instead of a sample.
    #[arg(long)]
    pub exact: bool,
    /// Record the program alone, not the processes it starts.
    #[arg(long)]
    pub no_children: bool,
    /// Have the kernel watch for holders that lose their processor, and for who waits meanwhile.
    #[arg(long)]
    pub preemption: bool,
    /// How many different places that hold or wait, and locks, the kernel keeps for --preemption; what finds no room is counted.
    #[arg(long, value_name = "N", requires = "preemption", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    pub max_entries: u32,
    /// Print no summary; only write the recording.
    #[arg(short, long, conflicts_with_all = ["json", "format"])]
    pub quiet: bool,
    /// The form of the summary: text or json on standard output, html in FILE.html [default: text].
    #[arg(long, value_parser = Formats::OfResults.parser())]
    pub format: Option<Choice>,
    /// Short for `--format json`: one document (schema locktoll.profile/1).
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// The program and its arguments; flags before it are ours, those behind it its own.
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

impl RecordArgs {
    /// The format of the summary.
    pub fn format(&self) -> Choice {
        Formats::OfResults.choose(self.format, self.json, None)
    }
}
