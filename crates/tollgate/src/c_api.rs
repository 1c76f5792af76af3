//! The interface for C and C++ programs: `include/locktoll.h`, `include/locktoll.hpp`. The feature `c-library` exports it.

mod condition;
mod moment;
mod mutex;
mod stop;

pub use condition::*;
pub use mutex::*;
