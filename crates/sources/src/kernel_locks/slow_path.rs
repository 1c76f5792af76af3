//! All waits for the kernel's spin locks, by the function that a spin lock calls when it is taken already.
//!
//! The tracepoints that [`Watch`](super::Watch) uses leave out the waiter that is next in line. This also sees that one, and so all
//! waits of a machine with two CPUs, but needs a kernel that lets programs at its functions.

use aya::Btf;

use super::raw;
use crate::ebpf::{Function, Loaded, Object, refused};
use locktoll_terminal::failure::Failure;

/// The function's name, with and without the kernel's support for paravirtual spin locks.
const FUNCTIONS: [&str; 2] = [
    "native_queued_spin_lock_slowpath",
    "queued_spin_lock_slowpath",
];

/// The two programs while they run.
pub struct SpinSlowPath {
    loaded: Loaded,
}

impl SpinSlowPath {
    /// Begins watching. `ticks_per_ns`: the rate of the processor's counter.
    ///
    /// # Errors
    /// [`Failure::NotTraced`] if the kernel refuses the programs, or has none of the functions.
    pub fn begin(ticks_per_ns: f64) -> Result<Self, Failure> {
        let ticks = (ticks_per_ns * 1024.0).round() as u32;
        let constants = [("ticks_in_1024_ns", ticks)];
        let loaded = Loaded::load(&Object::SPIN_SLOW_PATH, &[], &constants)?;
        Self::attach(loaded).map_err(refused)
    }

    fn attach(mut loaded: Loaded) -> anyhow::Result<Self> {
        let kernel = Btf::from_sys_fs()?;
        for function in FUNCTIONS {
            if loaded.load_for_end("spin_ends", function, &kernel)? == Function::Found {
                // The end first: a wait of which only the end is seen is not counted.
                loaded.attach_to_end("spin_ends")?;
                loaded.attach_to_begin("spin_begins", function, &kernel)?;
                return Ok(Self { loaded });
            }
        }
        anyhow::bail!(
            "the kernel has none of the functions {}",
            FUNCTIONS.join(", ")
        )
    }

    /// Returns the waits so far by powers of two of the counter's ticks: entry `i` counts those from 2^i up to 2^(i+1).
    ///
    /// # Errors
    /// If the kernel does not let us read the map.
    pub fn log2_ticks(&self) -> anyhow::Result<Vec<u64>> {
        let map = self.loaded.array_per_cpu::<raw::SpinWaits>("spin_waits")?;
        let mut sums = vec![0; raw::BUCKETS];
        for of_cpu in map.get(&0, 0)?.iter() {
            for (sum, count) in sums.iter_mut().zip(of_cpu.log2_ticks) {
                *sum += count;
            }
        }
        Ok(sums)
    }
}
