//! Flags of `locktoll compare`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{InputArgs, OutputArgs};
use crate::compare::rule::Rule;
use locktoll_terminal::system::help;

/// Examples, and what the words mean.
const EXAMPLES: &str = "\
EXAMPLES
  locktoll bench --lock std,parking_lot --threads 1,8 -o before.json keep a result ...
  locktoll compare before.json after.json                            ... and compare it with another
  locktoll compare before.locktoll after.locktoll                    two recordings of one program
  locktoll compare a1.json,a2.json,a3.json,a4.json b1.json,b2.json,b3.json,b4.json
  locktoll compare before.json after.json -o changes.json            the form by the ending
  locktoll compare before.locktoll after.locktoll --fail-if 'wait_ns[log_lock]>1.2x'
  locktoll compare before.json after.json --fail-if slower --fail-if only_a

WHAT IS COMPARED
  A and B are of one kind: recordings or profiles (record --json), or results of bench, machine,
  reproduce, tour or try as --json wrote them. Cells are matched by their lock and knobs, prices
  and candidates of try by name, claims by id, locks by their identity, which survives a rebuild
  of the program.

INTERVALS
  Of bench, machine and try: the 95 % interval of the ratio of two independent medians (Zou
  and Donner, 2008). A ratio is a difference only where all of its interval lies beyond 1 and
  beyond what the A/A pairs of both runs and the loop without a lock differed by.
  Of recordings: one run a side has no interval, and no difference is claimed. Of several runs
  a side, with commas between them, all ratios of pairs are taken (Hodges and Lehmann, Moses);
  four runs of each reach 95 %.

RULES
  FIGURE>1.2x     B over A; with an interval, all of it must lie beyond, else the ratio itself
  FIGURE>50us     the figure in B; < where less is bad
  FIGURE[ROWS]>.. only rows with this key or name, or with it as a part
  slower          a row with this verdict; also faster, changed, only_a, only_b
  .. and ..       all of them true of one row: 'wait_ns>1.2x and wait_ns>1ms'
  A broken rule makes the exit code 1, and the rows are named on standard error. Rows that only
  one side has are named there, too; --fail-if only_a breaks on them.
  slower and its like allow for the number of rows: of rows that did not change, however many,
  one breaks the rule in at most one of twenty comparisons.
  Not judged, and named on standard error: rows that one side lacks, rows whose equal things
  differed by more than the bound, and what was 0 in A and is more in B, unless there are enough
  runs or the rule has an amount, too: 'wait_ns>1.2x and wait_ns>1ms'. A rule that was judged on
  no row at all makes the exit code 1 as well, unless --allow-unjudged is given.

FIGURES
  bench       ns_per_op, p50_ns, p99_ns, p99_9_ns, voluntary_switches_per_op,
              involuntary_switches_per_op, user_ns_per_op, system_ns_per_op, ops_per_second,
              jain, bystander_per_second
  machine     value_ns, kernel_entries_per_op, switches_counted
  recordings  of the whole run: wait_ns, contended, acquisitions, hold_ns; normalised:
              wait_ns_per_acquisition, contended_share, hold_ns_per_acquisition by acquisitions,
              wait_share by the time of all threads; of the row `program`, which is all of it,
              also duration_ns, cpu_ns, voluntary_switches
  reproduce   checks_held, measured; here slower means that a claim held and does not any more
  try         times_as_good_as_bare (in the same run), cpu_over_bare, wall_time_ns, cpu_ns, metric";

/// Two saved results or recordings side by side: what changed, with intervals. A gate for CI.
#[derive(Debug, Args)]
#[command(after_help = help::typed(EXAMPLES))]
pub struct CompareArgs {
    /// A saved result or recording; several runs of one side with commas between them.
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// What it is compared with.
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Fail with exit code 1 where a row breaks this rule; may be given several times.
    #[arg(long, value_name = "RULE")]
    pub fail_if: Vec<Rule>,
    /// Pass rules that could be judged on no row at all.
    #[arg(long, requires = "fail_if")]
    pub allow_unjudged: bool,
    /// The figure that rows are judged and ordered by [default: ns_per_op, value_ns, wait_ns,
    /// times_as_good_as_bare].
    #[arg(long, value_name = "FIGURE")]
    pub by: Option<String>,
    /// How many rows to show in text [default: 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
    /// How much is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// The form of the result and its place.
    #[command(flatten)]
    pub output: OutputArgs,
}
