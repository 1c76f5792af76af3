//! What `locktoll kernel` costs the programs of the machine it watches.

mod calls;
mod run;

pub use calls::{Calls, serve as serve_calls};
pub use run::run;
