//! Whether the kernel takes a tracing program from this process: told by giving it one that does nothing.

use super::reading::Trial;
use crate::ebpf::{Loaded, Object};

/// Loads the program, attaches it, and takes it away again.
pub fn attempt() -> Trial {
    let loaded = Loaded::load(&Object::TRIAL, &[], &[]);
    let attached = loaded.and_then(|mut loaded| loaded.attach(&Object::TRIAL));
    match attached {
        Ok(()) => Trial::Loaded,
        Err(failure) => Trial::Refused {
            reason: failure.to_string(),
        },
    }
}
