//! The threads of the process: their names, and the kernel's account of their time, from the beginning to the end of watching.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::time::Instant;

use super::Subject;
use crate::clock::now_ns;
use crate::futexes::gathered::{Ended, Gathered};
use locktoll_terminal::system::files::{field_of_stat, of_process, text_of_process};

/// All threads that were seen.
#[derive(Clone, Debug)]
pub struct Lives {
    beginning: Beginning,
    threads: BTreeMap<u32, Seen>,
    /// User and kernel time of the whole process when it was first seen.
    process: Option<Counts>,
    last: Option<Counts>,
    /// Whether all of its threads have ended, so that their last figures add up to those of the process.
    has_ended: bool,
}

/// When watching began.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    at: Instant,
    /// The same by the kernel's monotonic clock, nanoseconds.
    ns: u64,
}

impl Beginning {
    /// Watching begins now.
    pub fn now() -> Self {
        Self {
            at: Instant::now(),
            ns: now_ns(),
        }
    }

    /// Returns the time since the beginning, in nanoseconds.
    pub fn elapsed_ns(&self) -> u64 {
        u64::try_from(self.at.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Returns the time from the beginning to `at_ns` of the kernel's monotonic clock, in nanoseconds.
    pub fn until_ns(&self, at_ns: u64) -> u64 {
        at_ns.saturating_sub(self.ns)
    }
}

/// What one thread did while it was watched.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadLife {
    /// Its id.
    pub tid: u32,
    /// Its id as the process itself sees it, in its own pid namespace.
    pub own_tid: u32,
    /// Its name, the last one seen.
    pub name: String,
    /// When it was first seen, nanoseconds after the beginning.
    pub start_ns: u64,
    /// From then until it was last seen, nanoseconds.
    pub duration_ns: u64,
    /// Time on a processor, in nanoseconds; `None` if it ended before the kernel was asked.
    pub cpu_ns: Option<u64>,
    /// Time runnable and waiting for a processor, in nanoseconds, as `cpu_ns`.
    pub cpu_wait_ns: Option<u64>,
    /// Voluntary context switches, as `cpu_ns`.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches, as `cpu_ns`.
    pub involuntary_switches: Option<u64>,
}

#[derive(Clone, Debug)]
struct Seen {
    own_tid: u32,
    name: String,
    first_ns: u64,
    last_ns: u64,
    /// The counts at the beginning, or zero for a thread that came later.
    before: Counts,
    after: Option<Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    cpu_ns: u64,
    cpu_wait_ns: u64,
    user_ns: u64,
    system_ns: u64,
    voluntary: u64,
    involuntary: u64,
}

/// Beyond this number, the kernel is not asked about a process's threads.
const MOST_THREADS: usize = 10_000;

impl Lives {
    /// Begins with the threads that are there now, `now_ns` after the beginning.
    pub fn begin(subject: &Subject, beginning: Beginning, now_ns: u64) -> Self {
        let mut lives = Self {
            process: of_whole(subject),
            ..Self::of_new(beginning)
        };
        for tid in tids(subject) {
            lives.meet(subject, tid, now_ns, true);
        }
        lives
    }

    /// Begins for a process that was started while others were watched. It had not done anything before.
    pub fn of_new(beginning: Beginning) -> Self {
        Self {
            beginning,
            threads: BTreeMap::new(),
            process: Some(Counts::default()),
            last: None,
            has_ended: false,
        }
    }

    /// Notes which threads are there, and reads the names of new ones.
    pub fn look(&mut self, subject: &Subject) {
        let now_ns = self.beginning.elapsed_ns();
        self.last = of_whole(subject).or(self.last);
        for tid in tids(subject) {
            match self.threads.get_mut(&tid) {
                Some(seen) => seen.last_ns = now_ns,
                None => self.meet(subject, tid, now_ns, false),
            }
        }
    }

    /// Ends watching: reads the counts of all threads that are still there. To be called before the process ends, if it is about
    /// to.
    pub fn end(&mut self, subject: &Subject) {
        self.look(subject);
        for (&tid, seen) in &mut self.threads {
            if let Some(name) = name(subject, tid) {
                seen.name = name;
            }
            seen.after = counts(subject, tid);
        }
    }

    /// Excludes what the previous program had done in the same process; `number` is that program's number.
    pub fn take_before(&mut self, number: u32, gathered: &Gathered) {
        for thread in gathered.threads.iter().filter(|it| it.process == number) {
            let Some(ended) = &thread.ended else { continue };
            if let Some(seen) = self.threads.get_mut(&ended.global) {
                seen.before = counts_of(ended);
                self.process = Some(seen.before);
            }
        }
    }

    /// Takes in the last figures of threads that have ended and can no longer be asked. `number` is the process's number in
    /// `gathered`; `has_ended` says whether the whole process has ended.
    pub fn take_ended(&mut self, number: u32, gathered: &Gathered, has_ended: bool) {
        self.has_ended = has_ended;
        for thread in gathered.threads.iter().filter(|it| it.process == number) {
            let Some(ended) = &thread.ended else { continue };
            let since = |at_ns: u64| self.beginning.until_ns(at_ns);
            let (first_ns, last_ns) = (since(ended.began_ns), since(ended.ended_ns));
            let is_full = self.threads.len() >= MOST_THREADS;
            let seen = match self.threads.entry(ended.global) {
                Entry::Occupied(seen) => seen.into_mut(),
                Entry::Vacant(_) if is_full => continue,
                // The thread came and went between two looks.
                Entry::Vacant(vacant) => vacant.insert(Seen {
                    own_tid: thread.thread,
                    name: thread.name.clone(),
                    first_ns,
                    last_ns,
                    before: Counts::default(),
                    after: None,
                }),
            };
            seen.last_ns = last_ns.max(seen.first_ns);
            seen.after = Some(counts_of(ended));
        }
    }

    fn meet(&mut self, subject: &Subject, tid: u32, now_ns: u64, before: bool) {
        if self.threads.len() >= MOST_THREADS {
            return;
        }
        let before = if before { counts(subject, tid) } else { None };
        self.threads.insert(
            tid,
            Seen {
                own_tid: own_tid(subject, tid).unwrap_or(tid),
                name: name(subject, tid).unwrap_or_default(),
                first_ns: now_ns,
                last_ns: now_ns,
                before: before.unwrap_or_default(),
                after: None,
            },
        );
    }

    /// Returns what is known of each thread, by id.
    pub fn threads(&self) -> impl Iterator<Item = ThreadLife> + '_ {
        self.threads.iter().map(|(&tid, seen)| {
            let known = |of: fn(&Counts) -> u64| {
                let after = seen.after.as_ref()?;
                Some(of(after).saturating_sub(of(&seen.before)))
            };
            ThreadLife {
                tid,
                own_tid: seen.own_tid,
                name: seen.name.clone(),
                start_ns: seen.first_ns,
                duration_ns: seen.last_ns - seen.first_ns,
                cpu_ns: known(|it| it.cpu_ns),
                cpu_wait_ns: known(|it| it.cpu_wait_ns),
                voluntary_switches: known(|it| it.voluntary),
                involuntary_switches: known(|it| it.involuntary),
            }
        })
    }

    /// Returns the name of the thread with this id in the process's own pid namespace, if it was seen.
    pub fn name(&self, own_tid: u32) -> Option<&str> {
        let seen = self.threads.values().find(|it| it.own_tid == own_tid)?;
        Some(seen.name.as_str())
    }

    /// Returns user and kernel time of the whole process, in nanoseconds, in steps of a clock tick.
    pub fn usage_ns(&self) -> Option<(u64, u64)> {
        let used = |before: &Counts, after: &Counts| {
            (
                after.user_ns.saturating_sub(before.user_ns),
                after.system_ns.saturating_sub(before.system_ns),
            )
        };
        if !self.has_ended {
            return Some(used(self.process.as_ref()?, self.last.as_ref()?));
        }
        let mut sum = (0, 0);
        for seen in self.threads.values() {
            let (user_ns, system_ns) = used(&seen.before, seen.after.as_ref()?);
            sum = (sum.0 + user_ns, sum.1 + system_ns);
        }
        Some(sum)
    }
}

fn counts_of(ended: &Ended) -> Counts {
    let (user_ns, system_ns) = divided(ended);
    Counts {
        cpu_ns: ended.cpu_ns,
        cpu_wait_ns: ended.cpu_wait_ns,
        user_ns,
        system_ns,
        voluntary: ended.voluntary,
        involuntary: ended.involuntary,
    }
}

/// Divides the time on a processor in the proportion in which the clock's ticks found the thread in user space and in the kernel.
/// Ticks alone miss short threads. The kernel itself divides the time like this (kernel/sched/cputime.c, cputime_adjust).
fn divided(ended: &Ended) -> (u64, u64) {
    let (user, system, all) = (
        u128::from(ended.user_ns),
        u128::from(ended.system_ns),
        u128::from(ended.cpu_ns),
    );
    let system = match user {
        0 if system > 0 => all,
        _ => all * system / (user + system).max(1),
    };
    let system_ns = u64::try_from(system).unwrap_or(u64::MAX);
    (ended.cpu_ns.saturating_sub(system_ns), system_ns)
}

fn tids(subject: &Subject) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{}/task", subject.pid));
    let tasks = tasks.into_iter().flatten().flatten();
    tasks
        .filter_map(|task| task.file_name().to_str()?.parse().ok())
        .collect()
}

fn name(subject: &Subject, tid: u32) -> Option<String> {
    let name = of_process(subject.pid, &format!("task/{tid}/comm")).ok()?;
    Some(
        String::from_utf8_lossy(&name)
            .trim_end_matches('\n')
            .to_owned(),
    )
}

/// Returns the last number of `NSpid:` in /proc/PID/task/TID/status.
fn own_tid(subject: &Subject, tid: u32) -> Option<u32> {
    own_tid_of(&text_of_process(subject.pid, &format!("task/{tid}/status")).ok()?)
}

fn own_tid_of(status: &str) -> Option<u32> {
    let ids = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))?;
    ids.split_whitespace().next_back()?.parse().ok()
}

fn counts(subject: &Subject, tid: u32) -> Option<Counts> {
    let text = |name: &str| text_of_process(subject.pid, &format!("task/{tid}/{name}")).ok();
    let schedstat = text("schedstat")?;
    let mut figures = schedstat.split_whitespace().map(|it| it.parse().ok());
    let (cpu_ns, cpu_wait_ns) = (figures.next()??, figures.next()??);
    let status = text("status")?;
    let switches = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    Some(Counts {
        cpu_ns,
        cpu_wait_ns,
        voluntary: switches("voluntary_ctxt_switches:")?,
        involuntary: switches("nonvoluntary_ctxt_switches:")?,
        ..times_of(&text("stat")?)?
    })
}

fn of_whole(subject: &Subject) -> Option<Counts> {
    times_of(&text_of_process(subject.pid, "stat").ok()?)
}

/// Reads user and kernel time from the stat of a process or a thread.
fn times_of(stat: &str) -> Option<Counts> {
    let tick_ns = 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1);
    let ns = |field: usize| {
        let ticks: u64 = field_of_stat(stat, field)?.parse().ok()?;
        Some(ticks.saturating_mul(tick_ns))
    };
    Some(Counts {
        user_ns: ns(14)?,
        system_ns: ns(15)?,
        ..Counts::default()
    })
}

/// An interface for the fuzz targets alone.
pub(super) fn fuzzed(text: &str) {
    let _ = (own_tid_of(text), times_of(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_thread_used_that_ended_is_all_of_its_time_however_few_ticks_it_met() {
        let ended = |user_ns, system_ns| Ended {
            user_ns,
            system_ns,
            cpu_ns: 10_000,
            ..Ended::default()
        };
        assert_eq!(divided(&ended(0, 0)), (10_000, 0));
        assert_eq!(divided(&ended(0, 4_000)), (0, 10_000));
        assert_eq!(divided(&ended(4_000, 0)), (10_000, 0));
        assert_eq!(divided(&ended(12_000, 4_000)), (7_500, 2_500));
        assert_eq!(divided(&ended(u64::MAX, u64::MAX)), (5_000, 5_000));
    }

    #[test]
    fn a_thread_that_works_is_seen_to_and_one_that_came_later_is_known() {
        let subject = Subject::of(std::process::id()).unwrap();
        let mut lives = Lives::begin(&subject, Beginning::now(), 0);
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let worker = std::thread::Builder::new()
            .name("late-comer".to_owned())
            .spawn(move || ended.recv())
            .unwrap();
        while !lives.threads().any(|it| it.name == "late-comer") {
            lives.look(&subject);
            // Its name appears a moment after the thread.
            lives
                .threads
                .retain(|_, seen| seen.name == "late-comer" || seen.first_ns == 0);
        }
        lives.end(&subject);
        let late = lives.threads().find(|it| it.name == "late-comer").unwrap();
        assert!(late.start_ns > 0 && late.cpu_ns.is_some() && late.voluntary_switches.is_some());
        assert!(lives.usage_ns().is_some());
        drop(end);
        let _ = worker.join().unwrap();
    }
}
