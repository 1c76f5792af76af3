//! Windows'.

use clap::Args;

use crate::cli::values::OutputArgs;

/// Flags of `locktoll machine`.
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
