//! Futex calls, seen in the kernel by the programs of `locktoll attach`: with privileges, of programs in any language.
//!
//! - `everybody`: of all processes at once, how much each waits. `one`: of one, its locks as `locktoll attach` shows them.
//! - `likeness`: which waits of the former are for locks. `watched`: which of both is on ([`Futexes`]).

mod everybody;
mod likeness;
mod one;
mod watched;

pub use watched::Futexes;
