//! The thread that samples, examines and counts, from the first sample to the report.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::accounts::Accounts;
use super::family::Family;
use super::state::State;
use super::summary::{self, Seen};
use super::writers::Watch;
use crate::perf::{Rate, Refused, Sampler, Scope};
use crate::spun::Report;

/// Samples per second of CPU time, if nothing else is asked for: a prime, so that it does not keep step with the program.
pub const DEFAULT_RATE: Rate = Rate(499);

/// Time between two looks at the samples: a process that ends sooner takes its code with it. At high rates, the rings would be full
/// before that.
const LOOK: Duration = Duration::from_millis(20);
/// How many samples a ring holds, with their registers and stacks, less a reserve.
const RING: u32 = 100;
/// Time between two looks at whether known code has changed.
const CHECK: Duration = Duration::from_secs(1);

/// Whose busy waiting is looked for.
#[derive(Clone, Debug)]
pub enum Subjects {
    /// The program that the calling thread starts next, and its children if they are wanted.
    Started {
        /// Whether children count.
        children: bool,
    },
    /// Programs that run, and their children if they are wanted.
    Running {
        /// The processes.
        pids: Vec<u32>,
        /// Whether children count.
        children: bool,
    },
}

/// Samples that are being taken, before it is known of which process.
#[derive(Debug)]
pub struct Detector {
    sampler: Sampler,
    subjects: Subjects,
}

/// The detector at work.
#[derive(Debug)]
pub struct AtWork {
    thread: JoinHandle<Report>,
    /// Set once, to end it.
    stop: Arc<AtomicBool>,
}

impl Detector {
    /// Begins to sample. For [`Subjects::Started`], this must be called by the thread that then starts the program.
    ///
    /// # Errors
    /// The reason why the kernel refuses.
    pub fn begin(subjects: Subjects, rate: Rate) -> Result<Self, Refused> {
        let everything = Sampler::begin(Scope::Everything, rate);
        let sampler = match (&subjects, everything) {
            (_, Ok(sampler)) => sampler,
            (Subjects::Started { .. }, Err(_)) => Sampler::begin(Scope::Started, rate)?,
            (Subjects::Running { .. }, Err(why)) => return Err(why),
        };
        Ok(Self { sampler, subjects })
    }

    /// Goes on with process `started`, if it was started, in a thread of its own. Without such a thread, there are no samples.
    pub fn follow(self, started: Option<u32>) -> Option<AtWork> {
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name("spinning".to_owned())
            .spawn(move || Work::begin(self, started).until(&stops))
            .ok()?;
        Some(AtWork { thread, stop })
    }
}

impl AtWork {
    /// Ends it, and returns what was seen. `None` if it failed.
    pub fn end(self) -> Option<Report> {
        // Relaxed: the thread only looks whether it is set; its result comes by joining it.
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        self.thread.join().ok()
    }
}

/// What the thread knows.
struct Work {
    sampler: Sampler,
    state: State,
    watch: Watch,
    accounts: Accounts,
    checked: Instant,
}

impl Work {
    fn begin(detector: Detector, started: Option<u32>) -> Self {
        let Detector { sampler, subjects } = detector;
        let (children, pids) = match subjects {
            Subjects::Started { children } => (children, started.into_iter().collect()),
            Subjects::Running { children, pids } => (children, pids),
        };
        let all_are_ours = sampler.scope() == Scope::Started && children;
        let mut state = State::new(Family::new(children, all_are_ours));
        for pid in pids {
            let met = state.family.add(pid);
            state.meet(pid, met);
        }
        Self {
            sampler,
            state,
            watch: Watch::begin(),
            accounts: Accounts::begin(),
            checked: Instant::now(),
        }
    }

    fn until(mut self, stop: &AtomicBool) -> Report {
        let rate = u32::try_from(1_000_000_000 / self.sampler.period_ns().max(1)).unwrap_or(1);
        let pause = LOOK.min(Duration::from_secs(1) * RING / rate.max(1));
        loop {
            // Relaxed: see `AtWork::end`.
            let is_last = stop.load(Ordering::Relaxed);
            if is_last {
                self.sampler.stop();
            }
            self.look(is_last);
            if is_last {
                break;
            }
            std::thread::park_timeout(pause);
        }
        let state = &mut self.state;
        self.watch
            .end(&mut state.images, &mut state.files, &mut state.tally);
        summary::report(Seen {
            state: self.state,
            period_ns: self.sampler.period_ns(),
            with_kernel: self.sampler.scope() == Scope::Everything,
            watch_refused: self.watch.refused(),
        })
    }

    fn look(&mut self, is_last: bool) {
        let state = &mut self.state;
        self.sampler.drain(|record| state.take(record));
        self.watch
            .turn(&mut state.images, &mut state.files, &mut state.tally);
        self.accounts.turn(state, is_last);
        if self.checked.elapsed() >= CHECK {
            self.checked = Instant::now();
            state.check_code();
        }
    }
}
