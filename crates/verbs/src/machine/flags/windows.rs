//! The flags on Windows.

use clap::Args;

use crate::arguments::OutputArgs;
use locktoll_terminal::failure::Outcome;

/// Measure what locks and context switches cost on this machine.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll machine                              the price list, 20 s
  locktoll machine --quick                      5 s, with wider intervals
  locktoll machine -o machine.html              a page for a browser
  locktoll machine -o before.json               keep it for `locktoll compare`")]
pub struct MachineArgs {
    /// Fewer and shorter rounds: 5 s instead of 20 s, with wider intervals.
    #[arg(long)]
    pub quick: bool,
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl MachineArgs {
    /// There is no live view here.
    pub fn live_view(&self) -> Option<Outcome> {
        None
    }
}
