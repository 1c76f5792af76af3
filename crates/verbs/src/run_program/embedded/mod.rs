//! The libraries that this binary contains, and their extraction to files that the loader can open.

mod extract;
mod library;
mod place;

pub use extract::extract;
pub use library::{Carried, Library, carry};
pub use place::likely_folder;
