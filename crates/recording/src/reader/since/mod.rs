//! What happened in a part between two looks at it, as a part of its own.
//!
//! Every figure of a recording is a counter that only grows, except the longest wait and the longest hold. So the figures of an
//! interval are differences between two looks, and a part with these differences is a recording like any other.
//!
//! - `raw`: a part as bytes of records, read and written.
//! - `shape`: which bytes of a record identify it, and which are figures.
//! - `key`: records of the earlier look, found again by what identifies them.
//! - `calls`: functions called in holds.
//! - `header`: the header of the interval. `lives`: the lifetimes of threads.
//! - `difference`: the figures since then.
//!
//! **The longest wait or hold** of an interval is known if it is the longest of all so far. Otherwise the upper end of the last
//! bucket of the interval's histogram is used: never less than the real one, and less than twice as long.
//!
//! **Locks that have gone.** The recorder adds the figures of a lock that has gone to a record that represents all locks of its
//! birth ([`POOLED`](crate::layout::POOLED)), and uses its record for the next lock at that address. What was reported of such a
//! lock was reported of that common record from then on.

mod calls;
mod difference;
mod header;
mod key;
pub(in crate::reader) mod lives;
mod raw;
mod shape;

pub use difference::{Interval, Since, since};
pub(in crate::reader) use difference::{add, none_of};
pub(in crate::reader) use key::Id;
pub use raw::RawPart;
pub(in crate::reader) use raw::{Group, put};
pub(in crate::reader) use shape::of as shape_of;
