//! From a cell to the loop compiled for its lock and its workload.

use crate::cell::{Cell, Part, Slice};
use crate::clock::Clock;
use crate::harness::{Contender, CreateError, LockOptions};
use crate::workload::{
    Counter, HashTable, Kind, List, Pair, ProducerConsumer, ReadMostly, ThreadId, Workload,
};

use super::arena::Arena;
use super::pace::Pace;
use super::placement::Placement;
use super::team;
use super::worker::Site;

/// Runs one slice of `cell` on the lock `L`.
///
/// If threads do not stop in time, the slice says so ([`Slice::cut_off`]), and they are left running on memory that is never
/// freed: the process should end soon.
pub fn run<L: Contender>(cell: &Cell) -> Result<Slice, CreateError> {
    match cell.workload {
        Kind::Pair | Kind::Timemutex => on::<L, Pair>(cell),
        Kind::List => on::<L, List>(cell),
        Kind::ThreadId => on::<L, ThreadId>(cell),
        Kind::Counter => on::<L, Counter>(cell),
        Kind::HashTable => on::<L, HashTable>(cell),
        Kind::ReadMostly => on::<L, ReadMostly>(cell),
        Kind::ProducerConsumer => on::<L, ProducerConsumer>(cell),
    }
}

/// Runs the slice on the workload `W`.
pub(super) fn on<L: Contender, W: Workload + Send + 'static>(
    cell: &Cell,
) -> Result<Slice, CreateError>
where
    W::Local: Send,
{
    let options = LockOptions::of(cell);
    let bare = is_bare(cell);
    if !bare {
        // Calibrated here, before anything is timed: calibration sleeps for longer than many slices last.
        Clock::get();
    }
    let mut placement = Placement::of(cell);
    let spacer = placement.spacer();
    let workload = W::new(cell);
    // A lock that its holder may take again is taken `depth` times. For any other kind, `depth` locks are taken in order, so that
    // every acquisition runs the lock's whole path.
    let ladder = if L::RECURSIVE { 1 } else { cell.depth.max(1) };
    let levels = ladder as usize * if cell.nested { 2 } else { 1 };
    let stripes = workload.stripes();
    let align = cell.align as usize;
    let arena = Arena::<L>::new(stripes, levels, align, &options, &mut placement)?;
    let site = Site::new(cell, workload, arena, spacer, bare);
    team::run(cell, placement, Box::new(site))
}

/// Returns whether the cell takes one lock once, turns no knob and reads no clock: this is the loop for prices.
fn is_bare(cell: &Cell) -> bool {
    cell.part == Part::Throughput
        && Pace::of(cell).is_bare()
        && cell.active.is_none()
        && cell.depth <= 1
        && !cell.nested
}
