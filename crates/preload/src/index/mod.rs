//! Finds the record of a lock and a call site: open addressing, in memory of one thread.
//!
//! An entry is one word: the record's address in the lower 48 bits, and in the upper 16 a tag from the hash, so that a wrong
//! record is hardly ever read. The record itself shows whether it is the right one.
//!
//! - `key`: the key of a record, and where to search for it;
//! - `keyed`: the records that can be found;
//! - `entries`: the table of words, and its invariants;
//! - `table`: the table together with the records, for one kind of record of one thread.

mod entries;
mod key;
mod keyed;
mod table;

pub use key::{Key, NOT_IN_SEQUENCE};
pub use keyed::Keyed;
pub use table::Table;
