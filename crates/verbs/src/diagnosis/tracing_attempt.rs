//! Whether the kernel takes a tracing program from this process: tested with a program that does nothing.

use super::reading::Trial;
use locktoll_sources::ebpf::{Loaded, Object};

/// Loads the program, attaches it, and takes it away again.
pub fn attempt() -> Trial {
    match Loaded::attempt(&Object::TRIAL) {
        Ok(()) => Trial::Loaded,
        Err(reason) => Trial::Refused { reason },
    }
}
