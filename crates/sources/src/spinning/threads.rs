//! The kernel's account of each thread's time.
//!
//! Samples alone count too much while the host runs something else on a virtual CPU: the clock of the samples goes on there. The
//! scheduler's account of the thread does not, so the samples of a thread are scaled to it.

use std::collections::HashMap;

use super::tally::ThreadKey;
use locktoll_terminal::system::files::text_of_process;

/// One thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadAccount {
    /// Samples of it.
    pub samples: u64,
    /// Samples in waiting loops, since the last turn.
    pub spinning_lately: u64,
    /// Samples since the last turn.
    pub lately: u64,
    /// The account when watching began, and the number of samples at that time: on a busy machine, it is read late.
    first: Option<(Reading, u64)>,
    /// The last account, and the number of samples at that time.
    last: Option<(Reading, u64)>,
    /// Involuntary context switches at the first reading and at the last.
    switches: Option<(u64, u64)>,
}

/// An account: `/proc/PID/task/TID/schedstat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// On a CPU, nanoseconds.
    pub cpu_ns: u64,
    /// Ready to run, without a CPU, nanoseconds.
    pub delay_ns: u64,
    /// How often it was put on a CPU.
    pub runs: u64,
}

/// Fewer samples than this are not scaled: the error of the samples is larger.
const ENOUGH: u64 = 20;

impl ThreadAccount {
    /// Notes that the thread began while it was watched, so that its account began with nothing.
    pub fn is_new(&mut self) {
        self.first = Some((Reading::default(), 0));
    }

    /// Counts a sample.
    pub fn sampled(&mut self, spins: bool) {
        self.samples += 1;
        self.lately += 1;
        self.spinning_lately += u64::from(spins);
    }

    /// Takes a reading. Returns the time since the last one, or since the thread began.
    pub fn read(&mut self, reading: Reading) -> Option<Reading> {
        let before = self.last.or(self.first).map(|(before, _)| before);
        self.first.get_or_insert((reading, self.samples));
        self.last = Some((reading, self.samples));
        before.map(|before| Reading {
            cpu_ns: reading.cpu_ns.saturating_sub(before.cpu_ns),
            delay_ns: reading.delay_ns.saturating_sub(before.delay_ns),
            runs: reading.runs.saturating_sub(before.runs),
        })
    }

    /// Takes the number of involuntary context switches.
    pub fn switched(&mut self, involuntary: u64) {
        let (_, last) = self.switches.get_or_insert((involuntary, involuntary));
        *last = involuntary;
    }

    /// Returns the involuntary context switches while it was watched.
    pub fn involuntary_switches(&self) -> Option<u64> {
        self.switches
            .map(|(first, last)| last.saturating_sub(first))
    }

    /// Returns the CPU time that each of its samples represents, nanoseconds. `whole` says whether samples were also taken while
    /// the kernel worked for it; without those, its account can only be a limit.
    pub fn ns_per_sample(&self, period_ns: u64, whole: bool) -> f64 {
        let period_ns = period_ns as f64;
        let (Some((first, earlier)), Some((last, samples))) = (self.first, self.last) else {
            return period_ns;
        };
        let samples = samples - earlier;
        if samples < ENOUGH {
            return period_ns;
        }
        let share_ns = last.cpu_ns.saturating_sub(first.cpu_ns) as f64 / samples as f64;
        // A thread whose account was read long before its last sample, or whose account is not kept, must not be scaled to
        // nothing.
        match whole && share_ns > 0.0 {
            true => share_ns.clamp(period_ns / 4.0, period_ns * 4.0),
            false if share_ns > 0.0 => share_ns.min(period_ns),
            false => period_ns,
        }
    }
}

/// All threads that were sampled.
pub type Threads = HashMap<ThreadKey, ThreadAccount>;

/// Reads the account of a thread.
pub fn reading((pid, tid): ThreadKey) -> Option<Reading> {
    let text = text_of_process(pid, &format!("task/{tid}/schedstat")).ok()?;
    let mut words = text.split_ascii_whitespace();
    Some(Reading {
        cpu_ns: words.next()?.parse().ok()?,
        delay_ns: words.next()?.parse().ok()?,
        runs: words.next()?.parse().ok()?,
    })
}

/// Reads the number of involuntary context switches of a thread.
pub fn involuntary((pid, tid): ThreadKey) -> Option<u64> {
    let text = text_of_process(pid, &format!("task/{tid}/status")).ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))?;
    line.trim().parse().ok()
}

/// Returns the ids of the threads of a process, at most `most`.
pub fn tasks(pid: u32, most: usize) -> Vec<u32> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/task"));
    let names = entries.into_iter().flatten().flatten();
    let numbers = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(samples: u64, cpu_ns: u64) -> ThreadAccount {
        let mut account = ThreadAccount::default();
        account.is_new();
        for _ in 0..samples {
            account.sampled(false);
        }
        account.read(Reading {
            cpu_ns,
            delay_ns: 0,
            runs: 1,
        });
        account
    }

    #[test]
    fn samples_add_up_to_the_kernels_account() {
        // The host ran something else for a tenth of the time.
        let account = account(100, 90_000);
        assert_eq!(account.ns_per_sample(1_000, true) * 100.0, 90_000.0);
        assert_eq!(account.ns_per_sample(1_000, false), 900.0);
    }

    #[test]
    fn samples_before_the_first_reading_are_not_in_the_account() {
        let mut account = ThreadAccount::default();
        for cpu_ns in [300_000, 390_000] {
            for _ in 0..100 {
                account.sampled(true);
            }
            account.read(Reading {
                cpu_ns,
                ..Reading::default()
            });
        }
        assert_eq!(account.ns_per_sample(1_000, true), 900.0);
        assert_eq!(account.ns_per_sample(1_000, false), 900.0);
    }

    #[test]
    fn without_the_kernels_samples_the_account_is_only_a_limit() {
        let account = account(100, 400_000);
        assert_eq!(account.ns_per_sample(1_000, true), 4_000.0);
        assert_eq!(account.ns_per_sample(1_000, false), 1_000.0);
    }

    #[test]
    fn a_thread_without_an_account_has_the_samples_period() {
        assert_eq!(ThreadAccount::default().ns_per_sample(1_000, true), 1_000.0);
        assert_eq!(account(3, 90_000).ns_per_sample(1_000, true), 1_000.0);
    }

    #[test]
    fn this_thread_has_an_account() {
        let own = std::process::id();
        let all = tasks(own, 1_000);
        assert!(all.contains(&own));
        if let Some(reading) = reading((own, own)) {
            assert!(reading.cpu_ns > 0);
        }
        assert!(involuntary((own, own)).is_some());
    }
}
