//! Owns the programs, and reads the data that they have collected.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

use super::gathered::{Escaped, Gathered};
use super::raw;
use crate::ebpf::{Loaded, Object};
use locktoll_terminal::failure::Failure;

/// The function of the preload library by which a thread says where its list of locks is.
const REGISTERING: &str = "locktoll_holds_are_at";

/// How much the kernel keeps for us at most.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Different locks, by where they were acquired and why the holder did not run; and as many places that waited meanwhile.
    pub entries: u32,
}

/// The kernel's programs at work, for one run.
pub struct Watch {
    loaded: Loaded,
    run: u32,
}

impl Watch {
    /// Begins, for processes that have `library` preloaded and are told [`run`](Self::run).
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(library: &Path, capacity: Capacity) -> Result<Self, Failure> {
        let run = number();
        let sizes = ["switched", "waited", "absences"].map(|map| (map, capacity.entries));
        let mut loaded = Loaded::load(&Object::PREEMPTION, &sizes, &[("run", run)])?;
        loaded.attach(&Object::PREEMPTION)?;
        loaded.attach_to_function("holds_registered", library, REGISTERING)?;
        Ok(Self { loaded, run })
    }

    /// The number of the run, never zero: threads that are told another are not listened to.
    pub fn run(&self) -> u32 {
        self.run
    }

    /// What there is so far. A holder that does not run at this moment is not in it.
    ///
    /// # Errors
    /// If the kernel does not let the maps be read.
    pub fn gathered(&self) -> anyhow::Result<Gathered> {
        let mut gathered = Gathered::default();
        for entry in self.loaded.hash::<raw::Process, u64>("processes")?.iter() {
            let (process, threads) = entry?;
            gathered.registered(process, threads);
        }
        let switched = self
            .loaded
            .hash::<raw::SwitchedKey, raw::Switched>("switched")?;
        for entry in switched.iter() {
            let (key, row) = entry?;
            gathered.switched(key, &row);
        }
        let waited = self.loaded.hash::<raw::WaitedKey, raw::Waited>("waited")?;
        for entry in waited.iter() {
            let (key, row) = entry?;
            gathered.waited(key, &row);
        }
        let dropped = self.loaded.array::<u64>("dropped")?;
        let dropped = |what| dropped.get(&what, 0);
        gathered.escaped = Escaped {
            unkept: dropped(0)?,
            waits_unkept: dropped(1)?,
            unread: dropped(2)?,
            too_many_held: dropped(3)?,
            unregistered: dropped(4)?,
            unseen: dropped(5)?,
        };
        Ok(gathered)
    }
}

/// A number that hardly another run has at the same time.
fn number() -> u32 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    (hasher.finish() as u32).max(1)
}
