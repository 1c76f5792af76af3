//! The catalogue: the locks of this crate, with their names, sources and parameters, and with how they wait.
//!
//! ```
//! use locktoll_locks::catalogue::{LOCKS, named};
//!
//! assert!(LOCKS.iter().any(|lock| lock.name == "futex3"));
//! let name = named("futex3:100").unwrap();
//! assert_eq!((name.lock.source, name.number), ("Drepper 2004", Some(100)));
//! ```
//!
//! It is the only list of locks. The tests, the functions for C, `locktoll bench`, `locktoll try` and the documentation use
//! it.
//!
//! - [`LOCKS`] and [`COMPOSED`] are the lists, and [`row`] finds a lock in them.
//! - [`Lock`] is a row: the properties of a lock.
//! - [`Catalogued`] creates a lock from its type and a number.
//! - [`named`] reads names as users write them, `NAME[:NUMBER]`.

// `list` has the table: a new lock is a row there.
mod list;
mod lock;
mod make;
mod name;
mod table;

pub use lock::{Alias, Lock, Order, Parameter, Preset, Timed, Waits};
pub use make::Catalogued;
pub use name::{Named, Unknown, named, parse};
pub use table::{COMPOSED, LOCKS, row};
