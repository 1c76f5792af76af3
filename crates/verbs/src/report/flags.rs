//! Flags of `locktoll report`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::InputArgs;
use locktoll_shown::{Choice, Formats, Side, SortKey, View};
use locktoll_terminal::system::help;

/// Examples, and the meaning of the words.
const EXAMPLES: &str = "\
EXAMPLES
  locktoll report                                       recording.locktoll: where the time went, the locks by cost
  locktoll report recording.locktoll --lock log_lock    all about one lock
  locktoll report recording.locktoll --threads          the threads instead of the locks
  locktoll report recording.locktoll --order            orders of locks that can end in a deadlock
  locktoll report recording.locktoll --sort hold --top 50
  locktoll report recording.locktoll -o locks.csv       the format follows from the ending
  locktoll report recording.locktoll -o locks.html      a page for a browser
  locktoll report recording.locktoll -o flame.svg       a flame graph: who waited
  locktoll report recording.locktoll -o flame.svg --by holder       a flame graph: who held the locks
  locktoll report recording.locktoll -o locks.pb.gz && go tool pprof -top locks.pb.gz
  locktoll report recording.locktoll -o locks.pftrace   the timeline, for ui.perfetto.dev (record --timeline)
  locktoll report recording.locktoll -o locks.json.gz   the timeline, for profiler.firefox.com
  locktoll report recording.locktoll --json | jq '.locks[0].blame'
  locktoll report bench.json -o bench.html              a saved result of another verb

FORMATS
  text    for a terminal, as wide as the terminal or COLUMNS; 100 columns in pipes and files
  html    one file for a browser; it needs no network
  json    everything, in the schema locktoll.profile/1
  csv     one row per lock; with --sites one row per lock and call site; with --blame per lock,
          waiter and holder; with --stacks per lock and stack; with --preemption per lock, per
          place where preempted holders had acquired it, and per waiter; with --threads per
          thread. Times are in nanoseconds. An empty cell was not measured.
  pprof   profile.proto, gzip-compressed: contentions/count and delay/nanoseconds, with the lock
          and its kind as labels (go tool pprof -tagfocus). -o OUT.pb.gz writes two profiles:
          waiting by the waiters' stacks to OUT.pb.gz, and by the holders' places to
          OUT.holders.pb.gz. --by writes one of them; a pipe gets the one by waiter.
  folded  one line per stack: outermost call first, the lock last, then the nanoseconds waited
  svg     a flame graph of the folded stacks
  perfetto  the timeline of a recording that was made with --timeline: one track per thread with its
          waits and holds, flows from a release to the thread that got the lock, and counters of
          waiting threads. With --lock, only that lock.
  firefox  the same for the Firefox Profiler (profiler.firefox.com), as OUT.json.gz: markers for
          waits, holds and signals, and a call tree that counts waits

A result of bench, machine, reproduce, tour, try, compare or kernel can be shown as text, json or html.

Waits for events (condition variables, barriers and the like) are not contention, so pprof, folded and svg leave them out. A `-` in
text, an empty cell in CSV and null in JSON mean that something was not measured.";

#[cfg_attr(
    target_os = "linux",
    doc = "Show a recording or a saved result: text, page, JSON, CSV, pprof, folded stacks, flame graph."
)]
#[cfg_attr(
    windows,
    doc = "Show a saved result, or a recording that was made on Linux: text, page, JSON, CSV, pprof, folded stacks, flame graph."
)]
#[derive(Debug, Args)]
#[command(after_help = help::typed(EXAMPLES))]
pub struct ReportArgs {
    /// A recording, or a result that a verb saved as JSON.
    #[arg(value_name = "FILE", default_value = help::RECORDING)]
    pub recording: PathBuf,
    /// Format of the report [default: by the ending of OUT, else text].
    #[arg(long, value_parser = Formats::OfProfiles.parser())]
    pub format: Option<Choice>,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write the report to a file instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Order of the locks [default: wait].
    #[arg(long, value_enum)]
    pub sort: Option<SortKey>,
    /// Number of locks, or with --threads of threads [default: 10 in text, else all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
    /// Show one lock in full, by its id, its name, or a unique part of either.
    #[arg(long, value_name = "ID", conflicts_with_all = ["top", "sort"])]
    pub lock: Option<String>,
    /// Attribute the time to waiters or to holders in pprof, folded and svg [default: waiter].
    #[arg(long, value_enum, value_name = "SIDE")]
    pub by: Option<Side>,
    /// How much is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// Another table of text or CSV.
    #[command(flatten)]
    pub tables: Tables,
}

/// Tables that can be asked for in place of the locks.
#[derive(Debug, Default, Args)]
#[group(multiple = false)]
pub struct Tables {
    /// Show the call sites of each lock (text, CSV).
    #[arg(long)]
    pub sites: bool,
    /// Show who waited for whom, for each lock (text, CSV).
    #[arg(long)]
    pub blame: bool,
    /// Show the stacks that waited for each lock (text, CSV).
    #[arg(long)]
    pub stacks: bool,
    /// Show preempted holders and their waiters, for each lock (text, CSV).
    #[arg(long)]
    pub preemption: bool,
    /// Show the order of locks, and the orders that can end in a deadlock (text).
    #[arg(long, conflicts_with = "lock")]
    pub order: bool,
    /// Show the alerts that were raised while the program ran (text).
    #[arg(long, conflicts_with = "lock")]
    pub alerts: bool,
    /// Show the threads instead of the locks (text, CSV).
    #[arg(long, conflicts_with = "lock")]
    pub threads: bool,
}

impl Tables {
    /// Returns the table asked for.
    pub fn view(&self) -> View {
        match self {
            Self { sites: true, .. } => View::Sites,
            Self { blame: true, .. } => View::Blame,
            Self { stacks: true, .. } => View::Stacks,
            Self { threads: true, .. } => View::Threads,
            Self { order: true, .. } => View::Order,
            Self { alerts: true, .. } => View::Alerts,
            Self {
                preemption: true, ..
            } => View::Preemption,
            _ => View::Locks,
        }
    }
}
