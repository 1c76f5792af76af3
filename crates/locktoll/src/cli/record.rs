//! Flags of `locktoll record`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

/// Flags of `locktoll record`.
#[derive(Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll record -- ./server --port 8080       run it, then print its locks by cost
  locktoll record -o before.locktoll -- make    keep the recording
  locktoll record --json -- ./a.out | jq .locks[0]
  locktoll report before.locktoll               read it again

Recorded are the mutexes of the C library (pthread_mutex, and so C++'s std::mutex) and the
re-acquisitions after its condition variables. Not recorded yet: C11's mtx, reader-writer locks, spin
locks, semaphores, and locks that call futex themselves, as Rust's std and Go do.

The program's own output, exit status and signals pass through unchanged; the profile follows on
standard output once the program has ended. With --json, standard output is the document alone,
and what the program writes there goes to standard error.

A recording that is already at FILE is replaced only when the new one is whole; no other file is
ever overwritten. Until then each process writes into the folder FILE.parts-PID, which
`locktoll report` reads, too, should locktoll itself be killed.")]
pub struct RecordArgs {
    /// Where the recording goes.
    #[arg(short, long, value_name = "FILE", default_value = "recording.locktoll")]
    pub output: PathBuf,
    /// Record the program alone, not the processes it starts.
    #[arg(long)]
    pub no_children: bool,
    /// Print no summary; only write the recording.
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
    /// Print the profile as one JSON document (schema locktoll.profile/1) instead of text.
    #[arg(long)]
    pub json: bool,
    /// The program and its arguments.
    #[arg(required = true, last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}
