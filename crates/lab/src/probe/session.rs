//! The data that all probes share: the plan, the CPUs, the scheduling policy, the clock, the progress.

use std::cell::RefCell;
use std::time::Duration;

use crate::clock::Clock;
use crate::machine::{CpuPlace, Machine, pin_current_thread};

use super::measure::{Plan, Watcher};
use super::scheduling::{self, Policy, Rank};
use super::{Scheduling, count::Counted};

/// How many times its budget a list of probes may take on a busy machine: users do not wait longer than that.
const PATIENCE: u32 = 4;

/// One run of the probes.
pub(super) struct Session<'a> {
    plan: Plan,
    patience: u32,
    machine: &'a Machine,
    policy: Policy,
    scheduling: Scheduling,
    progress: RefCell<Progress<'a>>,
}

struct Progress<'a> {
    watcher: &'a mut dyn Watcher,
    section: usize,
    sections: usize,
}

/// The set-up of a probe's thread, as [`Session::seat`] returns it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    cpu: usize,
    policy: Policy,
    rank: Rank,
}

impl Seat {
    /// Returns the same CPU under the default policy, whatever the other probes run under.
    pub fn as_programs_run(self) -> Seat {
        Seat {
            policy: Policy::Other,
            ..self
        }
    }

    /// Moves the calling thread to this CPU and policy for good; the thread must be one made for the probe.
    ///
    /// # Errors
    /// A sentence with the kernel's reason.
    pub fn take(self) -> Result<(), String> {
        pin_current_thread(self.cpu)
            .map_err(|error| format!("cannot run on CPU {}: {error}", self.cpu))?;
        self.policy
            .apply(self.rank)
            .map_err(|error| format!("{}: {error}", Policy::CALL))
    }
}

impl<'a> Session<'a> {
    pub fn new(plan: Plan, machine: &'a Machine, watcher: &'a mut dyn Watcher) -> Session<'a> {
        let (policy, scheduling) = if plan.real_time {
            scheduling::choose()
        } else {
            scheduling::usual("not asked for")
        };
        Session {
            plan,
            patience: PATIENCE,
            machine,
            policy,
            scheduling,
            progress: RefCell::new(Progress {
                watcher,
                section: 0,
                sections: 1,
            }),
        }
    }

    /// For tests of the result of a complete list of probes, which must be reached even on the busiest machine.
    #[cfg(test)]
    pub fn patient(self) -> Session<'a> {
        Session {
            patience: 100,
            ..self
        }
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the machine that the probes run on.
    pub fn machine(&self) -> &Machine {
        self.machine
    }

    /// Returns the clock that times the batches.
    pub fn clock(&self) -> &'static Clock {
        Clock::get()
    }

    /// Returns the policy of measured threads.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Returns the policy as the report shows it.
    pub fn scheduling(&self) -> &Scheduling {
        &self.scheduling
    }

    /// Returns the CPU of probes that run on one.
    pub fn home_cpu(&self) -> usize {
        self.machine.usable_cpus.first().copied().unwrap_or(0)
    }

    /// Returns the other CPU of probes that run on two. It is another core of the same package where there is one, so that the
    /// way between the CPUs is the usual one, neither between siblings of a core nor between sockets.
    ///
    /// # Errors
    /// A sentence that says so, if only one CPU is usable.
    pub fn far_cpu(&self) -> Result<usize, String> {
        let home_cpu = self.home_cpu();
        let places = &self.machine.topology.cpus;
        let home = places.iter().find(|place| place.cpu == home_cpu);
        let distance = |place: &CpuPlace| {
            let sibling = place.siblings.contains(&home_cpu);
            let elsewhere = home.is_some_and(|home| home.package != place.package);
            (sibling, elsewhere)
        };
        places
            .iter()
            .filter(|place| place.cpu != home_cpu)
            .min_by_key(|place| distance(place))
            .map(|place| place.cpu)
            .or_else(|| self.machine.usable_cpus.get(1).copied())
            .ok_or_else(|| "only one CPU may be used here".into())
    }

    /// Returns the set-up of a thread on `cpu`.
    pub fn seat(&self, cpu: usize, rank: Rank) -> Seat {
        Seat {
            cpu,
            policy: self.policy,
            rank,
        }
    }

    /// Returns the number of rounds, in each of which every probe has its turn.
    pub fn rounds(&self) -> usize {
        if self.plan.quick { 11 } else { 31 }
    }

    /// Returns the time that one batch should take.
    pub fn batch_ns(&self) -> f64 {
        if self.plan.quick { 1.0e6 } else { 2.0e6 }
    }

    /// Returns `full` or `quick`, whichever belongs to the plan.
    pub fn budget(&self, full: Duration, quick: Duration) -> Duration {
        if self.plan.quick { quick } else { full }
    }

    /// Returns the time limit of a list of probes that should take `budget`.
    pub fn limit(&self, budget: Duration) -> Duration {
        self.patience * budget
    }

    /// Tells the watcher what is measured now.
    pub fn progress(&self, title: &str) {
        let mut progress = self.progress.borrow_mut();
        let (section, sections) = (progress.section, progress.sections);
        progress.watcher.next(section, sections, title);
    }

    /// Records that a section begins.
    pub fn begin_section(&self, section: usize, sections: usize) {
        let mut progress = self.progress.borrow_mut();
        (progress.section, progress.sections) = (section, sections);
    }

    /// Whether the user has stopped the run.
    pub fn interrupted(&self) -> bool {
        self.progress.borrow().watcher.interrupted()
    }
}

/// The start of a measured stretch of a thread: time and switches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    ticks: u64,
    counted: Counted,
}

impl Mark {
    /// Opens a mark. The counts are read outside the timed stretch: before it starts and after it has ended.
    pub fn open() -> Mark {
        let counted = Counted::of_this_thread();
        Mark {
            counted,
            ticks: Clock::get().now(),
        }
    }

    /// Returns the nanoseconds and switches since the mark was opened.
    pub fn close(self) -> (f64, Counted) {
        let clock = Clock::get();
        let ticks = clock.now().wrapping_sub(self.ticks);
        (
            clock.ns(ticks),
            Counted::of_this_thread().since(self.counted),
        )
    }
}
