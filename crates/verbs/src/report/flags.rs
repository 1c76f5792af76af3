//! Flags of `locktoll report`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::InputArgs;
use locktoll_shown::{Choice, Formats, Side, SortKey, View};
use locktoll_terminal::system::help;

/// Examples, and what the words mean.
const EXAMPLES: &str = "\
EXAMPLES
  locktoll report recording.locktoll                    where the time went, the locks by cost
  locktoll report recording.locktoll --lock log_lock    all about one lock
  locktoll report recording.locktoll --threads          the threads instead of the locks
  locktoll report recording.locktoll --sort hold --top 50
  locktoll report recording.locktoll -o locks.csv       the form by the ending of the name
  locktoll report recording.locktoll -o locks.html      a page for a browser
  locktoll report recording.locktoll -o flame.svg       a flame graph: who waited
  locktoll report recording.locktoll -o flame.svg --by holder       who they waited for
  locktoll report recording.locktoll -o locks.pb.gz && go tool pprof -top locks.pb.gz
  locktoll report recording.locktoll --json | jq '.locks[0].blame'
  locktoll report bench.json -o bench.html              a result of bench, machine, reproduce,
                                                        tour, try or compare, as text, json or html

FORMS
  text    a page for a terminal, as wide as it is (or COLUMNS); 100 columns in pipes and files
  html    a page for a browser: one file, which needs no network
  json    the schema locktoll.profile/1: everything
  csv     one row a lock; with --sites one row a lock and call site, the lock's columns
          repeated; with --blame one a lock, waiter and holder; with --stacks one a lock and
          stack; with --preemption one a lock with what is known of preempted holders, and one
          each for where they had acquired it and for who waited meanwhile; with --threads one
          a thread. Times are nanoseconds, an empty cell was not
          measured.
  pprof   profile.proto, gzip-compressed: contentions/count and delay/nanoseconds, with the lock
          and its kind as labels (go tool pprof -tagfocus). There are two: -o OUT.pb.gz writes
          the stacks that waited to OUT.pb.gz and the places of the holders to
          OUT.holders.pb.gz; --by writes one of them alone. Into a pipe goes the one by waiter
          unless --by says otherwise.
  folded  a line a stack, outermost call first, the lock last, then nanoseconds waited
  svg     a flame graph of these

What waits for signals (condition variables, barriers ...) is never in pprof, folded and svg: it
is no contention. A `-` in text, an empty cell in CSV and null in JSON mean: not measured.";

#[cfg_attr(
    target_os = "linux",
    doc = "Show a recording: text, CSV, JSON, pprof, folded stacks, a flame graph."
)]
#[cfg_attr(
    windows,
    doc = "Show a recording that was made on Linux: text, CSV, JSON, pprof, folded stacks, a flame graph; or a saved result."
)]
#[derive(Debug, Args)]
#[command(after_help = help::typed(EXAMPLES))]
pub struct ReportArgs {
    /// A recording made by `locktoll record`, or a result that --json wrote.
    #[arg(value_name = "FILE")]
    pub recording: PathBuf,
    /// The form of the report [default: by the ending of OUT, else text].
    #[arg(long, value_parser = Formats::OfProfiles.parser())]
    pub format: Option<Choice>,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write the report to a file instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What puts a lock first [default: wait].
    #[arg(long, value_enum)]
    pub sort: Option<SortKey>,
    /// How many locks (with --threads: threads) to show [default: 10 in text, else all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
    /// Show one lock in full: its id, its name, or a part that only it has.
    #[arg(long, value_name = "ID", conflicts_with_all = ["top", "sort"])]
    pub lock: Option<String>,
    /// Whose places time is shown under in pprof, folded and svg [default: waiter].
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
    /// The places that acquire each lock (text, CSV).
    #[arg(long)]
    pub sites: bool,
    /// Who waited for whom, for each lock (text, CSV).
    #[arg(long)]
    pub blame: bool,
    /// The stacks of calls that waited, for each lock (text, CSV).
    #[arg(long)]
    pub stacks: bool,
    /// Holders that lost their processor, and who waited meanwhile, for each lock (text, CSV).
    #[arg(long)]
    pub preemption: bool,
    /// The threads instead of the locks (text, CSV).
    #[arg(long, conflicts_with = "lock")]
    pub threads: bool,
}

impl Tables {
    /// The one asked for.
    pub fn view(&self) -> View {
        match self {
            Self { sites: true, .. } => View::Sites,
            Self { blame: true, .. } => View::Blame,
            Self { stacks: true, .. } => View::Stacks,
            Self { threads: true, .. } => View::Threads,
            Self {
                preemption: true, ..
            } => View::Preemption,
            _ => View::Locks,
        }
    }
}
