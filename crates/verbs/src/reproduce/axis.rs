//! The parameters along which curves are drawn.

use locktoll_lab::cell::Cell;
use serde::Deserialize;

/// The parameter along which a curve runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Number of competing threads.
    Threads,
    /// Number of acquisitions before the releases.
    Depth,
    /// Work while holding the lock, nanoseconds.
    Hold,
    /// Random pieces of work while holding the lock.
    Delay,
    /// Work between operations, nanoseconds.
    Think,
    /// Number of threads that are in their loop at a time.
    Active,
    /// Spin count.
    Spin,
    /// Share of reads.
    ReadRatio,
    /// Locks of the hash table.
    Stripes,
    /// Offset in the cache line, bytes.
    Align,
    /// Number of busy threads that do not use the lock.
    Hogs,
}

impl Axis {
    /// All parameters.
    pub const ALL: [Self; 11] = [
        Self::Threads,
        Self::Depth,
        Self::Hold,
        Self::Delay,
        Self::Think,
        Self::Active,
        Self::Spin,
        Self::ReadRatio,
        Self::Stripes,
        Self::Align,
        Self::Hogs,
    ];

    /// Returns the name and the unit, for the axis of a chart.
    pub fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Depth => "depth",
            Self::Hold => "hold, ns",
            Self::Delay => "delay",
            Self::Think => "think, ns",
            Self::Active => "active threads",
            Self::Spin => "spin count",
            Self::ReadRatio => "share of reads",
            Self::Stripes => "locks of the table",
            Self::Align => "bytes into the cache line",
            Self::Hogs => "other busy threads",
        }
    }

    /// Returns the position of a cell on this axis.
    pub fn of(self, cell: &Cell) -> f64 {
        match self {
            Self::Threads => cell.threads.into(),
            Self::Depth => cell.depth.into(),
            Self::Hold => cell.hold_ns as f64,
            Self::Delay => cell.delay.into(),
            Self::Think => cell.think_ns as f64,
            Self::Active => cell.active.unwrap_or(cell.threads).into(),
            Self::Spin => cell.spin.unwrap_or(0).into(),
            Self::ReadRatio => cell.read_ratio,
            Self::Stripes => cell.stripes.into(),
            Self::Align => cell.align.into(),
            Self::Hogs => cell.hogs.into(),
        }
    }
}
