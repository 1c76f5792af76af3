//! The activity of the whole system while a cell runs, and before.

use std::thread;
use std::time::{Duration, Instant};

use locktoll_lab::cell::Cell;
use locktoll_lab::runner::{Executor, SliceFailure};
use locktoll_lab::watch::{Cause, CauseKind, Interval, Subject, Watcher};

use super::counted::SwitchCounter;
use crate::reproduce::evidence::{CauseShares, SystemLook};

/// Time from the start of a cell's process until its threads are sure to be at work.
const WARM_UP: Duration = Duration::from_millis(100);

/// How long before the end of a slice the observation must end: threads that have exited cannot be counted.
const MARGIN: Duration = Duration::from_millis(50);

/// Interval between two samples of what the threads wait for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Observes the system by itself, and with `cell` running, for a slice of `length` each. The causes of the cell's switches come
/// from `counter`, and without it from `/proc`.
///
/// # Errors
/// If the cell failed, or the system could not be watched.
pub fn look_twice(
    executor: &mut impl Executor,
    cell: &Cell,
    length: Duration,
    counter: Option<&SwitchCounter>,
) -> Result<(SystemLook, SystemLook), SliceFailure> {
    let window = length.saturating_sub(WARM_UP + MARGIN);
    let before = watch(Subject::Machine, window)?;
    let during = thread::scope(|scope| {
        let looking = scope.spawn(|| {
            thread::sleep(WARM_UP);
            let (subject, untold) = match only_child() {
                Some(child) => (Subject::Process(child), None),
                None => (
                    Subject::Machine,
                    Some("the process of the threads was not found among the children"),
                ),
            };
            let counted = counter.zip(only_child());
            let counted = counted.map(|(counter, child)| (counter, counter.read(child)));
            let look = watch(subject, window)?;
            let causes = match (untold, counted) {
                (Some(untold), _) => Err(untold.to_owned()),
                (None, Some((counter, before))) => before.and_then(|before| counter.since(&before)),
                (None, None) => look.causes,
            };
            Ok(SystemLook { causes, ..look })
        });
        let ran = executor.run(cell);
        let looked = looking.join();
        ran?;
        looked.unwrap_or_else(|_| Err(refused("the watch ended early")))
    })?;
    Ok((before, during))
}

/// Finds the process that runs the cell, so that only the causes of its threads are counted; `None` if there are several
/// children, or if the kernel does not list them because it was built without that feature.
fn only_child() -> Option<u32> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let of_task = |task: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(task.ok()?.path().join("children")).ok()
    };
    let told: Vec<String> = tasks.filter_map(of_task).collect();
    let mut children = told
        .iter()
        .flat_map(|children| children.split_ascii_whitespace());
    let child = children.next()?.parse().ok()?;
    children.next().is_none().then_some(child)
}

/// Observes for `window`: switches and times are for the whole system, causes are for `subject`.
fn watch(subject: Subject, window: Duration) -> Result<SystemLook, SliceFailure> {
    let mut watcher = Watcher::start(subject).map_err(refused)?;
    let until = Instant::now() + window;
    while Instant::now() < until {
        thread::sleep(BETWEEN_LOOKS);
        watcher.look();
    }
    summary(&watcher.next_interval().map_err(refused)?)
}

fn refused(reason: impl ToString) -> SliceFailure {
    SliceFailure::Refused(reason.to_string())
}

fn summary(interval: &Interval) -> Result<SystemLook, SliceFailure> {
    let unreadable = || refused("/proc/stat does not report the system's switches and times");
    let switches = interval.system.switches.ok_or_else(unreadable)?;
    let cpu = interval.system.cpu.ok_or_else(unreadable)?;
    Ok(SystemLook {
        switches_per_second: switches as f64 * 1e9 / interval.interval_ns.max(1) as f64,
        user_share: cpu.user,
        system_share: cpu.system + cpu.interrupts,
        idle_share: cpu.idle + cpu.iowait,
        causes: causes(&interval.causes),
    })
}

/// The share of switches with an unknown cause up to which causes are reported. The bounds of the claims lie at half, so twice
/// this share would still not decide.
const UNKNOWN_AT_MOST: f64 = 0.1;

/// Returns the shares of causes; a share that cannot be determined is an error, not zero.
fn causes(all: &[Cause]) -> Result<CauseShares, String> {
    let of = |kind: CauseKind| {
        let found = all.iter().find(|cause| cause.cause == kind);
        found.map(|cause| cause.switches as f64)
    };
    let some = |kind| of(kind).unwrap_or(0.0);
    // These two are counted by the kernel; all other causes are parts of them.
    let told = some(CauseKind::Waited) + some(CauseKind::TakenOff);
    if told == 0.0 {
        return Err("no thread switched".to_owned());
    }
    let unknown = (some(CauseKind::Unknown) + some(CauseKind::Several)) / told;
    let waits = |kinds: &[CauseKind]| {
        let share = kinds.iter().map(|kind| some(*kind)).sum::<f64>() / told;
        // A share above one half stays above one half, whatever the unknown causes were.
        match unknown > UNKNOWN_AT_MOST && share <= 0.5 {
            true => Err(format!(
                "the cause of {:.0} % of the switches is not known",
                unknown * 100.0
            )),
            false => Ok(share),
        }
    };
    // If no thread was preempted, none was preempted at the end of its time slice.
    let slices = |kind| match (of(kind), some(CauseKind::TakenOff)) {
        (Some(switches), _) => Ok(switches / told),
        (None, 0.0) => Ok(0.0),
        (None, _) => {
            Err("the kernel does not report its time slice, or threads' CPU time".to_owned())
        }
    };
    Ok(CauseShares {
        futex: waits(&[CauseKind::Futex]),
        io: waits(&[CauseKind::PipeOrSocket, CauseKind::Disk, CauseKind::Events]),
        taken_off: some(CauseKind::TakenOff) / told,
        slice: slices(CauseKind::SliceOver),
        yielded: slices(CauseKind::YieldedOrWokenOver),
    })
}

#[cfg(test)]
mod tests {
    use locktoll_lab::watch::{CpuShares, KnownBy, OwnCost, System};

    use super::*;

    /// Returns an interval of half a second with these numbers of switches by cause.
    fn interval(causes: &[(CauseKind, u64)]) -> Interval {
        Interval {
            interval_ns: 500_000_000,
            system: System {
                switches: Some(1000),
                cpu: Some(CpuShares {
                    user: 0.5,
                    system: 0.125,
                    interrupts: 0.125,
                    idle: 0.25,
                    ..CpuShares::default()
                }),
                ..System::default()
            },
            attribution: None,
            totals: None,
            processes: Vec::new(),
            threads: Vec::new(),
            causes: causes
                .iter()
                .map(|(cause, switches)| Cause {
                    cause: *cause,
                    switches: *switches,
                    known_by: KnownBy::Counted,
                })
                .collect(),
            own: OwnCost::default(),
        }
    }

    #[test]
    fn causes_are_shares_of_all_that_are_told() {
        let look = summary(&interval(&[
            (CauseKind::Waited, 600),
            (CauseKind::Futex, 450),
            (CauseKind::PipeOrSocket, 100),
            (CauseKind::Unknown, 50),
            (CauseKind::TakenOff, 200),
            (CauseKind::SliceOver, 120),
            (CauseKind::YieldedOrWokenOver, 80),
        ]))
        .unwrap();
        let expected = SystemLook {
            switches_per_second: 2000.0,
            user_share: 0.5,
            system_share: 0.25,
            idle_share: 0.25,
            causes: Ok(CauseShares {
                futex: Ok(0.5625),
                io: Ok(0.125),
                taken_off: 0.25,
                slice: Ok(0.15),
                yielded: Ok(0.1),
            }),
        };
        assert_eq!(look, expected);
    }

    #[test]
    fn unknown_causes_hide_a_share_unless_they_are_few_or_it_is_most() {
        let futex = |futex, unknown| {
            let interval = interval(&[
                (CauseKind::Waited, 100),
                (CauseKind::Futex, futex),
                (CauseKind::Unknown, unknown),
            ]);
            causes(&interval.causes).unwrap().futex
        };
        assert_eq!(futex(30, 10), Ok(0.3));
        assert_eq!(
            futex(50, 11),
            Err("the cause of 11 % of the switches is not known".to_owned())
        );
        assert_eq!(futex(51, 11), Ok(0.51));
    }

    #[test]
    fn a_cause_that_cannot_be_told_is_not_zero() {
        let of = |all: &[(CauseKind, u64)]| summary(&interval(all)).unwrap().causes;
        assert_eq!(of(&[]), Err("no thread switched".to_owned()));
        // A kernel that reports neither what threads wait for nor the time slice.
        let closed = of(&[
            (CauseKind::Waited, 600),
            (CauseKind::Unknown, 300),
            (CauseKind::Several, 300),
            (CauseKind::TakenOff, 400),
        ])
        .unwrap();
        assert!(closed.futex.unwrap_err().contains("60 %"));
        assert!(closed.io.is_err() && closed.slice.is_err() && closed.yielded.is_err());
        assert_eq!(closed.taken_off, 0.4);
        // No thread was preempted, so none at the end of a time slice.
        let waits = of(&[(CauseKind::Waited, 6), (CauseKind::Futex, 6)]).unwrap();
        assert_eq!((waits.futex, waits.slice), (Ok(1.0), Ok(0.0)));
    }

    #[test]
    fn the_system_can_be_watched() {
        let look = watch(Subject::Machine, Duration::from_millis(250)).unwrap();
        let all = look.user_share + look.system_share + look.idle_share;
        // The rest was stolen.
        assert!((0.0..=1.01).contains(&all), "{look:?}");
        assert!(look.switches_per_second > 0.0, "{look:?}");
    }
}
