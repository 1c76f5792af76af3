//! Two moments make an interval.

use locktoll_lab::watch;

use super::cause::{estimated, since};
use super::{ChosenReading, Reading, Waits, locks, spun};
use locktoll_results::top::{Chosen, Interval, Machine, Program};

/// Returns what happened between `before` and `after`; without `before`, what is known at a single moment.
pub fn between(before: Option<&Reading>, after: &Reading) -> Interval {
    let interval_ns = before.map_or(0, |it| after.at_ns.saturating_sub(it.at_ns));
    Interval {
        interval_ns,
        machine: machine(before, after),
        programs: programs(before, after),
        chosen: after.chosen.as_ref().map(|now| chosen(before, after, now)),
        notes: after.notes.clone(),
    }
}

fn machine(before: Option<&Reading>, after: &Reading) -> Machine {
    let Some(system) = &after.system else {
        return Machine::default();
    };
    let counted = before
        .and_then(|it| it.switches.as_ref())
        .zip(after.switches.as_ref());
    Machine {
        cpu: system.system.cpu,
        switches: system.system.switches,
        causes: match counted {
            Some((then, now)) => since(now, then, None),
            // When a single process is watched, `/proc` reports nothing about the machine.
            None if system.attribution.is_none() => Vec::new(),
            None => estimated(&system.causes),
        },
        own_cpu_share: system.own.cpu_share,
    }
}

fn programs(before: Option<&Reading>, after: &Reading) -> Vec<Program> {
    let processes = after.system.iter().flat_map(|system| &system.processes);
    let mut programs: Vec<Program> = processes.map(program).collect();
    for (&pid, now) in &after.waits {
        let then = before.and_then(|it| it.waits.get(&pid));
        // The `/proc` source does not report processes that did not run at all: all of their threads wait.
        let program = match programs.iter_mut().find(|it| it.pid == pid) {
            Some(program) => program,
            None if now.waiting_now > 0 => {
                programs.push(silent(pid, now));
                programs.last_mut().expect("just put there")
            }
            None => continue,
        };
        let since_ns = before.and_then(|before| match now.watched_ns {
            None => before.sees_all_ns,
            // Watched only since then.
            Some(watched_ns) => {
                let between_ns = after.at_ns.saturating_sub(before.at_ns);
                (watched_ns <= between_ns).then_some(before.at_ns)
            }
        });
        waited(program, then, now, since_ns);
    }
    programs
}

fn program(process: &watch::Process) -> Program {
    let activity = &process.activity;
    Program {
        pid: process.pid,
        name: process.name.clone(),
        kernel: process.kernel,
        threads: process.threads,
        window_ns: process.window_ns,
        waits_window_ns: None,
        waits: None,
        wait_ns: None,
        waiting_now: None,
        seen_by: None,
        voluntary: activity.voluntary,
        involuntary: activity.involuntary,
        run_ns: activity.run_ns,
        ready_ns: activity.ready_ns,
    }
}

/// Returns a process of which only its waiting threads are known.
fn silent(pid: u32, waits: &Waits) -> Program {
    Program {
        pid,
        name: waits.name.clone(),
        kernel: false,
        threads: 0,
        window_ns: 0,
        waits_window_ns: None,
        waits: None,
        wait_ns: None,
        waiting_now: None,
        seen_by: None,
        voluntary: 0,
        involuntary: 0,
        run_ns: None,
        ready_ns: None,
    }
}

/// Adds the waits. `since_ns`: the time up to which the program had not waited at all, if there are no earlier figures.
fn waited(program: &mut Program, then: Option<&Waits>, now: &Waits, since_ns: Option<u64>) {
    let then = then.filter(|then| then.seen_by == now.seen_by);
    let since = |now: u64, then: Option<u64>| match then {
        Some(then) => Some(now.saturating_sub(then)),
        None => since_ns.map(|_| now),
    };
    let since_ns = then.map(|then| then.at_ns).or(since_ns);
    program.waits_window_ns = since_ns.map(|since_ns| now.at_ns.saturating_sub(since_ns));
    program.waits = since(now.waits, then.map(|it| it.waits));
    program.wait_ns = since(now.wait_ns, then.map(|it| it.wait_ns));
    program.waiting_now = Some(now.waiting_now);
    program.seen_by = Some(now.seen_by);
}

fn chosen(before: Option<&Reading>, after: &Reading, now: &ChosenReading) -> Chosen {
    let then = before
        .and_then(|it| it.chosen.as_ref())
        .filter(|it| it.pid == now.pid);
    let system = after
        .system
        .as_ref()
        .filter(|it| it.totals.is_some() && !now.ended);
    let counted = before
        .and_then(|it| it.switches.as_ref())
        .zip(after.switches.as_ref());
    let known = now.locks.as_ref().ok();
    let earlier = then.and_then(|it| it.locks.as_ref().ok());
    let earlier = earlier.filter(|(_, by)| known.is_some_and(|(_, seen_by)| by == seen_by));
    let watched_ns = known.map_or(0, |(profile, _)| profile.duration_ns);
    let watched_then_ns = earlier.map_or(0, |(profile, _)| profile.duration_ns);
    let (spun, spin_whole) = spun::between(
        then.and_then(|it| it.spun.as_ref()),
        now.spun.as_ref(),
        known.map_or(&[], |(profile, _)| &profile.locks),
    );
    Chosen {
        pid: now.pid,
        name: now.name.clone(),
        ended: now.ended,
        seen_by: known.map(|(_, seen_by)| *seen_by),
        unseen: now.locks.as_ref().err().cloned(),
        user_share: system.and_then(|it| it.totals).map(|it| it.user_share),
        system_share: system.and_then(|it| it.totals).map(|it| it.system_share),
        causes: match (counted, system) {
            (Some((then, counted)), _) if counted.processes.contains_key(&now.pid) => {
                since(counted, then, Some(now.pid))
            }
            (_, Some(system)) => estimated(&system.causes),
            (_, None) => Vec::new(),
        },
        window_ns: watched_ns.saturating_sub(watched_then_ns),
        watched_ns,
        locks: known.map_or_else(Vec::new, |(profile, _)| {
            locks::rows(earlier.map(|(profile, _)| &**profile), profile)
        }),
        held: now.stuck.held.clone(),
        deadlock: now.stuck.deadlock.clone(),
        spun,
        spin_whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_results::top::SeenBy;

    fn waits(waits: u64, watched_ns: Option<u64>) -> Waits {
        Waits {
            name: "app".to_owned(),
            waits,
            wait_ns: waits * 100,
            waiting_now: 1,
            seen_by: match watched_ns {
                Some(_) => SeenBy::Recorder,
                None => SeenBy::Kernel,
            },
            at_ns: 1_500_000_000,
            watched_ns,
        }
    }

    /// Returns the waits that are shown for a program between two moments one second apart.
    fn shown(then: Option<Waits>, now: Waits, sees_all: bool) -> Option<u64> {
        let before = Reading {
            at_ns: 1_000_000_000,
            waits: then.into_iter().map(|it| (7, it)).collect(),
            sees_all_ns: sees_all.then_some(1_000_000_000),
            ..Reading::default()
        };
        let after = Reading {
            at_ns: 2_000_000_000,
            waits: [(7, now)].into(),
            ..Reading::default()
        };
        between(Some(&before), &after).programs[0].waits
    }

    #[test]
    fn waits_are_those_of_the_interval_or_not_known() {
        let long = Some(60_000_000_000);
        assert_eq!(shown(Some(waits(5, long)), waits(9, long), false), Some(4));
        // Found only now, but recorded for longer.
        assert_eq!(shown(None, waits(9, long), false), None);
        // Watching began in between.
        assert_eq!(shown(None, waits(9, Some(10)), false), Some(9));
        // The kernel, if it was asked, does not report processes that have not waited.
        assert_eq!(shown(None, waits(9, None), true), Some(9));
        assert_eq!(shown(None, waits(9, None), false), None);
        // Another source started counting at another time.
        assert_eq!(shown(Some(waits(5, None)), waits(9, long), false), None);
    }

    #[test]
    fn a_program_that_only_waits_is_there_by_its_name() {
        let after = Reading {
            at_ns: 1,
            waits: [(7, waits(0, None))].into(),
            ..Reading::default()
        };
        let interval = between(None, &after);
        assert_eq!(interval.programs[0].name, "app");
        assert_eq!(interval.programs[0].wait_ns, None);
    }
}
