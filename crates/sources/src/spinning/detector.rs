//! The thread that samples, examines and counts, from the first sample to the report.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::accounts::Accounts;
use super::family::Family;
use super::state::State;
use super::summary::{self, Naming, Seen};
use super::writers::Watch;
use crate::clock::now_ns;
use crate::perf::{Rate, Refused, Sampler, Scope};
use crate::spun::Report;

/// Samples per second of CPU time, if nothing else is asked for: a prime, so that it does not keep step with the program.
pub const DEFAULT_RATE: Rate = Rate(251);

/// Time between two looks at the samples: each costs some ten microseconds. At high rates, the rings would be full before that.
const LOOK: Duration = Duration::from_millis(50);
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

/// How the thread is ended.
#[derive(Debug, Default)]
struct Stop {
    /// Set once, to end it.
    now: AtomicBool,
    /// Set before, if its report is wanted.
    with_report: AtomicBool,
}

/// The detector at work. It ends when this is dropped.
#[derive(Debug)]
pub struct AtWork {
    thread: Option<JoinHandle<Option<Report>>>,
    stop: Arc<Stop>,
    /// Questions for a report in between.
    questions: SyncSender<()>,
    answers: Receiver<(u64, Report)>,
    /// Whether a question has not been answered yet.
    asked: bool,
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
        let stop = Arc::new(Stop::default());
        let stops = Arc::clone(&stop);
        let (questions, asked) = sync_channel(1);
        let (to_answer, answers) = sync_channel(1);
        let asked = Asked { asked, to_answer };
        let thread = std::thread::Builder::new()
            .name("spinning".to_owned())
            .spawn(move || {
                go_first();
                Work::begin(self, started).until(&stops, &asked)
            })
            .ok()?;
        Some(AtWork {
            thread: Some(thread),
            stop,
            questions,
            answers,
            asked: false,
        })
    }
}

impl AtWork {
    /// Returns what was seen up to now, and the time of that (`CLOCK_MONOTONIC`, nanoseconds), if the answer comes within `wait`:
    /// finding names may take longer. A late answer is returned by the next call.
    pub fn so_far(&mut self, wait: Duration) -> Option<(u64, Report)> {
        if !self.asked {
            self.questions.try_send(()).ok()?;
            self.asked = true;
            self.wake();
        }
        let report = self.answers.recv_timeout(wait).ok()?;
        self.asked = false;
        Some(report)
    }

    /// Ends it, and returns what was seen. `None` if it failed.
    pub fn end(mut self) -> Option<Report> {
        // Relaxed: `Stop::now` is stored after it with release.
        self.stop.with_report.store(true, Ordering::Relaxed);
        // Release: the thread that sees it also sees whether a report is wanted.
        self.stop.now.store(true, Ordering::Release);
        self.wake();
        self.thread.take()?.join().ok().flatten()
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        // Release: see `end`. The thread closes its events by itself.
        self.stop.now.store(true, Ordering::Release);
        self.wake();
    }
}

/// Gives this thread a CPU before others, if that is permitted: threads that spin leave none, and the kernel's rings would be full. The
/// thread needs little time.
fn go_first() {
    const NICE: i32 = -10;
    // Without the privilege, it waits for its turn.
    let _ = rustix::process::setpriority_process(None, NICE);
}

/// The thread's end of the questions.
struct Asked {
    asked: Receiver<()>,
    to_answer: SyncSender<(u64, Report)>,
}

/// What the thread knows.
struct Work {
    sampler: Sampler,
    state: State,
    watch: Watch,
    accounts: Accounts,
    checked: Instant,
    naming: Naming,
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
        if let Some(pid) = started {
            state.switching.follow(pid, children);
        }
        for pid in pids {
            let met = state.family.add(pid);
            match started {
                Some(_) => state.meet(pid, met),
                None => state.meet_running(pid, met),
            }
        }
        Self {
            sampler,
            state,
            watch: Watch::begin(),
            accounts: Accounts::begin(),
            checked: Instant::now(),
            naming: Naming::begin(),
        }
    }

    fn until(mut self, stop: &Stop, asked: &Asked) -> Option<Report> {
        let rate = u32::try_from(1_000_000_000 / self.sampler.period_ns().max(1)).unwrap_or(1);
        let pause = LOOK.min(Duration::from_secs(1) * RING / rate.max(1));
        loop {
            // Acquire: see `AtWork::end`.
            let is_last = stop.now.load(Ordering::Acquire);
            // Relaxed: read after `now`.
            if is_last && !stop.with_report.load(Ordering::Relaxed) {
                return None;
            }
            if is_last {
                self.sampler.stop();
            }
            self.look(is_last);
            if is_last {
                break;
            }
            if asked.asked.try_recv().is_ok() {
                // Nobody may want the answer any more.
                let at_ns = now_ns();
                let _ = asked.to_answer.try_send((at_ns, self.report()));
            }
            std::thread::park_timeout(self.watch.left().map_or(pause, |left| pause.min(left)));
        }
        let state = &mut self.state;
        self.watch
            .end(&mut state.images, &mut state.files, &mut state.tally);
        Some(self.report())
    }

    fn report(&mut self) -> Report {
        self.state.switching.look();
        let seen = Seen {
            state: &self.state,
            period_ns: self.sampler.period_ns(),
            with_kernel: self.sampler.scope() == Scope::Everything,
            watch_refused: self.watch.refused(),
            whole: self.state.switching.whole(),
        };
        summary::report(&seen, &mut self.naming)
    }

    fn look(&mut self, is_last: bool) {
        let state = &mut self.state;
        self.sampler.collect(|pid| state.family.is_stranger(pid));
        self.sampler.take(|record| state.take(record));
        state.take_stacks(is_last);
        self.watch
            .turn(&mut state.images, &mut state.files, &mut state.tally);
        self.accounts.turn(state, is_last);
        if self.checked.elapsed() >= CHECK {
            self.checked = Instant::now();
            state.check_code();
        }
        if self.sampler.scope() == Scope::Started && state.switching.is_expensive() {
            state.switching.close();
            self.sampler.close();
        }
        state.switching.turn();
    }
}
