//! The locks under test, behind one trait.

mod traits;

pub use traits::{Contender, CreateError, Entry, Family, LockOptions};
