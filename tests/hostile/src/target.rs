//! The readers, by name.

use std::path::PathBuf;

use crate::{
    elf, frames, loops, memory, pages, patterns, perf_map, proc, recording, report, saved, words,
};

/// A reader of what others control.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What `fuzz/fuzz_targets` and `fuzz/seeds` call it.
    pub name: &'static str,
    read: fn(&[u8]),
}

/// All of them.
pub static TARGETS: [Target; 10] = [
    Target::new("reader", |packed| {
        recording::exercise(&pages::unpacked(packed));
    }),
    Target::new("report", report::exercise),
    Target::new("saved", saved::exercise),
    Target::new("elf", elf::exercise),
    Target::new("frames", frames::exercise),
    Target::new("perf_map", perf_map::exercise),
    Target::new("proc", proc::exercise),
    Target::new("words", words::exercise),
    Target::new("patterns", patterns::exercise),
    Target::new("loops", loops::exercise),
];

impl Target {
    const fn new(name: &'static str, read: fn(&[u8])) -> Self {
        Self { name, read }
    }

    /// Hands it `bytes`.
    pub fn run(&self, bytes: &[u8]) {
        memory::bounded(bytes.len(), || (self.read)(bytes));
    }

    /// Where its corpus is kept.
    pub fn seeds(&self) -> PathBuf {
        let fuzz = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");
        PathBuf::from(fuzz).join(self.name)
    }
}

/// The target of this name.
///
/// # Panics
/// If there is none.
pub fn named(name: &str) -> &'static Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no target {name}"))
}
