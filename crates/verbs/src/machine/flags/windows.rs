//! Windows'.

use clap::Args;

use crate::arguments::OutputArgs;
use locktoll_terminal::failure::Outcome;

/// The price list of this machine: atomics, system calls, switches, wake-ups, every lock.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll machine                              the price list, under 20 s
  locktoll machine --quick                      wider intervals, under 5 s
  locktoll machine -o machine.html              a page for a browser
  locktoll machine -o before.json               keep it, to compare with another day or machine")]
pub struct MachineArgs {
    /// Fewer and shorter rounds: under 5 s, with wider intervals.
    #[arg(long)]
    pub quick: bool,
    /// Form and place of the result; the schema of JSON is locktoll.machine/1.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl MachineArgs {
    /// There is no live view here.
    pub fn live_view(&self) -> Option<Outcome> {
        None
    }
}
