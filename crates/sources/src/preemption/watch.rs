//! Owns the programs, and reads the data that they have collected.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

use super::gathered::{Escaped, Gathered};
use super::raw;
use super::times::{self, TimesOff};
use crate::ebpf::{Loaded, Object};
use locktoll_terminal::failure::Failure;

/// The function of the preload library through which a thread says where its list of locks is.
const REGISTERING: &str = "locktoll_holds_are_at";

/// The most data that the kernel keeps for us.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// The number of different locks, by the place of acquisition and the reason why the holder did not run; and of places that
    /// waited meanwhile.
    pub entries: u32,
    /// The room for each time without a CPU, bytes; `None` if they are not kept.
    pub times_bytes: Option<u64>,
}

/// The kernel's programs, running for one run of a program.
pub struct Watch {
    loaded: Loaded,
    run: u32,
    times: Option<TimesOff>,
}

impl Watch {
    /// Begins watching processes that have `library` preloaded and are given [`run`](Self::run).
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(library: &Path, capacity: Capacity) -> Result<Self, Failure> {
        let run = number();
        let tables = ["switched", "waited", "absences"].map(|map| (map, capacity.entries));
        let mut sizes = tables.to_vec();
        let keeps_times = capacity.times_bytes.is_some();
        if keeps_times {
            sizes.push((times::RING, times::RING_BYTES));
        }
        let constants = [("run", run), ("keeps_times", u32::from(keeps_times))];
        let mut loaded = Loaded::load(&Object::PREEMPTION, &sizes, &constants)?;
        loaded.attach(&Object::PREEMPTION)?;
        let mut times = None;
        if let Some(room_bytes) = capacity.times_bytes {
            let made = loaded
                .attach_at("holds_waking", "sched_waking")
                .and_then(|()| TimesOff::new(&mut loaded, room_bytes));
            times = Some(made.map_err(Failure::Run)?);
        }
        loaded.attach_to_function("holds_registered", library, REGISTERING)?;
        Ok(Self { loaded, run, times })
    }

    /// Returns the times without a CPU, once, if they are kept. They must be drained while the program runs.
    pub fn take_times(&mut self) -> Option<TimesOff> {
        self.times.take()
    }

    /// Returns the number of the run, which is never zero: threads with another number are ignored.
    pub fn run(&self) -> u32 {
        self.run
    }

    /// Returns the data so far. A holder that is not running at this moment is not included.
    ///
    /// # Errors
    /// If the kernel does not let us read the maps.
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
            times_unkept: dropped(6)?,
        };
        Ok(gathered)
    }
}

/// Returns a number that another run is unlikely to have at the same time.
fn number() -> u32 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    (hasher.finish() as u32).max(1)
}
