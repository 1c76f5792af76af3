//! One run of a program, in processes that end with it.
//!
//! - `subject`: what is run; `processes`: the [`Runner`](super::Runner) of it.
//! - `one_run`: one run, of a program or of a server with its load; `ready`: what a server is waited for; `is_ready`,
//!   `listening`: whether it is there.
//! - `recorded`: a run under the recorder, made first; `blocked`: what that says of where threads wait.
//! - `preloaded`: what is put under the program; `counted`: what the library says it replaced.
//! - `child`: a process that can be ended with all that it started; `supervisor`: waiting for its end, for the time and for the
//!   user; `strays`: what it left behind; `status`: how it ended.
//! - `captured`: what it writes, in bounded memory; `pattern`: what is looked for in that.

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
