//! The flags on Linux.

use clap::Args;

use crate::arguments::OutputArgs;
use crate::top::blocks::{self, flags::WatchArgs};
use locktoll_terminal::failure::Outcome;

/// Measure what locks and context switches cost on this machine, and what a contended hand-over consists of.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll machine                              the price list, 20 s
  locktoll machine --quick                      5 s, with wider intervals
  locktoll machine -o machine.html              a page for a browser
  locktoll machine --json > before.json         keep it for `locktoll compare`
  locktoll machine --json | jq '.parts[] | {name, ns: .value.median, refused}'
  locktoll machine --json | jq '.decomposition.cross_cpu.parts[] | {name, ns: .ns.median}'
  taskset -c 0 locktoll machine                 on one CPU
  locktoll machine --watch                      context switches live, by process
  locktoll machine --watch 1234                 of one process, by thread, with causes
  locktoll machine --watch --json --count 60 | jq -c '.system.switches'

Probes run under SCHED_FIFO where that is permitted (`ulimit -r 1`, or root). Otherwise some context switches are involuntary; the
list marks them.")]
pub struct MachineArgs {
    /// Fewer and shorter rounds: 5 s instead of 20 s, with wider intervals.
    #[arg(long)]
    pub quick: bool,
    /// The live view, which takes the place of the price list.
    #[command(flatten)]
    pub live: WatchArgs,
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl MachineArgs {
    /// Runs the live view if the user asked for it instead of the price list.
    pub fn live_view(&self) -> Option<Outcome> {
        let pid = self.live.watch?;
        Some(blocks::run(pid, &self.live, &self.output))
    }
}
