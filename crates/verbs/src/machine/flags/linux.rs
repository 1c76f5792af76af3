//! Linux's.

use clap::Args;

use crate::arguments::OutputArgs;
use crate::top::blocks::{self, flags::WatchArgs};
use locktoll_terminal::failure::Outcome;

/// The price list of this machine: atomics, system calls, switches, wake-ups, cache refills, every lock; and what a
/// contended hand-over is made of.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll machine                              the price list, under 20 s
  locktoll machine --quick                      wider intervals, under 5 s
  locktoll machine -o machine.html              a page for a browser
  locktoll machine --json > before.json         keep it, to compare with another day or machine
  locktoll machine --json | jq '.parts[] | {name, ns: .value.median, refused}'
  locktoll machine --json | jq '.decomposition.cross_cpu.parts[] | {name, ns: .ns.median}'
  taskset -c 0 locktoll machine                 on one CPU
  locktoll machine --watch                      context switches live, by process
  locktoll machine --watch 1234                 those of a process, by thread, and why
  locktoll machine --watch --json --count 60 | jq -c '.system.switches'

Probes run under SCHED_FIFO where that is permitted (`ulimit -r 1`, or root). Where it is not, switches are
a mix of voluntary and involuntary ones, and the list says which.")]
pub struct MachineArgs {
    /// Fewer and shorter rounds: under 5 s, with wider intervals.
    #[arg(long)]
    pub quick: bool,
    /// The live view, which takes the place of the price list.
    #[command(flatten)]
    pub live: WatchArgs,
    /// Form and place of the result; the schema of JSON is locktoll.machine/1, of the live view locktoll.watch/1.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl MachineArgs {
    /// Runs the live view, where it is asked for in place of the price list.
    pub fn live_view(&self) -> Option<Outcome> {
        let pid = self.live.watch?;
        Some(blocks::run(pid, &self.live, &self.output))
    }
}
