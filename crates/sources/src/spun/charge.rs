//! From a report to a part of a profile.
//!
//! A thread that spins inside a lock that the recorder knows waits for that lock: the recorder has timed the wait, and the profile
//! has taken it out of the running time already. Such a row names the lock, and the sums leave it out.

use std::collections::HashMap;

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::{Lock, Profile, Spinning, SpunWord};

use super::report::Report;

/// Busy waiting, with the locks in which it took place.
#[derive(Debug)]
pub struct Charged {
    /// By place and word, by CPU time.
    pub spinning: Vec<Spinning>,
    /// The CPU time outside of these locks, nanoseconds.
    pub spin_cpu_ns: Estimate,
    /// The same of each thread, by process and id.
    spun: HashMap<(u32, u32), f64>,
}

/// Names the lock of each row whose word is in one of `locks`.
pub fn charged(locks: &[Lock], report: Report) -> Charged {
    let mut lock_of: HashMap<(u32, u64), &str> = HashMap::new();
    let mut next_to: HashMap<(u32, u64), (&Lock, i64)> = HashMap::new();
    for lock in locks {
        lock_of.extend(lock.spun_words.iter().map(|&word| (word, &*lock.id)));
        let near = lock.near_words.iter();
        next_to.extend(near.map(|&(pid, word, distance)| ((pid, word), (lock, distance))));
    }
    let mut spun: HashMap<(u32, u32), f64> = HashMap::new();
    let mut at_locks_ns = 0.0;
    let mut spinning = Vec::new();
    for mut row in report.rows {
        let lock = row.words.iter().find_map(|word| lock_of.get(word));
        row.spinning.lock = lock.map(|&id| id.to_owned());
        let neighbour = row.words.iter().find_map(|word| next_to.get(word));
        if let (Some(&(lock, distance)), Some(word)) = (neighbour, &mut row.spinning.word)
            && word.id.is_none()
        {
            *word = beside(lock, distance);
        }
        if lock.is_some() {
            at_locks_ns += row.spinning.cpu_ns.median;
        } else {
            for share in &row.threads {
                *spun.entry((share.pid, share.tid)).or_default() += share.ns;
            }
        }
        spinning.push(row.spinning);
    }
    Charged {
        spinning,
        spin_cpu_ns: without(report.spin_ns, at_locks_ns),
        spun,
    }
}

/// Adds `report` to the profile, whose locks know the words in them.
pub fn add(profile: &mut Profile, report: Report) {
    profile.spin_samples = Some(report.samples.clone());
    profile.warnings.extend(report.notes.iter().cloned());
    let Charged {
        spinning,
        spin_cpu_ns,
        spun,
    } = charged(&profile.locks, report);
    profile.spinning = spinning;
    profile.spin_cpu_ns = Some(spin_cpu_ns);
    for thread in &mut profile.per_thread {
        let ns = spun.get(&(thread.pid, thread.tid)).copied().unwrap_or(0.0);
        // The samples and the kernel's account of the thread do not agree to the nanosecond.
        let most_ns = thread.cpu_ns.unwrap_or(u64::MAX);
        thread.spin_ns = Some((ns as u64).min(most_ns));
    }
}

/// Names memory without a name by the lock that lies next to it, as by the place that made that lock.
fn beside(lock: &Lock, distance: i64) -> SpunWord {
    let sign = if distance < 0 { '-' } else { '+' };
    let distance = distance.unsigned_abs();
    SpunWord {
        name: format!("{}{sign}{distance:#x}", lock.name),
        id: Some(format!("word:{}{sign}{distance:#x}", lock.id)),
    }
}

/// Returns the estimate without a part of it, whose own uncertainty stays in the bounds.
fn without(all: Estimate, part: f64) -> Estimate {
    Estimate {
        median: (all.median - part).max(0.0),
        low: (all.low - part).max(0.0),
        high: (all.high - part).max(0.0),
        n: all.n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spun::{Row, ThreadShare};
    use locktoll_made_up::sample;
    use locktoll_results::profile::{Frame, SpinSamples, Spinning};

    fn row(word: (u32, u64), thread: (u32, u32), ns: f64) -> Row {
        let cpu_ns = Estimate {
            median: ns,
            low: ns * 0.9,
            high: ns * 1.1,
            n: 100,
        };
        Row {
            spinning: Spinning {
                site: Frame::default(),
                stack: Vec::new(),
                word: None,
                cpu_ns,
                threads: 1,
                writers: None,
                writer_state: None,
                known_as: None,
                lock: None,
                runnable_threads: None,
                usable_cpus: None,
                involuntary_switches: None,
            },
            words: vec![word],
            threads: vec![ThreadShare {
                pid: thread.0,
                tid: thread.1,
                ns,
            }],
        }
    }

    #[test]
    fn time_in_a_lock_that_is_known_is_named_and_counted_once() {
        let mut profile = sample::job_server();
        let thread = profile.per_thread.iter().find(|it| it.cpu_ns > Some(9_000));
        let thread = thread.map(|it| (it.pid, it.tid)).unwrap();
        profile.locks[0].spun_words = vec![(thread.0, 0x1000)];
        let id = profile.locks[0].id.clone();
        let rows = vec![
            row((thread.0, 0x1000), thread, 5_000.0),
            row((thread.0, 0x2000), thread, 3_000.0),
        ];
        let report = Report {
            samples: SpinSamples::default(),
            cpu_ns: 10_000.0,
            spin_ns: row((0, 0), thread, 8_000.0).spinning.cpu_ns,
            rows,
            notes: Vec::new(),
        };
        add(&mut profile, report);
        let locks: Vec<Option<String>> =
            profile.spinning.iter().map(|it| it.lock.clone()).collect();
        assert_eq!(locks, [Some(id), None]);
        assert_eq!(profile.spin_cpu_ns.unwrap().median, 3_000.0);
        let of = profile
            .per_thread
            .iter()
            .find(|it| (it.pid, it.tid) == thread);
        assert_eq!(of.unwrap().spin_ns, Some(3_000));
        let all: u64 = profile.per_thread.iter().filter_map(|it| it.spin_ns).sum();
        assert_eq!(all, 3_000);
    }

    #[test]
    fn memory_without_a_name_is_named_by_the_lock_next_to_it() {
        let mut profile = sample::job_server();
        profile.locks[0].near_words = vec![(7, 0x1018, 0x18), (7, 0x2008, -8)];
        let word = |name: &str, id: Option<&str>| SpunWord {
            name: name.to_owned(),
            id: id.map(str::to_owned),
        };
        let mut rows = [0x1018, 0x2008, 0x3000].map(|at| row((7, at), (7, 7), 1e3));
        rows[0].spinning.word = Some(word("heap memory at 0x1018", None));
        rows[1].spinning.word = Some(word("ready", Some("word:server:ready")));
        rows[2].spinning.word = Some(word("heap memory at 0x3000", None));
        let report = Report {
            samples: SpinSamples::default(),
            cpu_ns: 3e3,
            spin_ns: row((0, 0), (7, 7), 3e3).spinning.cpu_ns,
            rows: rows.to_vec(),
            notes: Vec::new(),
        };
        let (lock, id) = (profile.locks[0].name.clone(), profile.locks[0].id.clone());
        add(&mut profile, report);
        let words: Vec<SpunWord> = profile
            .spinning
            .iter()
            .filter_map(|it| it.word.clone())
            .collect();
        let expected = format!("{lock}+0x18");
        assert_eq!(words[0], word(&expected, Some(&format!("word:{id}+0x18"))));
        assert_eq!(
            (&*words[1].name, &*words[2].name),
            ("ready", "heap memory at 0x3000")
        );
        // The time is not a part of the lock's waits.
        assert!(profile.spinning.iter().all(|it| it.lock.is_none()));
    }

    #[test]
    fn a_thread_spins_no_longer_than_it_ran() {
        let mut profile = sample::job_server();
        let thread = profile.per_thread.iter().find(|it| it.cpu_ns.is_some());
        let (pid, tid, cpu_ns) = thread.map(|it| (it.pid, it.tid, it.cpu_ns)).unwrap();
        let ns = cpu_ns.unwrap() as f64 * 2.0;
        let report = Report {
            samples: SpinSamples::default(),
            cpu_ns: ns,
            spin_ns: row((0, 0), (pid, tid), ns).spinning.cpu_ns,
            rows: vec![row((pid, 1), (pid, tid), ns)],
            notes: Vec::new(),
        };
        add(&mut profile, report);
        let of = profile.per_thread.iter().find(|it| it.tid == tid).unwrap();
        assert_eq!(of.spin_ns, cpu_ns);
    }
}
