//! How much is asked of a program, and how long it may take.

use std::time::Duration;

use super::contestants::Run;

/// A program that is not done by then hangs. Generous: it says nothing of speed, and the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The number of steps of a load: `steps` times `LOCKTOLL_LOAD`, an eighth of that on a lock whose waiters do nothing but
/// spin, where a preempted holder costs the others whole slices of the scheduler.
pub fn steps(run: &Run, steps: usize) -> usize {
    let times = std::env::var("LOCKTOLL_LOAD")
        .map_or(1, |times| times.parse().expect("LOCKTOLL_LOAD is a number"));
    let all: usize = steps * times;
    match run.is_pure_spinner() {
        true => all.div_ceil(8),
        false => all,
    }
}
