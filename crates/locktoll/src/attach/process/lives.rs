//! The threads of the process: their names, and what the kernel says of their time, from the beginning of watching to its end.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use super::Subject;

/// All threads that were seen.
#[derive(Debug)]
pub struct Lives {
    began: Instant,
    threads: BTreeMap<u32, Seen>,
    /// User and kernel time of the whole process at the beginning, ticks.
    process: Option<Counts>,
    last: Option<Counts>,
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
    /// On a processor, nanoseconds; `None` if it ended before the kernel was asked.
    pub cpu_ns: Option<u64>,
    /// Runnable, waiting for a processor, nanoseconds, as `cpu_ns`.
    pub cpu_wait_ns: Option<u64>,
    /// Voluntary context switches, as `cpu_ns`.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches, as `cpu_ns`.
    pub involuntary_switches: Option<u64>,
}

#[derive(Debug)]
struct Seen {
    own_tid: u32,
    name: String,
    first_ns: u64,
    last_ns: u64,
    /// At the beginning, or zero for a thread that came later.
    before: Counts,
    after: Option<Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    cpu_ns: u64,
    cpu_wait_ns: u64,
    user_ticks: u64,
    system_ticks: u64,
    voluntary: u64,
    involuntary: u64,
}

/// Threads of a process beyond this are counted, but not asked.
const MOST_THREADS: usize = 10_000;

impl Lives {
    /// Begins: the threads that are there now.
    pub fn begin(subject: &Subject) -> Self {
        let mut lives = Self {
            began: Instant::now(),
            threads: BTreeMap::new(),
            process: ticks(&format!("/proc/{}/stat", subject.pid)),
            last: None,
        };
        for tid in tids(subject) {
            lives.meet(subject, tid, 0, true);
        }
        lives
    }

    /// Notes which threads are there. New ones are asked for their names.
    pub fn look(&mut self, subject: &Subject) {
        let now_ns = self.now_ns();
        self.last = ticks(&format!("/proc/{}/stat", subject.pid)).or(self.last);
        for tid in tids(subject) {
            match self.threads.get_mut(&tid) {
                Some(seen) => seen.last_ns = now_ns,
                None => self.meet(subject, tid, now_ns, false),
            }
        }
    }

    /// The end: asks all threads that are still there. Before the process has ended, if it is about to.
    pub fn end(&mut self, subject: &Subject) {
        self.look(subject);
        for (&tid, seen) in &mut self.threads {
            if let Some(name) = name(subject, tid) {
                seen.name = name;
            }
            seen.after = counts(subject, tid);
        }
    }

    fn now_ns(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
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

    /// What is known of each, by id.
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

    /// The name of the thread with this id in the process's own pid namespace, if it was seen.
    pub fn name(&self, own_tid: u32) -> Option<&str> {
        let seen = self.threads.values().find(|it| it.own_tid == own_tid)?;
        Some(seen.name.as_str())
    }

    /// User and kernel time of the whole process, nanoseconds, in steps of a clock tick.
    pub fn usage_ns(&self) -> Option<(u64, u64)> {
        let (before, after) = (self.process?, self.last?);
        let tick_ns = 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1);
        Some((
            after.user_ticks.saturating_sub(before.user_ticks) * tick_ns,
            after.system_ticks.saturating_sub(before.system_ticks) * tick_ns,
        ))
    }
}

fn tids(subject: &Subject) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{}/task", subject.pid));
    let tasks = tasks.into_iter().flatten().flatten();
    tasks
        .filter_map(|task| task.file_name().to_str()?.parse().ok())
        .collect()
}

fn name(subject: &Subject, tid: u32) -> Option<String> {
    let name = fs::read(format!("/proc/{}/task/{tid}/comm", subject.pid)).ok()?;
    Some(
        String::from_utf8_lossy(&name)
            .trim_end_matches('\n')
            .to_owned(),
    )
}

/// The last number of `NSpid:` in /proc/PID/task/TID/status.
fn own_tid(subject: &Subject, tid: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{}/task/{tid}/status", subject.pid)).ok()?;
    let ids = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))?;
    ids.split_whitespace().next_back()?.parse().ok()
}

fn counts(subject: &Subject, tid: u32) -> Option<Counts> {
    let folder = format!("/proc/{}/task/{tid}", subject.pid);
    let schedstat = fs::read_to_string(format!("{folder}/schedstat")).ok()?;
    let mut figures = schedstat.split_whitespace().map(|it| it.parse().ok());
    let (cpu_ns, cpu_wait_ns) = (figures.next()??, figures.next()??);
    let status = fs::read_to_string(format!("{folder}/status")).ok()?;
    let switches = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    Some(Counts {
        cpu_ns,
        cpu_wait_ns,
        voluntary: switches("voluntary_ctxt_switches:")?,
        involuntary: switches("nonvoluntary_ctxt_switches:")?,
        ..Counts::default()
    })
}

/// User and kernel time by /proc/PID/stat. The name in it may hold anything, and ends with the last bracket.
fn ticks(path: &str) -> Option<Counts> {
    let stat = fs::read(path).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some(Counts {
        user_ticks: fields.next()?.parse().ok()?,
        system_ticks: fields.next()?.parse().ok()?,
        ..Counts::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_is_seen_to_and_one_that_came_later_is_known() {
        let subject = Subject::of(std::process::id()).unwrap();
        let mut lives = Lives::begin(&subject);
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let worker = std::thread::Builder::new()
            .name("late-comer".to_owned())
            .spawn(move || ended.recv())
            .unwrap();
        while !lives.threads().any(|it| it.name == "late-comer") {
            lives.look(&subject);
            // Its name comes a moment after it.
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
