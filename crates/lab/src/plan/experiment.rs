//! An experiment: locks and settings, and the cells they span.

use crate::cell::{Calibration, Cell, Invalid, Length, Part, Setting};
use crate::machine::{Pin, Placement, Topology};
use crate::workload::Kind;

/// Most settings of an experiment: more rows than anyone reads, but still little memory.
const MOST_SETTINGS: usize = 1 << 20;

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Names in the registry, all known.
    pub locks: Vec<String>,
    /// Every setting at which each lock is measured; the lock and the processors are left open.
    pub settings: Vec<Setting>,
    /// The fault in a list of settings, if there was one.
    pub refused: Option<Invalid>,
    /// Where threads run.
    pub pin: Pin,
    /// Interleaved rounds over all cells.
    pub repeat: u32,
    /// The only part to run; `None` means both.
    pub part: Option<Part>,
}

impl Experiment {
    /// Plans `locks` on one workload with every knob at rest: one round of slices of `slice_ns`.
    pub fn at_rest(locks: &[&str], workload: Kind, threads: &[u32], slice_ns: u64) -> Self {
        let rest = Setting {
            workload,
            ..Setting::at_rest("", Length::Time { ns: slice_ns })
        };
        let locks = locks.iter().map(|lock| (*lock).to_owned()).collect();
        let mut experiment = Self::of(locks, rest);
        experiment.span("threads", threads, |setting, v| setting.threads = *v);
        experiment
    }

    /// Plans one round of `locks` at one setting.
    pub fn of(locks: Vec<String>, setting: Setting) -> Self {
        Self {
            locks,
            settings: vec![setting],
            refused: None,
            pin: Pin::None,
            repeat: 1,
            part: None,
        }
    }

    /// Turns knobs at every setting.
    pub fn turn(&mut self, turn: impl Fn(&mut Setting)) {
        self.settings.iter_mut().for_each(turn);
    }

    /// Does the same, for method chains.
    #[must_use]
    pub fn turned(mut self, turn: impl Fn(&mut Setting)) -> Self {
        self.turn(turn);
        self
    }

    /// Multiplies the settings by the values of a knob, which vary faster than those of earlier knobs.
    pub fn span<T>(&mut self, knob: &str, values: &[T], set: impl Fn(&mut Setting, &T)) {
        if values.is_empty() {
            let text = format!("{{{knob}}} names nothing; at least one is needed");
            self.refused.get_or_insert(Invalid::Knobs(text));
            return;
        }
        if self.settings.len().saturating_mul(values.len()) > MOST_SETTINGS {
            let text =
                format!("{{{knob}}} makes too many settings; at most {MOST_SETTINGS} are accepted");
            self.refused.get_or_insert(Invalid::Knobs(text));
            return;
        }
        let with = |setting: &Setting, value: &T| {
            let mut setting = setting.clone();
            set(&mut setting, value);
            setting
        };
        self.settings = self
            .settings
            .iter()
            .flat_map(|setting| values.iter().map(move |value| (setting, value)))
            .map(|(setting, value)| with(setting, value))
            .collect();
    }

    /// Returns all cells. Locks vary fastest, so that a report reads lock against lock.
    pub fn cells(&self, calibration: Calibration, topology: &Topology) -> Vec<Cell> {
        let order = Placement::new(&self.pin, topology);
        let mut cells = Vec::new();
        for setting in &self.settings {
            let threads = 0..setting.threads as usize;
            let cpus: Vec<usize> = threads.map_while(|thread| order.cpu_for(thread)).collect();
            for lock in &self.locks {
                let setting = Setting {
                    lock: lock.clone(),
                    cpus: cpus.clone(),
                    ..setting.clone()
                };
                cells.push(Cell::of(setting, calibration));
            }
        }
        cells
    }
}
