//! Redirects the exported names.

use super::{condition, mutex, rwlock, work};
use crate::sandbox;

/// Redirects the names of locks that can be lengthened, by `percent` per cent. Spin locks have no room for the decision.
pub fn replace(percent: u32) {
    work::start(percent);
    mutex::replace();
    rwlock::replace();
    condition::replace();
    sandbox::watch();
}
