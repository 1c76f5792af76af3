//! `try`: a program on other locks.
//!
//! - `runner`: what one run of the program is, whoever runs it. The tournament knows no process, so that it is tested with
//!   made-up figures.
//! - `processes`: the runner that starts processes, by a `plan`; `once`: one run of it, of a program or of a server with its
//!   load.
//! - `under`: what is put under the program; `counted`: what the library says it replaced; `status`: how a process ended.
//! - `child`: a process that can be ended with all that it started; `captured`: what it writes, in bounded memory; `pattern`:
//!   what is looked for in that; `supervisor`: waiting for its end, for the time and for the user; `strays`: what it left
//!   behind.
//! - `ready`, `listening`: when a server is ready.

mod captured;
mod child;
mod counted;
mod listening;
mod once;
mod pattern;
mod plan;
mod processes;
mod ready;
mod runner;
mod status;
mod strays;
mod supervisor;
mod under;

use captured::Captured;
use child::{Child, End};
use counted::Counted;
use under::{Locks, Under};

pub use child::Input;
pub use pattern::Pattern;
pub use plan::{Load, Plan};
pub use processes::Processes;
pub use ready::{Ready, is_open};
pub use runner::{Contestant, Figures, Outcome, Runner};
