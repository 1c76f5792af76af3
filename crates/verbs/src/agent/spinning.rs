//! CPU time of busy waiting, found by the detector of `attach` and `top`: needs the same privileges.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::labels::ProcessLabels;
use locktoll_sources::perf::Rate;
use locktoll_sources::spinning::{AtWork, Detector, Subjects};
use locktoll_sources::spun::Report;

/// Samples per second of CPU time. An agent runs for months, so few samples suffice; a prime, so that it does not keep step with a program.
const RATE: Rate = Rate(29);

/// Finding names may take longer than this; then the figures come with the next reading.
const WAIT: Duration = Duration::from_millis(100);

/// The detector begins anew after this time, so that its tables stay small.
const LONGEST: Duration = Duration::from_secs(3600);

/// Processes that come are sampled at most this long later: beginning anew costs more than a reading.
const APART: Duration = Duration::from_secs(10);

/// CPU time of busy waiting so far, by the labels of processes, nanoseconds.
pub type Spun = BTreeMap<Arc<ProcessLabels>, f64>;

/// The detector, and what it has found.
#[derive(Default)]
pub struct Spinning {
    at_work: Option<(BTreeSet<u32>, AtWork)>,
    /// When it began or was refused.
    began: Option<Instant>,
    refused: bool,
    found: Found,
}

/// What was found, over all detectors.
#[derive(Default)]
struct Found {
    sums: Spun,
    /// The highest figure that the present detector has shown of each process.
    marks: BTreeMap<u32, f64>,
}

impl Spinning {
    /// Reads the time of these processes so far; `None` if busy waiting is not seen here.
    pub fn read(&mut self, processes: &BTreeMap<u32, Arc<ProcessLabels>>) -> Option<Spun> {
        if let Some((_, at_work)) = &mut self.at_work
            && let Some((_, report)) = at_work.so_far(WAIT)
        {
            self.found.take(&report, processes);
        }
        let ran = self.began.map(|it| it.elapsed());
        let has_come = |sampled: &BTreeSet<u32>| processes.keys().any(|pid| !sampled.contains(pid));
        let is_due = match &self.at_work {
            None => !processes.is_empty() && !self.refused,
            Some((sampled, _)) => ran >= Some(APART) && has_come(sampled) || ran >= Some(LONGEST),
        };
        if is_due {
            self.begin(processes);
        }
        (self.at_work.is_some() || !self.found.sums.is_empty()).then(|| self.found.sums.clone())
    }

    fn begin(&mut self, processes: &BTreeMap<u32, Arc<ProcessLabels>>) {
        if let Some((_, at_work)) = self.at_work.take()
            && let Some(report) = at_work.end()
        {
            self.found.take(&report, processes);
        }
        self.found.marks.clear();
        self.began = Some(Instant::now());
        let pids: BTreeSet<u32> = processes.keys().copied().collect();
        let subjects = Subjects::Running {
            pids: pids.iter().copied().collect(),
            children: false,
        };
        let at_work = Detector::begin(subjects, RATE)
            .ok()
            .and_then(|it| it.follow(None));
        self.refused = at_work.is_none();
        for labels in processes.values().filter(|_| at_work.is_some()) {
            self.found.sums.entry(Arc::clone(labels)).or_default();
        }
        self.at_work = at_work.map(|it| (pids, it));
    }
}

impl Found {
    /// Adds what a report has more than the one before. Estimates may be corrected downwards; the sums wait until they are reached again.
    fn take(&mut self, report: &Report, processes: &BTreeMap<u32, Arc<ProcessLabels>>) {
        let mut now: BTreeMap<u32, f64> = BTreeMap::new();
        for thread in report.rows.iter().flat_map(|row| &row.threads) {
            *now.entry(thread.pid).or_default() += thread.ns;
        }
        for (pid, ns) in now {
            let Some(labels) = processes.get(&pid) else {
                continue;
            };
            let mark = self.marks.entry(pid).or_default();
            let added = (ns - *mark).max(0.0);
            *mark = mark.max(ns);
            *self.sums.entry(Arc::clone(labels)).or_default() += added;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_lab::stats::Estimate;
    use locktoll_made_up::sample::spinning;
    use locktoll_results::profile::SpinSamples;
    use locktoll_sources::spun::{Row, ThreadShare};

    fn report(times: &[(u32, f64)]) -> Report {
        let share = |&(pid, ns): &(u32, f64)| ThreadShare { pid, tid: pid, ns };
        Report {
            samples: SpinSamples::default(),
            cpu_ns: 0.0,
            spin_ns: Estimate {
                median: 0.0,
                low: 0.0,
                high: 0.0,
                n: 0,
            },
            rows: vec![Row {
                spinning: spinning(),
                words: Vec::new(),
                threads: times.iter().map(share).collect(),
            }],
            notes: Vec::new(),
        }
    }

    #[test]
    fn sums_grow_by_differences_and_belong_to_labels() {
        let labels = Arc::new(ProcessLabels {
            process: "server".to_owned(),
            ..ProcessLabels::default()
        });
        let processes = [(1, Arc::clone(&labels)), (2, Arc::clone(&labels))].into();
        let mut found = Found::default();
        for (times, sum) in [
            (&[(1, 10.0), (2, 5.0), (3, 100.0)][..], 15.0),
            (&[(1, 8.0), (2, 5.0)], 15.0),
            (&[(1, 11.0), (2, 7.0)], 18.0),
        ] {
            found.take(&report(times), &processes);
            assert_eq!(found.sums[&labels], sum);
        }
        // A new detector begins at zero.
        found.marks.clear();
        found.take(&report(&[(1, 4.0)]), &processes);
        assert_eq!(found.sums[&labels], 22.0);
    }
}
