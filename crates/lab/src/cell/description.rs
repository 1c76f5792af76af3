//! The description of a cell, as it is passed to the process that runs the cell.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::{Length, Setting};
use crate::clock::Work;
use crate::platform::Raised;

/// A setting, and which slice of it to run.
///
/// The knobs can be read and set as the cell's own fields (`cell.threads`), as in its JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Cell {
    /// The lock, the workload, and every knob.
    #[serde(flatten)]
    pub setting: Setting,
    /// Throughput or waiting, never both in one slice.
    pub part: Part,
    /// The round of this slice: random schedules and delays differ from round to round.
    pub round: u32,
    /// The seed of this slice's placement: where its lock, data and threads are.
    #[serde(default)]
    pub placement: u64,
    /// The parent's calibration, so that its children need not measure it.
    pub calibration: Calibration,
}

impl Deref for Cell {
    type Target = Setting;

    fn deref(&self) -> &Setting {
        &self.setting
    }
}

impl DerefMut for Cell {
    fn deref_mut(&mut self) -> &mut Setting {
        &mut self.setting
    }
}

impl Cell {
    /// Makes the first throughput slice of `setting`.
    pub fn of(setting: Setting, calibration: Calibration) -> Self {
        Self {
            setting,
            part: Part::Throughput,
            round: 0,
            placement: 0,
            calibration,
        }
    }

    /// Makes a cell with one thread on `lock`, nothing inside and every knob at rest.
    pub fn at_rest(lock: &str, length: Length, calibration: Calibration) -> Self {
        Self::of(Setting::at_rest(lock, length), calibration)
    }

    /// Returns the cell with knobs turned.
    #[must_use]
    pub fn with(mut self, turn: impl FnOnce(&mut Setting)) -> Self {
        turn(&mut self.setting);
        self
    }

    /// Returns why this machine does not let threads raise their priority while they hold the lock, as the cell requests; `None`
    /// where it does. Tries it in a thread that then ends.
    pub fn raising_refused(&self) -> Option<String> {
        let raised = || Raised::over(self.nice, self.background);
        self.raise_while_holding.then(raised)?.refused()
    }
}

/// One piece of the `delay` knob, in nanoseconds.
pub const DELAY_LOOP_NS: u64 = 100;

/// The purpose of a slice.
///
/// Reading the clock twice costs more than many of the locks, so the loop that counts operations reads no clock, and separate
/// slices time the waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Counts operations; no clock in the loop.
    Throughput,
    /// Times every acquisition and tracks the owner from one acquisition to the next.
    Waiting,
}

/// Figures of this machine that a slice needs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Calibration {
    /// Iterations of the arithmetic per nanosecond ([`crate::clock::Work`]).
    pub loops_per_ns: f64,
}

impl Calibration {
    /// Returns the calibration of this process.
    pub fn measure() -> Self {
        Self {
            loops_per_ns: 1.0 / Work::get().ns_per_loop(),
        }
    }

    /// Returns the iterations of the arithmetic that take `ns` nanoseconds.
    pub fn loops(&self, ns: u64) -> u64 {
        // A cast from float to integer saturates.
        (self.loops_per_ns * ns as f64).round() as u64
    }
}
