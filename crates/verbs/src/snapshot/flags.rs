//! Flags of `locktoll snapshot`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::parse_process;

/// Write what has been recorded since the last snapshot, without stopping the program or its recording.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll record --live -- ./server &          record a server for as long as it runs
  locktoll snapshot $(pgrep -n server) -o monday.locktoll
  locktoll snapshot $(pgrep -n server) -o tuesday.locktoll      what happened since monday.locktoll
  locktoll report tuesday.locktoll              its locks by cost
  locktoll compare monday.locktoll tuesday.locktoll
  locktoll snapshot --since-start 4711          everything since the recording began

WHAT A SNAPSHOT CONTAINS
  A snapshot is a recording of the time since the last snapshot. It contains all processes of the run to which PID belongs. Acquisitions,
  waits, holds, their histograms and who made whom wait are exact: the snapshots of a run add up to its recording. The longest wait or
  hold of the interval is exact if it is the longest so far. Otherwise, it is given as the upper end of the last bucket of the histogram,
  which is less than twice as long. CPU times are known only for threads and processes that began since the last snapshot and have ended.

  Events by time (--timeline) and busy waiting are left out.

STATE
  The figures that snapshots have reported are kept in FILE.parts-PID/snapshot, next to the recording in progress. Only the owner of the
  recording can read them. They are removed when the recording ends. --since-start neither reads nor changes them.")]
pub struct SnapshotArgs {
    /// Process id: a program that runs under `locktoll record`, one of the processes that it started, or `locktoll record` itself.
    #[arg(value_name = "PID", value_parser = parse_pid, allow_hyphen_values = true)]
    pub pid: u32,
    /// Write the snapshot to this file [default: snapshot-PID.locktoll, or snapshot-PID-2.locktoll and so on if that exists].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write everything since the recording began.
    #[arg(long)]
    pub since_start: bool,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll snapshot 1234`")
}
