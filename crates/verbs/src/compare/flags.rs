//! Flags of `locktoll compare`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{InputArgs, OutputArgs};
use crate::compare::rule::Rule;
use locktoll_terminal::system::help;

/// Examples, and an explanation of the terms.
const EXAMPLES: &str = "\
EXAMPLES
  locktoll compare before.json after.json                            two results of a verb
  locktoll bench --lock std,parking_lot --threads 1,8 -o before.json how to make one
  locktoll compare before.locktoll after.locktoll                    two recordings of one program
  locktoll compare a1.json,a2.json,a3.json,a4.json b1.json,b2.json,b3.json,b4.json
  locktoll compare before.json after.json -o changes.json            the format follows from the ending
  locktoll compare before.locktoll after.locktoll --fail-if 'wait_ns[log_lock]>1.2x'
  locktoll compare before.json after.json --fail-if slower --fail-if only_a

WHAT IS COMPARED
  A and B are of one kind: recordings or profiles (record --json), or results of bench, machine, reproduce, tour or try that --json
  or -o wrote. Cells are matched by their lock and parameters, prices and locks of try by name, claims by id, and locks of programs by
  their identity, which survives a rebuild of the program.

INTERVALS
  For bench, machine and try: the 95 % interval of the ratio of two independent medians (Zou and Donner, 2008). A ratio is a
  difference only if its whole interval lies beyond 1 and beyond the noise floor, which is how much the same lock measured twice, and
  the loop without a lock, differed.

  For recordings: with one run per side there is no interval, and no difference is claimed. With several runs per side, separated by
  commas, the interval is that of Hodges and Lehmann over all pairs; four runs of each reach 95 %.

RULES
  FIGURE>1.2x     B relative to A; the whole interval, if there is one, must lie beyond
  FIGURE>50us     the figure in B; use < where less is bad
  FIGURE[ROWS]>.. only rows whose key or name contains ROWS
  slower          a row with this verdict; also faster, changed, only_a, only_b
  .. and ..       both for the same row: 'wait_ns>1.2x and wait_ns>1ms'

  A broken rule makes the exit code 1, and standard error names the rows. It also names rows that only one side has; --fail-if only_a
  breaks on them.

  Rules like slower allow for the number of rows: however many rows did not change, one of them breaks the rule in at most one of
  twenty comparisons.

  Some rows cannot be judged: those that one side lacks, those whose noise floor exceeds the bound, and those that are 0 in A and more
  in B (unless there are enough runs, or the rule also has an amount: 'wait_ns>1.2x and wait_ns>1ms'). Standard error names them. If
  no row could be judged, the rule fails, unless --allow-unjudged is given.

FIGURES
  bench       ns_per_op, p50_ns, p99_ns, p99_9_ns, voluntary_switches_per_op,
              involuntary_switches_per_op, user_ns_per_op, system_ns_per_op, ops_per_second,
              jain, bystander_per_second
  machine     value_ns, kernel_entries_per_op, switches_counted
  recordings  wait_ns, contended, acquisitions, hold_ns (of the whole run);
              wait_ns_per_acquisition, contended_share, hold_ns_per_acquisition (per acquisition);
              wait_share (of the threads' time); for the row `program` also duration_ns, cpu_ns,
              voluntary_switches
  reproduce   checks_held, measured; slower means that a claim held in A but not in B
  try         times_as_good_as_bare (of the same run), cpu_over_bare, wall_time_ns, cpu_ns, metric";

/// Compare two recordings or saved results, with intervals; a gate for CI.
#[derive(Debug, Args)]
#[command(after_help = help::typed(EXAMPLES))]
pub struct CompareArgs {
    /// A recording or saved result; or several runs, separated by commas.
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The recordings or results to compare with A.
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Exit with 1 if a row breaks this rule; may be repeated.
    #[arg(long, value_name = "RULE")]
    pub fail_if: Vec<Rule>,
    /// Pass rules for which no row could be judged.
    #[arg(long, requires = "fail_if")]
    pub allow_unjudged: bool,
    /// Figure that decides verdicts and order [default: ns_per_op, value_ns, wait_ns or times_as_good_as_bare].
    #[arg(long, value_name = "FIGURE")]
    pub by: Option<String>,
    /// Number of rows in text [default: 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
    /// Limits.
    #[command(flatten)]
    pub input: InputArgs,
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}
