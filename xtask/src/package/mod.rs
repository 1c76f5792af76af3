//! The crates as they would be published, and the program installed from them.

mod carried;
mod crates;
mod installed;
mod run;
mod source;
mod tree;

pub use run::run;
pub use tree::{emptied, staged};
