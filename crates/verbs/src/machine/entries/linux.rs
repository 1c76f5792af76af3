//! A lock's system calls, counted in a separate process: this program, started in another mode.

use locktoll_lab::platform::this_program;
use locktoll_lab::probe::locks::{count_entries, serve};

use crate::inner::ENTRIES;
use locktoll_terminal::failure::{Ending, Outcome};

/// Lock and unlock pairs over which system calls are counted: enough to distinguish one call per pair from one call in all.
const PAIRS: u64 = 100;

/// Returns the number of system calls per uncontended lock and unlock of `lock`, which can be counted on this system.
///
/// # Errors
/// The reason why they could not be counted.
pub fn kernel_entries_per_op(lock: &str) -> Result<Option<f64>, String> {
    let mut program = this_program().map_err(|error| error.to_string())?;
    count_entries(program.args([ENTRIES, lock, &PAIRS.to_string()]), PAIRS).map(Some)
}

/// Runs the traced side. Reports any obstacle on standard output, which only the parent reads.
pub fn serve_entries(lock: &str, pairs: u64) -> Outcome {
    if let Err(reason) = serve(lock, pairs) {
        println!("{reason}");
    }
    Ok(Ending::Done)
}
