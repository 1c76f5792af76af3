//! The thread that samples, examines and counts, from the first sample to the report.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::accounts::Accounts;
use super::budget::Budget;
use super::family::{Family, ImageNumber, Met};
use super::image::Image;
use super::places::Files;
use super::stacks;
use super::summary::{self, Seen};
use super::tally::{STACKS, SpotKey, Tally};
use super::threads::Threads;
use super::verdicts::Known;
use super::writers::Watch;
use crate::perf::{Rate, Record, Refused, Sample, Sampler, Scope, Task};
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

/// What the samples change.
pub(super) struct State {
    pub family: Family,
    pub images: Vec<Image>,
    pub files: Files,
    pub tally: Tally,
    pub threads: Threads,
    budget: Budget,
    pub lost: u64,
    /// How many CPUs each process with busy waiting may use.
    pub usable_cpus: HashMap<u32, f64>,
    /// Loops whose code changed.
    pub changed: usize,
    own: u32,
}

impl Work {
    fn begin(detector: Detector, started: Option<u32>) -> Self {
        let Detector { sampler, subjects } = detector;
        let (children, pids) = match subjects {
            Subjects::Started { children } => (children, started.into_iter().collect()),
            Subjects::Running { children, pids } => (children, pids),
        };
        let all_are_ours = sampler.scope() == Scope::Started && children;
        let mut state = State {
            family: Family::new(children, all_are_ours),
            images: Vec::new(),
            files: Files::default(),
            tally: Tally::default(),
            threads: Threads::default(),
            budget: Budget::begin(),
            lost: 0,
            usable_cpus: HashMap::new(),
            changed: 0,
            own: std::process::id(),
        };
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
        if self.checked.elapsed() >= CHECK && state.budget.is_left() {
            self.checked = Instant::now();
            state.check_code();
        }
    }
}

impl State {
    fn take(&mut self, record: Record<'_>) {
        match record {
            Record::Sample(sample) => self.sample(&sample),
            Record::Began(task) => self.began(task),
            Record::Ended(task) if task.pid == task.tid => self.family.ended(task.pid),
            Record::Ended(_) => {}
            Record::NewProgram { pid } => {
                let met = self.family.new_program(pid);
                self.meet(pid, met);
            }
            Record::Lost(lost) => self.lost += lost.records,
        }
    }

    fn began(&mut self, task: Task) {
        let met = self.family.began(task);
        self.meet(task.pid, met);
        if self.family.knows(task.pid) {
            self.threads
                .entry((task.pid, task.tid))
                .or_default()
                .is_new();
        }
    }

    fn meet(&mut self, pid: u32, met: Option<Met>) {
        let Some(met) = met else { return };
        let before = met.forked_from.and_then(|it| self.images.get(it));
        let image = Image::begin(pid, before);
        debug_assert_eq!(met.image, self.images.len());
        self.images.push(image);
    }

    fn sample(&mut self, sample: &Sample<'_>) {
        if sample.pid == self.own {
            return;
        }
        let Some((number, met)) = self.family.of_sample(sample.pid) else {
            return;
        };
        self.meet(sample.pid, met);
        self.tally.samples += 1;
        let key = (sample.pid, sample.tid);
        let spins = self.examined(number, sample);
        self.threads.entry(key).or_default().sampled(spins);
    }

    /// Examines a sample, and counts it if its thread waits busily.
    fn examined(&mut self, number: ImageNumber, sample: &Sample<'_>) -> bool {
        let ip = sample.registers.ip();
        let image = &mut self.images[number];
        if !image.has_code(ip) {
            match std::fs::exists(format!("/proc/{}/maps", sample.pid)) {
                Ok(true) if !image.memory.is_empty() => self.tally.unreadable += 1,
                _ => self.tally.too_late += 1,
            }
            return false;
        }
        let registers = registers(sample);
        let callers = stacks::callers(&image.memory, sample);
        let verdicts = Rc::clone(&image.verdicts);
        let known = verdicts.borrow().get(ip, &callers);
        let known = match known {
            Some(known) => known,
            None if !self.budget.is_left() => {
                self.tally.over_budget += 1;
                return false;
            }
            None => self.budget.spend(|| {
                let mut verdicts = verdicts.borrow_mut();
                verdicts.examine(&image.at(sample), &registers, &callers)
            }),
        };
        let waiting = match known {
            // A thread that sleeps in the kernel between its attempts does not wait busily there.
            Known::Waits(waiting) if !(sample.in_kernel && waiting.code.features.sleeps) => waiting,
            Known::Waits(_) | Known::Works => return false,
            Known::Unknown(_) => {
                self.tally.unreadable += 1;
                return false;
            }
        };
        let word = waiting.code.word(&registers, &image.at(sample));
        let key = SpotKey {
            image: number,
            begin: waiting.code.begin,
            word,
        };
        let spot = self
            .tally
            .count(key, &waiting, (sample.pid, sample.tid));
        if spot.places.is_none() {
            let begin = image.place(&mut self.files, waiting.code.begin);
            let word = word.map(|it| image.place(&mut self.files, it));
            spot.places = Some((begin, word));
        }
        if spot.stacks.len() < STACKS && self.budget.is_left() {
            let walked = self.budget.spend(|| stacks::walk(image, sample));
            // The loop's own function is known; its callers follow.
            let callers = walked.iter().skip(waiting.code.calls as usize + 1);
            let files = &mut self.files;
            let callers = callers.map(|it| image.place(files, it.wrapping_sub(1)));
            spot.stacks.push(callers.collect());
        }
        true
    }

    fn check_code(&mut self) {
        let Self {
            images,
            budget,
            changed,
            family,
            ..
        } = self;
        for image in images.iter().filter(|it| family.knows(it.pid)) {
            if budget.is_left() {
                *changed += budget.spend(|| image.verdicts.borrow_mut().check(&image.memory));
            }
        }
    }
}

/// Returns the registers as the classifier takes them.
fn registers(sample: &Sample<'_>) -> locktoll_loops::Registers {
    let mut general = [0; 32];
    general.copy_from_slice(&sample.registers.by_number[..32]);
    locktoll_loops::Registers {
        general,
        ip: sample.registers.ip(),
    }
}
