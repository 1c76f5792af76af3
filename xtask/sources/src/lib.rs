//! Reads the sources of the workspace and checks how they are arranged.
//!
//! A *room* is a top-level module of a crate. An *arrow* is a path in one room that names another room. [`Map`] has the rooms
//! and arrows of a crate; [`offences`] lists the arrows that break the rules.
//!
//! [`product_files`] counts the lines that are not tests, and [`too_long`] finds files and functions above the limits.

mod cfg;
mod crate_tree;
mod cycle;
mod dependencies;
mod function;
mod item;
mod leaf;
mod lengths;
mod limits;
mod map;
mod offence;
mod path;
mod print;
mod resolve;
mod rust;
mod scan;
mod workspace;

pub use dependencies::dependencies;
pub use function::Function;
pub use leaf::{Leaf, leaves, unit_code};
pub use lengths::{Counted, product_files, total_lines};
pub use limits::{Limit, TooLong, too_long};
pub use map::{Arrow, Map};
pub use offence::offences;
pub use print::{dot, table};
pub use workspace::{crates, root};
