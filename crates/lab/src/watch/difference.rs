//! From two readings to the events between them. Pure functions: nothing is read here.

use std::time::Duration;

use super::found::Looks;
use super::interval::{
    Activity, Attribution, CpuShares, Interval, OwnCost, Process, System, Thread, Totals,
};
use super::sweep::{ProcessReading, Sweep};
use super::system::SystemReading;
use super::thread::{RunTimes, ThreadReading};
use super::{Subject, causes};
use crate::platform::linux::{CpuTicks, tick_ns};

/// Below this number of one CPU's ticks, shares say nothing: with a grain of one tick (10 ms), twenty ticks make the grain 5 %.
const LEAST_TICKS: u64 = 20;

/// Returns the events between `before` and `after`.
pub(super) fn between(
    before: &Sweep,
    after: &Sweep,
    subject: Subject,
    looks: &Looks,
    slice_ns: Option<u64>,
    own: OwnCost,
) -> Interval {
    let duration = after.at.saturating_duration_since(before.at);
    let interval_ns = nanoseconds(duration);
    let system = system(&before.system, &after.system, interval_ns);
    let mut threads = Vec::new();
    let mut processes = Vec::new();
    for (&pid, process) in &after.processes {
        let known = before.processes.get(&pid);
        let of_process = threads_of(pid, process, known, looks);
        // A process that was absent before may have begun at any time since the last sweep.
        let window = process
            .at
            .saturating_duration_since(known.map_or(before.at, |known| known.at));
        processes.push(sum(pid, process, &of_process, nanoseconds(window)));
        threads.extend(of_process.into_iter().map(|thread| (pid, thread)));
    }
    // They are still sorted by id.
    let of_process = |pid: u32| {
        let at = processes.binary_search_by_key(&pid, |process: &Process| process.pid);
        at.ok().map(|at| &processes[at])
    };
    let scaled: Vec<(bool, Activity)> = threads
        .iter()
        .filter_map(|(pid, thread)| {
            let process = of_process(*pid)?;
            let factor = factor(process, subject, interval_ns);
            Some((process.kernel, thread.activity.scaled(factor)))
        })
        .collect();
    let causes = causes::of(scaled.iter().map(|(kernel, one)| (*kernel, one)), slice_ns);
    let attribution = (subject == Subject::Machine)
        .then(|| attribution(before, after, &system, &processes, interval_ns));
    let totals = match subject {
        Subject::Machine => None,
        Subject::Process(pid) => totals(before, after, pid, interval_ns),
    };
    processes.retain(|process| subject != Subject::Machine || active(&process.activity));
    processes.sort_by_key(|process| (std::cmp::Reverse(process.activity.switches()), process.pid));
    let mut threads: Vec<Thread> = match subject {
        Subject::Machine => Vec::new(),
        Subject::Process(_) => threads.into_iter().map(|(_, thread)| thread).collect(),
    };
    threads.retain(|thread| active(&thread.activity));
    threads.sort_by_key(|thread| (std::cmp::Reverse(thread.activity.switches()), thread.tid));
    Interval {
        interval_ns,
        system,
        attribution,
        processes,
        totals,
        threads,
        causes,
        own,
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the factor that scales the counts of a process to the interval.
fn factor(process: &Process, subject: Subject, interval_ns: u64) -> f64 {
    match subject {
        Subject::Machine if process.window_ns > 0 => interval_ns as f64 / process.window_ns as f64,
        // These counts are not added to any others.
        _ => 1.0,
    }
}

fn active(activity: &Activity) -> bool {
    activity.switches() > 0 || activity.run_ns.is_some_and(|ns| ns > 0)
}

/// Returns the difference of two counters, if both are known and have not gone back, as a container's may when it moves.
fn grown(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    after?.checked_sub(before?)
}

fn system(before: &SystemReading, after: &SystemReading, interval_ns: u64) -> System {
    let (old, new) = (
        before.stat.unwrap_or_default(),
        after.stat.unwrap_or_default(),
    );
    let waited_us = grown(before.cpu_pressure_us, after.cpu_pressure_us);
    System {
        switches: grown(old.switches, new.switches),
        started: grown(old.started, new.started),
        runnable: new.runnable,
        blocked: new.blocked,
        load: after.load.map(|load| load.averages),
        cpu_pressure_share: waited_us
            .filter(|_| interval_ns > 0)
            .map(|us| (us as f64 * 1e3 / interval_ns as f64).min(1.0)),
        cpu: cpu_shares(&old.ticks, &new.ticks),
    }
}

fn cpu_shares(before: &CpuTicks, after: &CpuTicks) -> Option<CpuShares> {
    // Idle and iowait of a single CPU can go back a little (proc_stat(5)).
    let grown = |of: fn(&CpuTicks) -> u64| of(after).saturating_sub(of(before));
    let user = grown(|ticks| ticks.user + ticks.nice);
    let system = grown(|ticks| ticks.system);
    let interrupts = grown(|ticks| ticks.irq + ticks.softirq);
    let idle = grown(|ticks| ticks.idle);
    let iowait = grown(|ticks| ticks.iowait);
    let steal = grown(|ticks| ticks.steal);
    let total = user + system + interrupts + idle + iowait + steal;
    let share = |ticks: u64| ticks as f64 / total as f64;
    (total >= LEAST_TICKS).then(|| CpuShares {
        user: share(user),
        system: share(system),
        interrupts: share(interrupts),
        idle: share(idle),
        iowait: share(iowait),
        steal: share(steal),
    })
}

fn threads_of(
    pid: u32,
    process: &ProcessReading,
    known: Option<&ProcessReading>,
    looks: &Looks,
) -> Vec<Thread> {
    let one = |(&tid, now): (&u32, &ThreadReading)| Thread {
        tid,
        name: now.name.clone(),
        state: now.state,
        activity: Activity {
            found: looks.of(pid, tid),
            ..activity(known.and_then(|known| known.threads.get(&tid)), now)
        },
    };
    process.threads.iter().map(one).collect()
}

/// Returns a thread's activity since the last sweep. For a thread that was absent then, that is its whole activity. The same
/// holds for one whose counters went back: a new thread got its number.
fn activity(before: Option<&ThreadReading>, now: &ThreadReading) -> Activity {
    let same = before.filter(|before| {
        let stretches = |run: &Option<RunTimes>| run.map_or(0, |run| run.stretches);
        before.voluntary <= now.voluntary
            && before.involuntary <= now.involuntary
            && stretches(&before.run) <= stretches(&now.run)
    });
    let (voluntary, involuntary) = same.map_or((0, 0), |same| (same.voluntary, same.involuntary));
    let run = now.run.map(|run| {
        let old = same.and_then(|same| same.run).unwrap_or_default();
        RunTimes {
            run_ns: run.run_ns.saturating_sub(old.run_ns),
            ready_ns: run.ready_ns.saturating_sub(old.ready_ns),
            stretches: run.stretches.saturating_sub(old.stretches),
        }
    });
    Activity {
        voluntary: now.voluntary - voluntary,
        involuntary: now.involuntary - involuntary,
        run_ns: run.map(|run| run.run_ns),
        ready_ns: run.map(|run| run.ready_ns),
        stretches: run.map(|run| run.stretches),
        migrations: now
            .migrations
            .map(|all| all.saturating_sub(same.and_then(|same| same.migrations).unwrap_or(0))),
        ..Activity::default()
    }
}

fn sum(pid: u32, process: &ProcessReading, threads: &[Thread], window_ns: u64) -> Process {
    let mut all = Activity::default();
    for thread in threads {
        let one = &thread.activity;
        all.voluntary = all.voluntary.saturating_add(one.voluntary);
        all.involuntary = all.involuntary.saturating_add(one.involuntary);
        all.run_ns = plus(all.run_ns, one.run_ns);
        all.ready_ns = plus(all.ready_ns, one.ready_ns);
        all.stretches = plus(all.stretches, one.stretches);
        all.migrations = plus(all.migrations, one.migrations);
        all.found.add(&one.found);
    }
    Process {
        pid,
        name: process.name(pid).to_owned(),
        kernel: process.threads.values().all(|thread| thread.kernel),
        threads: threads.len() as u64,
        window_ns,
        activity: all,
    }
}

/// Returns the sum of the known values.
fn plus(sum: Option<u64>, one: Option<u64>) -> Option<u64> {
    match (sum, one) {
        (Some(sum), Some(one)) => Some(sum.saturating_add(one)),
        (known, None) | (None, known) => known,
    }
}

/// Returns the totals of the process, including threads that ended.
fn totals(before: &Sweep, after: &Sweep, pid: u32, interval_ns: u64) -> Option<Totals> {
    let of = |sweep: &Sweep| sweep.processes.get(&pid)?.totals;
    let (old, new) = (of(before)?, of(after)?);
    let share =
        |old: u64, new: u64| new.saturating_sub(old) as f64 * tick_ns() / interval_ns.max(1) as f64;
    Some(Totals {
        user_share: share(old.user_ticks, new.user_ticks),
        system_share: share(old.system_ticks, new.system_ticks),
        minor_faults: new.minor_faults.saturating_sub(old.minor_faults),
        major_faults: new.major_faults.saturating_sub(old.major_faults),
    })
}

fn attribution(
    before: &Sweep,
    after: &Sweep,
    system: &System,
    processes: &[Process],
    interval_ns: u64,
) -> Attribution {
    let total = |of: fn(&Activity) -> u64| {
        processes
            .iter()
            .map(|process| {
                let factor = factor(process, Subject::Machine, interval_ns);
                of(&process.activity.scaled(factor))
            })
            .fold(0u64, u64::saturating_add)
    };
    let voluntary = total(|activity| activity.voluntary);
    let involuntary = total(|activity| activity.involuntary);
    // A CPU that does not take up a thread goes idle, and it leaves idle equally often.
    let taken_up = grown(before.system.taken_up, after.system.taken_up);
    let from_idle = grown(taken_up, system.switches);
    let told = voluntary
        .saturating_add(involuntary)
        .saturating_add(from_idle.unwrap_or(0));
    Attribution {
        voluntary,
        involuntary,
        from_idle,
        // Bursts between the reading of the machine's counter and that of a thread's make the sum larger.
        rest: system.switches.map(|all| all.saturating_sub(told)),
        threads_seen: after.threads() as u64,
        threads_of_machine: after.system.load.map(|load| load.threads),
        processes_unreadable: after.unreadable as u64,
    }
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;
