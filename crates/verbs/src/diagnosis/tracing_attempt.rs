//! Tests whether the kernel accepts a tracing program from this process, with a program that does nothing.

use super::reading::Trial;
use locktoll_sources::ebpf::{Loaded, Object};

/// Loads the program, attaches it, and unloads it again.
pub fn attempt() -> Trial {
    match Loaded::attempt(&Object::TRIAL) {
        Ok(()) => Trial::Loaded,
        Err(reason) => Trial::Refused { reason },
    }
}
