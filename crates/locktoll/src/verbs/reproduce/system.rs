//! What the whole system does while a cell runs, and before.

use std::thread;
use std::time::{Duration, Instant};

use locktoll_lab::cell::Cell;
use locktoll_lab::runner::{Executor, SliceFailure};
use locktoll_lab::watch::{CauseKind, Interval, Subject, Watcher};

use crate::reproduce::evidence::SystemLook;

/// From the start of a cell's process until its threads are sure to be at work.
const WARM_UP: Duration = Duration::from_millis(100);

/// Before the end of a slice, by which the look must be over: threads that have ended cannot be counted.
const MARGIN: Duration = Duration::from_millis(50);

/// The shortest slice in which there is something to see.
pub const SHORTEST: Duration = Duration::from_millis(400);

/// Between two looks at what threads wait for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The system by itself, and with `cell` running, a slice of `length` each.
///
/// # Errors
/// If the cell failed, or the system could not be watched.
pub fn look_twice(
    executor: &mut impl Executor,
    cell: &Cell,
    length: Duration,
) -> Result<(SystemLook, SystemLook), SliceFailure> {
    let window = length.saturating_sub(WARM_UP + MARGIN);
    let before = watch(Subject::Machine, window)?;
    let during = thread::scope(|scope| {
        let looking = scope.spawn(|| {
            thread::sleep(WARM_UP);
            watch(
                only_child().map_or(Subject::Machine, Subject::Process),
                window,
            )
        });
        let ran = executor.run(cell);
        let looked = looking.join();
        ran?;
        looked.unwrap_or_else(|_| Err(refused("the watch ended early")))
    })?;
    Ok((before, during))
}

/// The process that runs the cell, so that causes are those of its threads alone; `None` where the kernel does not
/// tell children (it was built without), or there are several.
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

/// Switches and times are the whole system's, causes those of `subject`.
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
    let unreadable = || refused("/proc/stat does not tell the system's switches and times");
    let switches = interval.system.switches.ok_or_else(unreadable)?;
    let cpu = interval.system.cpu.ok_or_else(unreadable)?;
    let of = |kind: CauseKind| {
        let causes = interval.causes.iter();
        causes
            .filter(|cause| cause.cause == kind)
            .map(|cause| cause.switches)
            .sum::<u64>() as f64
    };
    // These two are sums of all the others.
    let told = of(CauseKind::Waited) + of(CauseKind::TakenOff);
    let share = |kinds: &[CauseKind]| match told > 0.0 {
        true => kinds.iter().map(|kind| of(*kind)).sum::<f64>() / told,
        false => 0.0,
    };
    Ok(SystemLook {
        switches_per_second: switches as f64 * 1e9 / interval.interval_ns.max(1) as f64,
        user_share: cpu.user,
        system_share: cpu.system + cpu.interrupts,
        idle_share: cpu.idle + cpu.iowait,
        by_futex: share(&[CauseKind::Futex]),
        by_io: share(&[CauseKind::PipeOrSocket, CauseKind::Disk, CauseKind::Events]),
        by_slice: share(&[CauseKind::SliceOver]),
        by_yield: share(&[CauseKind::YieldedOrWokenOver]),
    })
}

#[cfg(test)]
mod tests {
    use locktoll_lab::watch::{Cause, CpuShares, KnownBy, OwnCost, System};

    use super::*;

    /// Half a second in which so many switches had these causes.
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
            (CauseKind::Futex, 400),
            (CauseKind::PipeOrSocket, 100),
            (CauseKind::Unknown, 100),
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
            by_futex: 0.5,
            by_io: 0.125,
            by_slice: 0.15,
            by_yield: 0.1,
        };
        assert_eq!(look, expected);
    }

    #[test]
    fn no_switches_have_no_causes() {
        assert_eq!(summary(&interval(&[])).unwrap().by_futex, 0.0);
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
