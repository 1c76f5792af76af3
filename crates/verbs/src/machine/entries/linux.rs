//! A lock's system calls, counted in a process of its own: this program, started in another way.

use locktoll_lab::platform::this_program;
use locktoll_lab::probe::locks::{count_entries, serve};

use crate::inner::ENTRIES;
use locktoll_terminal::failure::{Ending, Outcome};

/// Pairs over which system calls are counted: enough that one in a pair and one in all differ by far.
const PAIRS: u64 = 100;

/// How many system calls an uncontended pair of `lock` makes; on this system they can be counted.
///
/// # Errors
/// Why they could not be counted.
pub fn kernel_entries_per_op(lock: &str) -> Result<Option<f64>, String> {
    let mut program = this_program().map_err(|error| error.to_string())?;
    count_entries(program.args([ENTRIES, lock, &PAIRS.to_string()]), PAIRS).map(Some)
}

/// The traced side. What hinders it is said on standard output, to the parent alone.
pub fn serve_entries(lock: &str, pairs: u64) -> Outcome {
    if let Err(reason) = serve(lock, pairs) {
        println!("{reason}");
    }
    Ok(Ending::Done)
}
