//! One run of a program, in processes that end with it.
//!
//! - `subject`: the command to run; `processes`: the [`Runner`](super::Runner) for it.
//! - `one_run`: one run, of a program or of a server with its load; `ready`: the condition on which a server is ready;
//!   `is_ready`, `listening`: whether the condition is met.
//! - `recorded`: a run under the recorder, made first; `blocked`: the places where its threads wait.
//! - `preloaded`: the library that is loaded into the program; `counted`: the objects that it replaced.
//! - `child`: a process that can be ended with everything that it started; `supervisor`: waits for its end, for the time limit
//!   and for the user; `strays`: processes that it left behind; `status`: how it ended.
//! - `captured`: its output, in bounded memory; `pattern`: the expressions that the output is searched for.

mod blocked;
mod captured;
mod child;
mod counted;
mod is_ready;
mod listening;
mod one_run;
mod pattern;
mod preloaded;
mod processes;
mod ready;
mod recorded;
mod status;
mod strays;
mod subject;
mod supervisor;

#[cfg(test)]
mod run_tests;

use captured::Captured;
use child::{Child, End};
use counted::Counted;
use preloaded::{Locks, Preloaded};

pub use blocked::Blocked;
pub use child::Input;
pub use is_ready::is_open;
pub use pattern::Pattern;
pub use processes::Processes;
pub use ready::Ready;
pub use recorded::Recorded;
pub use subject::{Load, Subject};
