//! Context switches of the watched threads, which inherited events make slower.
//!
//! An event of the whole machine costs nothing at a switch. Events that a program inherits are taken off one thread and put on the next
//! at each switch, also while they are stopped. If that would take more than a hundredth of the program's time, they are closed.

use std::time::Duration;

use rustix::param::clock_ticks_per_second;

use super::threads::{Reading, tasks};
use locktoll_terminal::system::files::{field_of_stat, text_of_process};

/// What a switch costs more, measured with two threads that wake each other by pipes (0.35 to 0.40 us).
const SWITCH_NS: u64 = 400;
/// One part in this many of the CPU time may be used.
const SHARE: u64 = 100;
/// The CPU time after which it is decided.
const ENOUGH_NS: u64 = 10_000_000;

/// Switches and CPU time since the last decision.
#[derive(Debug)]
pub struct Switching {
    switches: u64,
    ran_ns: u64,
    /// CPU time in user code of the children of this process that have ended, at the beginning.
    began: Duration,
    is_closed: bool,
    /// The program that was started, and whether its children count.
    program: Option<(u32, bool)>,
    /// Its whole CPU time, as far as it was read.
    whole: Duration,
}

/// More generations of processes, and more processes of one parent, are not looked at.
const GENERATIONS: u32 = 32;
const CHILDREN: usize = 1_000;

impl Switching {
    /// Begins to count.
    pub fn begin() -> Self {
        Self {
            switches: 0,
            ran_ns: 0,
            began: of_children(),
            is_closed: false,
            program: None,
            whole: Duration::ZERO,
        }
    }

    /// Notes which program was started, and whether its children count.
    pub fn follow(&mut self, pid: u32, with_children: bool) {
        self.program = Some((pid, with_children));
    }

    /// Adds what a thread did between two readings of its account.
    pub fn add(&mut self, passed: Reading) {
        self.switches += passed.runs;
        self.ran_ns += passed.cpu_ns;
    }

    /// Whether the switches take longer than is allowed. Begins anew if not.
    pub fn is_expensive(&mut self) -> bool {
        if self.is_closed || self.ran_ns < ENOUGH_NS {
            return false;
        }
        let is_expensive = self.switches * SWITCH_NS * SHARE > self.ran_ns;
        (self.switches, self.ran_ns) = (0, 0);
        is_expensive
    }

    /// Notes that the events were closed.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Reads the program's CPU time if its children do not count. Nobody can read it after the program's end, so the last reading must
    /// be recent. If children count, the kernel tells the CPU time of all of them after their end.
    pub fn turn(&mut self) {
        if self.program.is_some_and(|it| !it.1) {
            self.look();
        }
    }

    /// Reads how much CPU time the program has used in user code, if only its beginning is sampled.
    pub fn look(&mut self) {
        if !self.is_closed {
            return;
        }
        let counts_children = self.program.is_none_or(|it| it.1);
        let of_ended = || match counts_children {
            true => of_children().saturating_sub(self.began),
            false => Duration::ZERO,
        };
        let mut ended = of_ended();
        let mut whole;
        loop {
            let running = self.program.map(|(pid, children)| of_tree(pid, children));
            whole = ended + running.unwrap_or_default();
            let now = of_ended();
            if now == ended {
                break;
            }
            // A process was waited for in the meantime, and may have been counted twice or not at all.
            ended = now;
        }
        self.whole = self.whole.max(whole);
    }

    /// Returns the program's whole CPU time in user code up to the last look, if only its beginning was sampled.
    pub fn whole(&self) -> Option<Duration> {
        self.is_closed.then_some(self.whole)
    }
}

/// Returns the CPU time in user code of a process that has not been waited for; with children, also that of those for which it has waited,
/// and of those that run.
fn of_tree(pid: u32, with_children: bool) -> Duration {
    let mut sum = Duration::ZERO;
    let mut generation = vec![pid];
    for _ in 0..GENERATIONS {
        sum += generation
            .iter()
            .filter_map(|&it| of_process(it, with_children))
            .sum::<Duration>();
        if !with_children || generation.is_empty() {
            break;
        }
        generation = generation.into_iter().flat_map(children).collect();
    }
    sum
}

/// Returns the CPU time in user code of a process, as proc_pid_stat(5) shows it.
fn of_process(pid: u32, with_waited_for: bool) -> Option<Duration> {
    let stat = text_of_process(pid, "stat").ok()?;
    let ticks = |field: usize| field_of_stat(&stat, field)?.parse::<u64>().ok();
    let (own, waited_for) = (ticks(14)?, ticks(16)?);
    let ticks = own + if with_waited_for { waited_for } else { 0 };
    Some(Duration::from_secs(ticks) / u32::try_from(clock_ticks_per_second()).ok()?)
}

fn children(pid: u32) -> Vec<u32> {
    let of_threads = tasks(pid, CHILDREN).into_iter().filter_map(|tid| {
        let text = text_of_process(pid, &format!("task/{tid}/children")).ok()?;
        let pids = text.split_ascii_whitespace();
        Some(pids.filter_map(|it| it.parse().ok()).collect::<Vec<u32>>())
    });
    of_threads.flatten().take(CHILDREN).collect()
}

/// Returns the CPU time in user code of the children of this process that have ended and were waited for, and of theirs.
fn of_children() -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel fills the structure, which zeros are valid for, too.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let seconds = u64::try_from(usage.ru_utime.tv_sec).unwrap_or(0);
    let microseconds = u64::try_from(usage.ru_utime.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(microseconds)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    fn after(runs: u64, cpu_ns: u64) -> bool {
        let mut switching = Switching::begin();
        switching.add(Reading {
            cpu_ns,
            delay_ns: 0,
            runs,
        });
        switching.is_expensive()
    }

    #[test]
    fn events_are_closed_where_switches_would_take_a_hundredth_of_the_time() {
        // 30,000 switches per second are 12 ms.
        assert!(after(3_000, 100_000_000));
        assert!(!after(2_000, 100_000_000));
        // Too early to tell.
        assert!(!after(3_000, 5_000_000));
    }

    #[test]
    fn what_was_not_sampled_is_known_only_if_events_were_closed() {
        let mut switching = Switching::begin();
        switching.look();
        assert_eq!(switching.whole(), None);
        switching.close();
        assert!(switching.whole().is_some());
        switching.add(Reading {
            cpu_ns: 1_000_000_000,
            delay_ns: 0,
            runs: 1_000_000,
        });
        assert!(!switching.is_expensive());
    }

    /// Looks until the program has used some ticks of CPU time.
    fn looked(switching: &mut Switching) -> Duration {
        let began = Instant::now();
        loop {
            switching.look();
            let whole = switching.whole().unwrap();
            if whole >= Duration::from_millis(50) || began.elapsed() > Duration::from_secs(20) {
                return whole;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn the_whole_is_known_while_the_program_and_its_children_run() {
        // The first shell computes; the second one waits for a child that does.
        for (script, with_children) in [
            ("while :; do :; done", false),
            ("(while :; do :; done) & wait", true),
        ] {
            let mut switching = Switching::begin();
            switching.close();
            let mut program = Command::new("sh")
                .args(["-c", script])
                .process_group(0)
                .spawn()
                .unwrap();
            switching.follow(program.id(), with_children);
            let running = looked(&mut switching);
            let group = rustix::process::Pid::from_child(&program);
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
            assert!(running >= Duration::from_millis(50), "{script}");
            // The end takes nothing away.
            program.wait().unwrap();
            switching.look();
            assert!(switching.whole().unwrap() >= running, "{script}");
        }
    }
}
