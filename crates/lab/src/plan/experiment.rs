//! An experiment: a list for each knob, and the cells it spans.

use crate::cell::{Arrival, Calibration, Cell, Length, Part, SleepPoints};
use crate::machine::{Pin, Placement, Topology};
use crate::workload::Kind;

/// What `locktoll bench` was asked to measure. A knob with several values spans cells.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Names in the registry, all known.
    pub locks: Vec<String>,
    /// What happens inside.
    pub workloads: Vec<Kind>,
    /// Competing threads.
    pub threads: Vec<u32>,
    /// Acquisitions before the same number of releases; 0 is the baseline without a lock.
    pub depths: Vec<u32>,
    /// A second lock inside the first.
    pub nested: bool,
    /// Nanoseconds of work while holding.
    pub holds_ns: Vec<u64>,
    /// Random pieces of work while holding.
    pub delays: Vec<u32>,
    /// Nanoseconds of work between operations.
    pub thinks_ns: Vec<u64>,
    /// Where threads yield.
    pub sleep_points: Vec<SleepPoints>,
    /// Threads in their loop at a time; empty lets all.
    pub actives: Vec<u32>,
    /// Threads a gate lock admits.
    pub gate: Option<u32>,
    /// Spin counts; empty leaves each lock its own.
    pub spins: Vec<u32>,
    /// Shares of reading operations.
    pub read_ratios: Vec<f64>,
    /// Locks of the hash table.
    pub stripes: Vec<u32>,
    /// Bytes into the cache line.
    pub aligns: Vec<u32>,
    /// Where threads run.
    pub pin: Pin,
    /// Nice value of the competing threads.
    pub nice: i32,
    /// The competing threads run as those of a background process do.
    pub background: bool,
    /// A thread's priority is raised while it holds the lock.
    pub raise_while_holding: bool,
    /// Busy threads beside.
    pub hogs: Vec<u32>,
    /// When operations begin.
    pub arrival: Arrival,
    /// How long a slice lasts.
    pub length: Length,
    /// Interleaved rounds over all cells.
    pub repeat: u32,
    /// The only part to run; `None` is both.
    pub part: Option<Part>,
}

impl Experiment {
    /// `locks` on one workload with every knob at rest: one round of slices of `slice_ns`.
    pub fn at_rest(locks: &[&str], workload: Kind, threads: &[u32], slice_ns: u64) -> Self {
        Self {
            locks: locks.iter().map(|lock| (*lock).to_owned()).collect(),
            workloads: vec![workload],
            threads: threads.to_vec(),
            depths: vec![1],
            nested: false,
            holds_ns: vec![0],
            delays: vec![0],
            thinks_ns: vec![0],
            sleep_points: vec![SleepPoints::None],
            actives: Vec::new(),
            gate: None,
            spins: Vec::new(),
            read_ratios: vec![0.0],
            stripes: vec![1],
            aligns: vec![0],
            pin: Pin::None,
            nice: 0,
            background: false,
            raise_while_holding: false,
            hogs: vec![0],
            arrival: Arrival::Closed,
            length: Length::Time { ns: slice_ns },
            repeat: 1,
            part: None,
        }
    }

    /// All cells, locks changing fastest so that a report reads lock against lock.
    pub fn cells(&self, calibration: Calibration, topology: &Topology) -> Vec<Cell> {
        let order = Placement::new(&self.pin, topology);
        let template = Cell {
            nested: self.nested,
            gate: self.gate,
            nice: self.nice,
            background: self.background,
            raise_while_holding: self.raise_while_holding,
            arrival: self.arrival,
            ..Cell::at_rest("", self.length, calibration)
        };
        let mut cells = vec![template];
        span(&mut cells, &self.workloads, |cell, v| cell.workload = *v);
        span(&mut cells, &self.depths, |cell, v| cell.depth = *v);
        span(&mut cells, &self.holds_ns, |cell, v| cell.hold_ns = *v);
        span(&mut cells, &self.delays, |cell, v| cell.delay = *v);
        span(&mut cells, &self.thinks_ns, |cell, v| cell.think_ns = *v);
        span(&mut cells, &self.sleep_points, |cell, v| {
            cell.sleep_points = *v;
        });
        span(&mut cells, &self.actives, |cell, v| cell.active = Some(*v));
        span(&mut cells, &self.spins, |cell, v| cell.spin = Some(*v));
        span(&mut cells, &self.read_ratios, |cell, v| {
            cell.read_ratio = *v;
        });
        span(&mut cells, &self.stripes, |cell, v| cell.stripes = *v);
        span(&mut cells, &self.aligns, |cell, v| cell.align = *v);
        span(&mut cells, &self.hogs, |cell, v| cell.hogs = *v);
        span(&mut cells, &self.threads, |cell, v| {
            cell.threads = *v;
            cell.cpus = (0..*v as usize)
                .map_while(|thread| order.cpu_for(thread))
                .collect();
        });
        span(&mut cells, &self.locks, |cell, v| cell.lock.clone_from(v));
        cells
    }
}

/// Multiplies the cells by the values of one knob; no value leaves them as they are.
fn span<T>(cells: &mut Vec<Cell>, values: &[T], set: impl Fn(&mut Cell, &T)) {
    if values.is_empty() {
        return;
    }
    *cells = cells
        .iter()
        .flat_map(|cell| {
            values.iter().map(|value| {
                let mut cell = cell.clone();
                set(&mut cell, value);
                cell
            })
        })
        .collect();
}
