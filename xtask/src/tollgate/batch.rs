//! Runs of `locktoll bench` that together measure all settings: within one run all locks and settings are interleaved.

use std::collections::BTreeSet;
use std::time::Duration;

use super::cell::Cell;
use super::setting::Setting;

/// Starting a process for a slice, its threads, and ending them.
const SLICE_OVERHEAD: Duration = Duration::from_millis(35);

/// How long slices last and how often they are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Length {
    slice_ms: u64,
    rounds: u32,
}

/// One run of `locktoll bench`: every combination of its lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// What a reader calls it.
    pub title: &'static str,
    workloads: BTreeSet<&'static str>,
    threads: BTreeSet<u32>,
    thinks_ns: BTreeSet<u64>,
    holds_ns: BTreeSet<u64>,
    hogs: u32,
    waiting: bool,
    length: Length,
}

/// Settings that belong into one run, since their slices are of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Alone,
    Short,
    Long,
    Waiting,
    Hogs,
}

impl Kind {
    fn of(setting: &Setting) -> Self {
        if setting.waiting {
            Self::Waiting
        } else if setting.hogs > 0 {
            Self::Hogs
        } else if setting.hold_ns > 0 {
            Self::Long
        } else if setting.threads == 1 {
            Self::Alone
        } else {
            Self::Short
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Alone => "uncontended pair",
            Self::Short => "list and thread-id",
            Self::Long => "holds",
            Self::Waiting => "waiting",
            Self::Hogs => "busy threads beside",
        }
    }

    /// Odd numbers of rounds, so that a median is one of them. Waiting needs long slices, since a wait that is longer than
    /// its slice is cut off by it; busy threads and those that compete take turns of milliseconds.
    fn length(self, quick: bool) -> Length {
        let (slice_ms, rounds) = match (self, quick) {
            (Self::Alone, false) => (100, 15),
            (Self::Alone, true) => (50, 9),
            (Self::Short, false) => (100, 15),
            (Self::Short, true) => (50, 7),
            (Self::Long, false) => (150, 11),
            (Self::Long, true) => (60, 7),
            (Self::Waiting, false) => (2000, 7),
            (Self::Waiting, true) => (400, 5),
            (Self::Hogs, false) => (500, 15),
            (Self::Hogs, true) => (200, 7),
        };
        Length { slice_ms, rounds }
    }
}

/// The runs for `cells`. `rounds` stands in the place of each run's own number.
pub fn batches(cells: &[Cell], quick: bool, rounds: Option<u32>) -> Vec<Batch> {
    let settings: BTreeSet<Setting> = cells
        .iter()
        .flat_map(|cell| cell.settings.clone())
        .collect();
    let kinds: BTreeSet<Kind> = settings.iter().map(Kind::of).collect();
    kinds
        .into_iter()
        .map(|kind| {
            let own = || settings.iter().filter(|setting| Kind::of(setting) == kind);
            let mut length = kind.length(quick);
            length.rounds = rounds.unwrap_or(length.rounds);
            Batch {
                title: kind.title(),
                workloads: own().map(|it| it.workload).collect(),
                threads: own().map(|it| it.threads).collect(),
                thinks_ns: own().map(|it| it.think_ns).collect(),
                holds_ns: own().map(|it| it.hold_ns).collect(),
                hogs: own().map(|it| it.hogs).max().unwrap_or(0),
                waiting: kind == Kind::Waiting,
                length,
            }
        })
        .collect()
}

impl Batch {
    /// The words of `locktoll` that run it for `locks`, the first of which is measured twice.
    pub fn words(&self, locks: &[&str]) -> Vec<String> {
        let list = |items: Vec<String>| items.join(",");
        let times =
            |times: &BTreeSet<u64>| list(times.iter().map(|ns| format!("{ns}ns")).collect());
        // `bench` halves its duration for slices that time the waiting.
        let duration_ms = self.length.slice_ms * if self.waiting { 2 } else { 1 };
        vec![
            "bench".to_owned(),
            "--json".to_owned(),
            "--samples".to_owned(),
            format!("--lock={}", locks.join(",")),
            format!(
                "--workload={}",
                self.workloads.iter().copied().collect::<Vec<_>>().join(",")
            ),
            format!(
                "--threads={}",
                list(self.threads.iter().map(u32::to_string).collect())
            ),
            format!("--think={}", times(&self.thinks_ns)),
            format!("--hold={}", times(&self.holds_ns)),
            format!("--hogs={}", self.hogs),
            format!(
                "--part={}",
                if self.waiting {
                    "waiting"
                } else {
                    "throughput"
                }
            ),
            format!("--duration={duration_ms}ms"),
            format!("--repeat={}", self.length.rounds),
        ]
    }

    /// How long it takes with so many locks, about.
    pub fn planned(&self, locks: usize) -> Duration {
        let settings =
            self.workloads.len() * self.threads.len() * self.thinks_ns.len() * self.holds_ns.len();
        // The first runs twice, but for waiting.
        let runs = locks + usize::from(!self.waiting);
        let slices = (settings * runs) as u32 * self.length.rounds;
        (Duration::from_millis(self.length.slice_ms) + SLICE_OVERHEAD) * slices
    }

    /// Whether it times acquisitions.
    pub fn is_waiting(&self) -> bool {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell;
    use super::*;

    const LOCKS: usize = 9;

    fn planned(quick: bool) -> Duration {
        let batches = batches(&cell::all(quick), quick, None);
        batches.iter().map(|batch| batch.planned(LOCKS)).sum()
    }

    #[test]
    fn a_run_takes_what_the_help_says() {
        // Room is left for the conditions, which are planned elsewhere, and for the builds' checks.
        assert!(
            planned(true) < Duration::from_secs(225),
            "{:?}",
            planned(true)
        );
        assert!(
            planned(false) < Duration::from_secs(24 * 60),
            "{:?}",
            planned(false)
        );
    }

    #[test]
    fn every_setting_is_in_its_batch() {
        let cells = cell::all(false);
        let batches = batches(&cells, false, None);
        assert_eq!(batches.len(), 5);
        for setting in cells.iter().flat_map(|cell| &cell.settings) {
            let holds = |batch: &&Batch| {
                batch.workloads.contains(setting.workload)
                    && batch.threads.contains(&setting.threads)
                    && batch.thinks_ns.contains(&setting.think_ns)
                    && batch.holds_ns.contains(&setting.hold_ns)
                    && batch.hogs == setting.hogs
                    && batch.waiting == setting.waiting
            };
            assert_eq!(batches.iter().filter(holds).count(), 1, "{setting:?}");
        }
    }

    #[test]
    fn few_cells_are_few_words() {
        let cells: Vec<Cell> = cell::all(true)
            .into_iter()
            .filter(|cell| cell.is_meant_by("think/list/8"))
            .collect();
        let batches = batches(&cells, true, Some(2));
        let words = batches[0].words(&["tollgate", "std"]).join(" ");
        assert_eq!(
            words,
            "bench --json --samples --lock=tollgate,std --workload=list --threads=8 --think=200ns --hold=0ns --hogs=0 \
             --part=throughput --duration=50ms --repeat=2"
        );
    }
}
