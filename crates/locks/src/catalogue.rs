//! The catalogue: every lock of this crate, with its name, its source, its parameter, and how it waits.
//!
//! It is the only list of locks. The tests, the functions for C, `locktoll bench`, `locktoll try` and the documentation use
//! it.
//!
//! - `list`: the table. A new lock is a row there.
//! - `lock`: the contents of a row.
//! - `make`: makes a lock from a row's type and number.
//! - `name`: names as users write them, `NAME[:NUMBER]`.

mod list;
mod lock;
mod make;
mod name;
mod table;

pub use lock::{Alias, Lock, Order, Parameter, Preset, Timed, Waits};
pub use make::Catalogued;
pub use name::{Named, Unknown, named, parse};
pub use table::{COMPOSED, LOCKS, row};
