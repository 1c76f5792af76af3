//! Busy waiting of the chosen program, found by the detector of `attach`: needs the same privileges.

use std::sync::Arc;
use std::time::Duration;

use super::Source;
use crate::top::model::{Reading, SpunReading};
use locktoll_sources::clock::now_ns;
use locktoll_sources::perf::Refused;
use locktoll_sources::spinning::{AtWork, DEFAULT_RATE, Detector, Subjects};

/// Finding names may take longer than this; then the report before is shown once more.
const WAIT: Duration = Duration::from_millis(500);

/// The detector, while a program is looked into.
#[derive(Default)]
pub struct BusyWaiting {
    at_work: Option<(u32, AtWork)>,
    began_ns: u64,
    last: Option<SpunReading>,
    /// Why it was refused, so that it is not asked for again and again.
    refused: Option<Refused>,
}

impl BusyWaiting {
    /// Creates the source; nothing is sampled yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn begin(&mut self, pid: u32) {
        let subjects = Subjects::Running {
            pids: vec![pid],
            children: false,
        };
        self.began_ns = now_ns();
        match Detector::begin(subjects, DEFAULT_RATE) {
            Ok(detector) => {
                self.at_work = detector.follow(None).map(|it| (pid, it));
            }
            Err(why) => self.refused = Some(why),
        }
    }
}

impl Source for BusyWaiting {
    fn read(&mut self, reading: &mut Reading) {
        let Some(chosen) = &mut reading.chosen else {
            return;
        };
        if self.at_work.is_none() && self.refused.is_none() && !chosen.ended {
            self.begin(chosen.pid);
        }
        if let Some(why) = self.refused {
            reading.notes.push(format!(
                "busy waiting is not detected: {why}; `locktoll doctor record` names the command that allows it"
            ));
        }
        let report = match &mut self.at_work {
            Some((pid, at_work)) if *pid == chosen.pid => at_work.so_far(WAIT),
            _ => None,
        };
        if let Some((at_ns, report)) = report {
            self.last = Some(SpunReading {
                began_ns: self.began_ns,
                at_ns,
                report: Arc::new(report),
            });
        }
        chosen.spun = self.last.clone();
    }

    fn choose(&mut self, _pid: Option<u32>) {
        *self = Self::default();
    }
}
