//! The program in the kernel, and its counts so far.

use aya::maps::MapError;

use super::calls::meanings;
use super::cause::SwitchCounts;
use crate::ebpf::{Loaded, Object};
use locktoll_terminal::failure::Failure;

/// Switches by process and cause. The program in the kernel ends when this value is dropped.
pub struct Watch {
    loaded: Loaded,
}

impl Watch {
    /// Begins to count.
    ///
    /// # Errors
    /// [`Failure::NotTraced`] if the kernel does not allow it.
    pub fn begin() -> Result<Self, Failure> {
        let mut loaded = Loaded::load(&Object::SWITCHES, &[], &[])?;
        let mut calls = loaded.array_mut::<u32>("calls")?;
        for (call, cause) in meanings() {
            calls
                .set(call, cause as u32, 0)
                .map_err(anyhow::Error::from)?;
        }
        loaded.attach(&Object::SWITCHES)?;
        Ok(Self { loaded })
    }

    /// Returns the switches of all processes together.
    ///
    /// # Errors
    /// If the kernel does not let us read them.
    pub fn all(&self) -> anyhow::Result<SwitchCounts> {
        let all = self
            .loaded
            .array_per_cpu::<SwitchCounts>("all")?
            .get(&0, 0)?;
        Ok(SwitchCounts::sum(&all))
    }

    /// Returns the switches by process, under the numbers that processes have in the outermost namespace.
    ///
    /// # Errors
    /// If the kernel does not let us read them.
    pub fn by_process(&self) -> anyhow::Result<Vec<(u32, SwitchCounts)>> {
        let map = self.loaded.hash_per_cpu::<u32, SwitchCounts>("processes")?;
        let mut processes = Vec::new();
        for entry in map.iter() {
            let (process, counts) = entry?;
            processes.push((process, SwitchCounts::sum(&counts)));
        }
        Ok(processes)
    }

    /// Returns how often the program was not run at a switch because it was running on that processor already.
    ///
    /// # Errors
    /// If the kernel does not report it.
    pub fn missed(&self) -> anyhow::Result<u64> {
        Ok(self.loaded.cost("switches_switch")?.skipped)
    }

    /// Returns the switches of one process, by its number in the outermost namespace.
    ///
    /// # Errors
    /// If the kernel does not let us read them.
    pub fn of_process(&self, process: u32) -> anyhow::Result<SwitchCounts> {
        let map = self.loaded.hash_per_cpu::<u32, SwitchCounts>("processes")?;
        match map.get(&process, 0) {
            Ok(counts) => Ok(SwitchCounts::sum(&counts)),
            Err(MapError::KeyNotFound) => Ok(SwitchCounts::default()),
            Err(error) => Err(error.into()),
        }
    }
}
