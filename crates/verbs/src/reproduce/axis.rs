//! The parameters along which curves are drawn.

use locktoll_lab::cell::Cell;
use serde::Deserialize;

/// The knob along which a curve runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Competing threads.
    Threads,
    /// Acquisitions before the releases.
    Depth,
    /// Work while holding, nanoseconds.
    Hold,
    /// Random pieces of work while holding.
    Delay,
    /// Work between operations, nanoseconds.
    Think,
    /// Threads in their loop at a time.
    Active,
    /// Spin count.
    Spin,
    /// Share of reads.
    ReadRatio,
    /// Locks of the hash table.
    Stripes,
    /// Bytes into the cache line.
    Align,
    /// Busy threads beside.
    Hogs,
}

impl Axis {
    /// Every one.
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

    /// Its name and unit, for the axis of a chart.
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

    /// Where a cell lies on it.
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
