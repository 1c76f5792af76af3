//! The locks of two recordings, or of several recordings on each side.

use std::collections::HashSet;

use super::identity::matches;
use super::measure::{Entry, Figures, Measured, Metric, row};
use locktoll_results::comparison::{Row, Unit};
use locktoll_results::profile::{Lock, Profile, Use};
use locktoll_shown::Names;
use locktoll_terminal::escape::shown_text;

/// Figures of rows; rows are judged by the first. Figures per acquisition and shares are comparable between runs that did more or
/// less work; the others are totals of a run.
pub const METRICS: [Metric; 12] = [
    WAIT,
    WAIT_EACH,
    WAIT_SHARE,
    CONTENDED,
    CONTENDED_SHARE,
    ACQUISITIONS,
    HOLD,
    HOLD_EACH,
    DURATION,
    CPU,
    SPIN,
    SWITCHES,
];

/// Time spent waiting, including waits that had not ended.
const WAIT: Metric = Metric::less("wait_ns", Unit::Ns);
/// Time spent waiting per acquisition, contended or not.
const WAIT_EACH: Metric = Metric::less("wait_ns_per_acquisition", Unit::Ns);
/// Time spent waiting as a share of the time of all threads.
const WAIT_SHARE: Metric = Metric::less("wait_share", Unit::Share);
/// Contended acquisitions.
const CONTENDED: Metric = Metric::less("contended", Unit::Count);
/// Contended acquisitions as a share of all acquisitions.
const CONTENDED_SHARE: Metric = Metric::less("contended_share", Unit::Share);
/// All acquisitions.
const ACQUISITIONS: Metric = Metric::neither("acquisitions", Unit::Count);
/// Time for which the lock was held.
const HOLD: Metric = Metric::less("hold_ns", Unit::Ns);
/// Hold time per acquisition.
const HOLD_EACH: Metric = Metric::less("hold_ns_per_acquisition", Unit::Ns);
/// From the start of the program to its end.
const DURATION: Metric = Metric::less("duration_ns", Unit::Ns);
/// User and kernel time of the program.
const CPU: Metric = Metric::less("cpu_ns", Unit::Ns);
/// CPU time in busy waiting that belongs to no recorded lock: the estimate's middle.
const SPIN: Metric = Metric::less("spin_cpu_ns", Unit::Ns);
/// Voluntary context switches of the program.
const SWITCHES: Metric = Metric::less("voluntary_switches", Unit::Count);

/// The key of the row of the program as a whole.
pub const PROGRAM: &str = "program";

/// Locks of several runs that are the same lock: for each run, the locks that belong to it.
struct Together<'p>(Vec<Vec<&'p Lock>>);

/// Returns a row for each lock, and one for the program as a whole. Signals are left out: waiting for work is not a cost.
pub fn rows(a: &[&Profile], b: &[&Profile], lead: &str) -> Vec<Row> {
    let runs: Vec<&Profile> = a.iter().chain(b).copied().collect();
    let names: Vec<Names<'_>> = runs.iter().map(|run| Names::of(&run.locks)).collect();
    let program = |side: &[&Profile]| Entry {
        key: PROGRAM.to_owned(),
        name: "the whole program".to_owned(),
        figures: of_program(side),
    };
    let mut rows: Vec<Row> = row(Some(program(a)), Some(program(b)), lead, 1.0)
        .into_iter()
        .collect();
    let mut keys: HashSet<String> = HashSet::new();
    for together in put_together(&runs) {
        let side = |from: usize, runs: &[&Profile]| {
            let members = &together.0[from..from + runs.len()];
            let at = members.iter().position(|members| !members.is_empty())?;
            let lock = members[at][0];
            Some(Entry {
                key: shown_text(&lock.id),
                name: names[from + at].name(lock),
                figures: of_lock(runs, members),
            })
        };
        let (in_a, mut in_b) = (side(0, a), side(a.len(), b));
        if let (None, Some(entry)) = (&in_a, &mut in_b)
            && keys.contains(&entry.key)
        {
            // Its id is the id of another lock, in A.
            entry.key.push_str(" (B)");
        }
        if let Some(row) = row(in_a, in_b, lead, 1.0) {
            keys.insert(row.key.clone());
            rows.push(row);
        }
    }
    rows
}

fn put_together<'p>(runs: &[&'p Profile]) -> Vec<Together<'p>> {
    let mut all: Vec<Together<'p>> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let locks: Vec<&Lock> = run
            .locks
            .iter()
            .filter(|lock| lock.used_as == Use::Lock)
            .collect();
        let known: Vec<&Lock> = all
            .iter()
            .filter_map(|it| it.0.iter().flatten().next().copied())
            .collect();
        let mut earlier: Vec<Option<Together<'p>>> = all.drain(..).map(Some).collect();
        for found in matches(&known, &locks) {
            let mut together = Together(vec![Vec::new(); runs.len()]);
            for known in found.a.iter().filter_map(|&at| earlier[at].take()) {
                for (mine, its) in together.0.iter_mut().zip(known.0) {
                    mine.extend(its);
                }
            }
            together.0[number].extend(found.b.iter().map(|&at| locks[at]));
            all.push(together);
        }
    }
    all
}

/// Sums over the locks of one row in one run.
struct Sums {
    wait_ns: f64,
    contended: f64,
    acquisitions: Option<f64>,
    hold_ns: Option<f64>,
}

impl Sums {
    fn of(locks: &[&Lock]) -> Self {
        let sum = |of: fn(&Lock) -> u64| locks.iter().map(|lock| of(lock) as f64).sum();
        // If one lock lacks the figure, the row has none.
        let whole = |of: fn(&Lock) -> Option<u64>| -> Option<f64> {
            locks.iter().map(|lock| of(lock).map(|it| it as f64)).sum()
        };
        Self {
            wait_ns: sum(Lock::waited_ns),
            contended: sum(|lock| lock.contended),
            acquisitions: whole(|lock| lock.acquisitions),
            hold_ns: whole(|lock| lock.hold_ns.as_ref().map(|hold| hold.total)),
        }
    }
}

/// Returns `part` divided by `whole`; `None` if `whole` is zero.
fn of_each(part: Option<f64>, whole: Option<f64>) -> Option<f64> {
    Some(part? / whole.filter(|whole| *whole > 0.0)?)
}

/// Returns the figures of a lock. A run in which the lock was not seen has no waits and no acquisitions of it.
fn of_lock(runs: &[&Profile], members: &[Vec<&Lock>]) -> Figures {
    let sums: Vec<Sums> = members.iter().map(|locks| Sums::of(locks)).collect();
    let each = |of: &dyn Fn(&Sums) -> Option<f64>| Measured::of_runs(sums.iter().map(of));
    let shares = runs
        .iter()
        .zip(&sums)
        .map(|(run, sums)| of_each(Some(sums.wait_ns), Some(run.thread_time_ns as f64)));
    kept([
        (WAIT, each(&|it| Some(it.wait_ns))),
        (
            WAIT_EACH,
            each(&|it| of_each(Some(it.wait_ns), it.acquisitions)),
        ),
        (WAIT_SHARE, Measured::of_runs(shares)),
        (CONTENDED, each(&|it| Some(it.contended))),
        (
            CONTENDED_SHARE,
            each(&|it| of_each(Some(it.contended), it.acquisitions)),
        ),
        (ACQUISITIONS, each(&|it| it.acquisitions)),
        (HOLD, each(&|it| it.hold_ns)),
        (HOLD_EACH, each(&|it| of_each(it.hold_ns, it.acquisitions))),
    ])
}

fn of_program(runs: &[&Profile]) -> Figures {
    let sum = |run: &Profile, of: fn(&Lock) -> u64| -> f64 {
        run.locks.iter().map(|lock| of(lock) as f64).sum()
    };
    let each =
        |of: &dyn Fn(&Profile) -> Option<f64>| Measured::of_runs(runs.iter().map(|run| of(run)));
    let waited = |run: &Profile| sum(run, Lock::waited_ns);
    let taken = |run: &Profile| sum(run, |lock| lock.acquisitions.unwrap_or(0));
    let contended = |run: &Profile| sum(run, |lock| lock.contended);
    // For futex words the number of acquisitions is not known, so their waits are left out of these quotients.
    let counted = |run: &Profile, of: fn(&Lock) -> u64| -> f64 {
        let locks = run.locks.iter().filter(|lock| lock.acquisitions.is_some());
        locks.map(|lock| of(lock) as f64).sum()
    };
    kept([
        (WAIT, each(&|run| Some(waited(run)))),
        (
            WAIT_EACH,
            each(&|run| of_each(Some(counted(run, Lock::waited_ns)), Some(taken(run)))),
        ),
        (
            WAIT_SHARE,
            each(&|run| of_each(Some(waited(run)), Some(run.thread_time_ns as f64))),
        ),
        (CONTENDED, each(&|run| Some(contended(run)))),
        (
            CONTENDED_SHARE,
            each(&|run| of_each(Some(counted(run, |lock| lock.contended)), Some(taken(run)))),
        ),
        (ACQUISITIONS, each(&|run| Some(taken(run)))),
        (DURATION, each(&|run| Some(run.duration_ns as f64))),
        (
            CPU,
            each(&|run| Some(run.user_ns? as f64 + run.system_ns? as f64)),
        ),
        (SPIN, each(&|run| Some(run.spin_cpu_ns?.median))),
        (SWITCHES, each(&|run| Some(run.voluntary_switches? as f64))),
    ])
}

fn kept<const N: usize>(figures: [(Metric, Option<Measured>); N]) -> Figures {
    let kept = figures.into_iter();
    kept.filter_map(|(metric, measured)| Some((metric, measured?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn a_part_of_nothing_is_no_figure() {
        assert_eq!(of_each(Some(6.0), Some(3.0)), Some(2.0));
        assert_eq!(of_each(Some(6.0), Some(0.0)), None);
        assert_eq!(of_each(None, Some(3.0)), None);
    }

    #[test]
    fn the_program_has_its_processor_time_of_both_sorts() {
        let mut run = sample::job_server();
        (run.user_ns, run.system_ns) = (Some(5), Some(3));
        let figures = of_program(&[&run]);
        let cpu = figures.into_iter().find(|(metric, _)| *metric == CPU);
        assert_eq!(cpu, Some((CPU, Measured::once(8.0))));
    }

    #[test]
    fn a_lock_that_has_the_id_of_another_one_on_the_other_side_has_a_key_of_its_own() {
        let run = |locks: &[(&str, usize)]| {
            let mut run = sample::job_server();
            let all = run.locks.clone();
            let of = |(id, from): &(&str, usize)| {
                let mut lock = all[0].clone();
                lock.sites = all[*from].sites.clone();
                (*id).clone_into(&mut lock.id);
                lock
            };
            run.locks = locks.iter().map(of).collect();
            run
        };
        let places = |from: usize| {
            let lock = &sample::job_server().locks[from];
            let frames = lock
                .sites
                .iter()
                .filter_map(|site| locktoll_results::profile::caller(&site.frames).cloned());
            frames.filter_map(|it| it.function).collect::<HashSet<_>>()
        };
        let other = (1..)
            .find(|from| places(*from).is_disjoint(&places(0)))
            .unwrap();
        let a = run(&[("mutex:p:x", 0)]);
        let b = run(&[("mutex:p:x", other), ("mutex:p:x#2", 0)]);
        let keys: Vec<String> = rows(&[&a], &[&b], "wait_ns")
            .into_iter()
            .map(|row| row.key)
            .collect();
        assert_eq!(keys, [PROGRAM, "mutex:p:x", "mutex:p:x (B)"]);
    }
}
