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
    let before = watch(window)?;
    let during = thread::scope(|scope| {
        let looking = scope.spawn(|| {
            thread::sleep(WARM_UP);
            watch(window)
        });
        let ran = executor.run(cell);
        let looked = looking.join();
        ran?;
        looked.unwrap_or_else(|_| Err(refused("the watch ended early")))
    })?;
    Ok((before, during))
}

fn watch(window: Duration) -> Result<SystemLook, SliceFailure> {
    let mut watcher = Watcher::start(Subject::Machine).map_err(refused)?;
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
    use super::*;

    #[test]
    fn a_pipe_between_two_threads_shows() {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let (mut back, mut answer) = std::io::pipe().unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        use std::io::{Read, Write};
        use std::sync::atomic::Ordering;
        let look = thread::scope(|scope| {
            scope.spawn(move || {
                let mut byte = [0];
                while matches!(reader.read(&mut byte), Ok(1)) && answer.write_all(&byte).is_ok() {}
            });
            scope.spawn(|| {
                let mut byte = [1];
                // Relaxed: the flag carries no data.
                while !stop.load(Ordering::Relaxed)
                    && writer.write_all(&byte).is_ok()
                    && back.read_exact(&mut byte).is_ok()
                {}
                drop(writer);
            });
            let look = watch(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
            look
        });
        let look = look.unwrap();
        assert!(look.switches_per_second > 0.0);
        assert!(look.by_io > 0.0, "{look:?}");
        let all = look.user_share + look.system_share + look.idle_share;
        assert!((0.0..=1.01).contains(&all), "{look:?}");
    }
}
