//! The turns in which the kernel's accounts of threads are read.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::state::State;
use super::summary;
use super::tally::{Doings, SpotKey, ThreadKey};
use super::threads::{Reading, involuntary, reading, tasks};

/// The shortest time between two turns.
const TURN: Duration = Duration::from_millis(100);
/// A turn may take a four hundredth of the time until the next.
const SHARE: u32 = 400;
/// The most threads of one process whose accounts are read in a turn.
const THREADS: usize = 256;

/// The turns.
#[derive(Debug)]
pub struct Accounts {
    last: Instant,
    pause: Duration,
}

impl Accounts {
    /// Begins with a turn.
    pub fn begin() -> Self {
        Self {
            last: Instant::now(),
            pause: Duration::ZERO,
        }
    }

    /// Reads accounts, if it is time or if this is the last chance.
    pub fn turn(&mut self, state: &mut State, is_last: bool) {
        let since = self.last.elapsed();
        if since < self.pause && !is_last {
            return;
        }
        let began = Instant::now();
        self.last = began;
        let active: Vec<SpotKey> = state
            .tally
            .spots
            .iter()
            .filter(|(_, spot)| spot.lately > 0)
            .map(|(&key, _)| key)
            .collect();
        let mut of_process: HashMap<u32, Vec<SpotKey>> = HashMap::new();
        for key in active {
            let pid = state.images[key.image].pid;
            of_process.entry(pid).or_default().push(key);
        }
        // Processes in which threads wait busily: all of their threads, since any of them may be the one that is waited for.
        for (pid, spots) in &of_process {
            summary::note_limits(state, *pid);
            around(state, *pid, spots, since);
        }
        let others: Vec<ThreadKey> = state
            .threads
            .iter()
            .filter(|((pid, _), account)| account.lately > 0 && !of_process.contains_key(pid))
            .map(|(&key, _)| key)
            .take(THREADS)
            .collect();
        for key in others {
            if let Some(reading) = reading(key)
                && let Some(passed) = state.threads.entry(key).or_default().read(reading)
            {
                state.switching.add(passed);
            }
        }
        for account in state.threads.values_mut() {
            account.lately = 0;
            account.spinning_lately = 0;
        }
        for spot in state.tally.spots.values_mut() {
            spot.lately = 0;
        }
        self.pause = TURN.max(began.elapsed() * SHARE);
    }
}

/// Reads the accounts of all threads of a process in which threads wait at `spots`.
fn around(state: &mut State, pid: u32, spots: &[SpotKey], since: Duration) {
    let since_ns = since.as_nanos() as f64;
    let mut runnable_ns = 0;
    let mut doings: Vec<(ThreadKey, Doings)> = Vec::new();
    for tid in tasks(pid, THREADS) {
        let key = (pid, tid);
        let Some(now) = reading(key) else { continue };
        let account = state.threads.entry(key).or_default();
        let (spinning, samples) = (account.spinning_lately, account.lately);
        if spinning > 0
            && let Some(switches) = involuntary(key)
        {
            account.switched(switches);
        }
        let Some(passed) = account.read(now) else {
            continue;
        };
        state.switching.add(passed);
        runnable_ns += passed.cpu_ns + passed.delay_ns;
        let share = match samples {
            0 => 0.0,
            samples => spinning as f64 / samples as f64,
        };
        doings.push((key, split(passed, share, since_ns)));
    }
    for key in spots {
        let Some(spot) = state.tally.spots.get_mut(key) else {
            continue;
        };
        spot.around.ns += since.as_nanos() as u64;
        spot.around.runnable_ns += runnable_ns;
        for (thread, doing) in &doings {
            let sum = spot.around.threads.entry(*thread).or_default();
            sum.running_ns += doing.running_ns;
            sum.runnable_ns += doing.runnable_ns;
            sum.asleep_ns += doing.asleep_ns;
        }
    }
}

/// Divides the time of a thread that waited busily for a share of its CPU time. That part of its time is left out, and so is the
/// part of its waiting for a CPU that it was in at that time: a thread that waits itself is not the one that is waited for.
fn split(passed: Reading, waited: f64, since_ns: f64) -> Doings {
    let (cpu_ns, delay_ns) = (passed.cpu_ns as f64, passed.delay_ns as f64);
    Doings {
        running_ns: cpu_ns * (1.0 - waited),
        runnable_ns: delay_ns * (1.0 - waited),
        asleep_ns: (since_ns - cpu_ns - delay_ns).max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_in_which_a_thread_waits_itself_is_left_out() {
        let passed = Reading {
            cpu_ns: 40,
            delay_ns: 20,
            runs: 1,
        };
        let doings = split(passed, 0.75, 100.0);
        assert_eq!((doings.running_ns, doings.runnable_ns), (10.0, 5.0));
        assert_eq!(doings.asleep_ns, 40.0);
        assert_eq!(split(passed, 0.0, 50.0).asleep_ns, 0.0);
    }
}
