//! Alerts while a lock is held or waited for too long (`record --alert`, `attach --alert`).
//!
//! - `rule`: the language of the flag. `delivery`: where alerts go, and how many of them. `sentence`: an alert in one line.

mod delivery;
mod rule;
mod sentence;

pub use delivery::{Alarm, Delivery};
pub use rule::parse_rule;
