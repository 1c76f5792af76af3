//! Flags of `locktoll snapshot`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::parse_process;

/// Write what a recording in progress has gained since the last snapshot, without stopping the program.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll record --live -- ./server &          record a server for as long as it runs
  locktoll snapshot $(pgrep -n server) -o monday.locktoll
  locktoll snapshot $(pgrep -n server) -o tuesday.locktoll      what happened since monday.locktoll
  locktoll report tuesday.locktoll              its locks by cost
  locktoll compare monday.locktoll tuesday.locktoll
  locktoll snapshot --since-start 4711          everything since the recording began

WHAT A SNAPSHOT HAS
  A recording of the time since the last snapshot, of all processes of the run that PID belongs to. Acquisitions, waits, holds, their
  histograms and who made whom wait are exact: the snapshots of a run add up to its recording. The longest wait or hold of the interval
  is exact if it is the longest so far; otherwise it is the upper end of the last bucket of the histogram, at most twice as long. CPU
  times of threads and processes are known only for those that began since the last snapshot.

  Events by time (--timeline) and busy waiting are left out.

STATE
  What was reported is kept in the folder of the recording in progress, FILE.parts-PID/snapshot, readable by its owner alone. It goes
  when the recording ends. --since-start neither reads nor changes it.")]
pub struct SnapshotArgs {
    /// Process id: a program that runs under `locktoll record`, one of the processes that it started, or `locktoll record` itself.
    #[arg(value_name = "PID", value_parser = parse_pid, allow_hyphen_values = true)]
    pub pid: u32,
    /// Write the snapshot to this file [default: snapshot-PID.locktoll, or snapshot-PID-2.locktoll and so on if that is there].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write everything since the recording began.
    #[arg(long)]
    pub since_start: bool,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll snapshot 1234`")
}
