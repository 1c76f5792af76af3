//! The libraries that this binary carries, and their way into files that the loader can open.

mod extract;
mod library;
mod place;

pub use extract::extract;
pub use library::{Carried, Library, carry};
pub use place::likely_folder;
