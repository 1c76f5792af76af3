//! A program that is never run: its figures come from formulas, so that the tournament can be played thousands of times.

use std::collections::BTreeMap;
use std::time::Duration;

use super::tournament::draw::Draw;
use super::{
    Candidate, Contestant, Figures, Outcome, PASS_THROUGH, Runner, Settings, Step,
    TournamentWatcher,
};
use locktoll_results::trial::{Better as TrialBetter, Metric, MetricSource, WhyDropped};

/// How the machine disturbs a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// Normal, with this deviation.
    Normal(f64),
    /// Log-normal: a heavy tail to the right.
    LogNormal(f64),
    /// Normal, 3 %; one run in ten takes three times as long.
    Outliers,
    /// Normal, 3 %, while the machine slows down to a half over 300 runs.
    Drift,
    /// Normal, 3 %; the host is in one of two states, one 1.5 times as slow, for ten runs on average.
    States,
    /// Normal, 3 %, in steps of 5 %.
    Steps,
    /// Normal, 3 %; three runs in ten take up to six times as long.
    Bursts,
}

pub const SHAPES: [Noise; 8] = [
    Noise::Normal(0.03),
    Noise::Normal(0.1),
    Noise::LogNormal(0.3),
    Noise::Outliers,
    Noise::Drift,
    Noise::States,
    Noise::Steps,
    Noise::Bursts,
];

/// A runner that runs nothing.
pub struct MadeUp {
    noise: Noise,
    draw: Draw,
    runs: u32,
    is_slow: bool,
    /// Time with a lock, divided by the time of bare; 1 for a lock without an entry.
    pub ratio: BTreeMap<String, f64>,
    /// Processor time with a lock, divided by that of bare; twice the wall time for a lock without an entry.
    pub cpu_ratio: BTreeMap<String, f64>,
    /// The contestants that fail, from which of their runs on (0 is the warm-up), and how.
    pub fails: BTreeMap<String, (u32, WhyDropped)>,
    runs_of: BTreeMap<String, u32>,
    /// Duration of a bare run.
    pub base_s: f64,
    pub exit_codes: Vec<i32>,
    /// Every contestant that ran.
    pub log: Vec<(String, Duration)>,
    clock: Clock,
}

/// A clock that made-up runs advance.
#[derive(Clone, Debug, Default)]
pub struct Clock(std::rc::Rc<std::cell::Cell<Duration>>);

impl Clock {
    pub fn now(&self) -> Duration {
        self.0.get()
    }

    pub fn pass(&self, time: Duration) {
        self.0.set(self.0.get().saturating_add(time));
    }
}

impl MadeUp {
    pub fn new(noise: Noise, seed: u64, clock: &Clock) -> Self {
        Self {
            noise,
            // Must differ from the sequence from which the order of the runs is drawn.
            draw: Draw::new(seed ^ 0x5eed_0000_0000),
            runs: 0,
            is_slow: false,
            ratio: BTreeMap::new(),
            cpu_ratio: BTreeMap::new(),
            fails: BTreeMap::new(),
            runs_of: BTreeMap::new(),
            base_s: 1.0,
            exit_codes: vec![0],
            log: Vec::new(),
            clock: clock.clone(),
        }
    }

    fn uniform(&mut self) -> f64 {
        (self.draw.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Box–Muller transform.
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    fn disturbance(&mut self) -> f64 {
        let three_percent = |normal: f64| (1.0 + 0.03 * normal).max(0.5);
        let normal = self.normal();
        let noise = self.noise;
        match noise {
            Noise::Normal(deviation) => (1.0 + deviation * normal).max(0.1),
            Noise::LogNormal(deviation) => (deviation * normal).exp(),
            Noise::Outliers if self.uniform() < 0.1 => 3.0 * three_percent(normal),
            Noise::Outliers => three_percent(normal),
            Noise::Drift => three_percent(normal) * (1.0 + f64::from(self.runs) / 300.0),
            Noise::States => {
                self.is_slow ^= self.uniform() < 0.1;
                three_percent(normal) * if self.is_slow { 1.5 } else { 1.0 }
            }
            Noise::Bursts if self.uniform() < 0.3 => {
                three_percent(normal) * (1.0 + 5.0 * self.uniform())
            }
            Noise::Bursts => three_percent(normal),
            Noise::Steps => (three_percent(normal) * 20.0).round() / 20.0,
        }
    }
}

impl Runner for MadeUp {
    fn run(&mut self, contestant: &Contestant, limit: Duration) -> anyhow::Result<Outcome> {
        let name = match contestant {
            Contestant::Bare => "bare",
            Contestant::Candidate(name) => name,
        };
        let run = self.runs_of.entry(name.to_owned()).or_insert(0);
        let this_run = *run;
        *run += 1;
        if let Some((_, why)) = self.fails.get(name).filter(|(from, _)| this_run >= *from) {
            let took = match why {
                WhyDropped::TimeLimit { .. } => limit,
                _ => Duration::from_millis(10),
            };
            self.log.push((name.to_owned(), took));
            self.clock.pass(took);
            return Ok(Outcome::Failed(why.clone()));
        }
        let ratio = self.ratio.get(name).copied().unwrap_or(1.0);
        let seconds = self.base_s * ratio * self.disturbance();
        let wall = Duration::from_secs_f64(seconds);
        self.runs += 1;
        let took = wall.min(limit);
        self.log.push((name.to_owned(), took));
        self.clock.pass(took);
        if wall > limit {
            return Ok(Outcome::Failed(WhyDropped::TimeLimit {
                limit_ns: limit.as_nanos() as u64,
            }));
        }
        Ok(Outcome::Done(Figures {
            metric: seconds * 1e9,
            wall_ns: wall.as_nanos() as u64,
            cpu_ns: (seconds / ratio * self.cpu_ratio.get(name).copied().unwrap_or(ratio) * 2e9)
                as u64,
            exit_code: self.exit_codes[self.runs as usize % self.exit_codes.len()],
            said: None,
            coverage: None,
        }))
    }
}

/// A watcher that stops the tournament after a given number of runs.
pub struct Onlooker {
    clock: Clock,
    pub stops_after: Option<usize>,
    pub runs: usize,
    pub lines: Vec<String>,
}

impl Onlooker {
    pub fn new(clock: &Clock) -> Self {
        Self {
            clock: clock.clone(),
            stops_after: None,
            runs: 0,
            lines: Vec::new(),
        }
    }
}

impl TournamentWatcher for Onlooker {
    fn elapsed(&mut self) -> Duration {
        self.clock.now()
    }

    fn interrupted(&mut self) -> bool {
        self.stops_after.is_some_and(|it| self.runs >= it)
    }

    fn announce(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn next(&mut self, _step: &Step<'_>) {
        self.runs += 1;
    }

    fn tell(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }
}

/// Returns settings for the pass-through and the given number of locks, named `lock-1` and so on.
pub fn settings(locks: usize, seed: u64) -> Settings {
    let names = (1..=locks).map(|number| format!("lock-{number}"));
    let candidate = |name: String| Candidate {
        name,
        summary: "made up".to_owned(),
        is_pure_spinner: false,
        remarks: Vec::new(),
    };
    Settings {
        candidates: std::iter::once(PASS_THROUGH.to_owned())
            .chain(names)
            .map(candidate)
            .collect(),
        metric: Metric {
            source: MetricSource::WallTime,
            pattern: None,
            better: TrialBetter::Lower,
        },
        rounds: None,
        time_limit: super::settings::DEFAULT_TIME_LIMIT,
        seed,
    }
}

/// Returns the noise figures of an undisturbed machine.
pub fn silence() -> locktoll_lab::noise::Noise {
    locktoll_lab::noise::Noise {
        steal_share: Some(0.0),
        other_load_share: Some(0.0),
        runnable_others: Some(0),
        throttled_ns: None,
        duration_ns: 1_000_000_000,
        warnings: Vec::new(),
    }
}
