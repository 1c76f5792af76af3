//! Why threads switched: counted at the scheduler, or estimated from `/proc`.

use std::collections::BTreeMap;

use crate::running::SwitchCounts;
use locktoll_lab::watch::{self, KnownBy};
use locktoll_results::top::{Cause, CauseKind};

/// Returns the causes counted since `before`, of one process or of all, the most frequent first.
pub fn since(now: &SwitchCounts, before: &SwitchCounts, pid: Option<u32>) -> Vec<Cause> {
    let (now, then) = (of(now, pid), of(before, pid));
    let mut causes: Vec<Cause> = now
        .into_iter()
        .map(|(cause, switches)| Cause {
            cause,
            switches: switches.saturating_sub(then.get(&cause).copied().unwrap_or(0)),
            known_by: KnownBy::Counted,
        })
        .filter(|cause| cause.switches > 0)
        .collect();
    order(&mut causes);
    causes
}

fn of(counts: &SwitchCounts, pid: Option<u32>) -> BTreeMap<CauseKind, u64> {
    match pid {
        Some(pid) => counts.processes.get(&pid).cloned().unwrap_or_default(),
        None => counts.all.clone(),
    }
}

/// Translates the causes from `/proc` into ours. Sums of other causes are left out, so that each switch is in one row.
pub fn estimated(causes: &[watch::Cause]) -> Vec<Cause> {
    let mut found: BTreeMap<CauseKind, Cause> = BTreeMap::new();
    let told = |kind| causes.iter().any(|cause| cause.cause == kind);
    for cause in causes {
        let Some(kind) = in_our_words(cause.cause) else {
            continue;
        };
        if cause.cause == watch::CauseKind::TakenOff && told(watch::CauseKind::SliceOver) {
            continue;
        }
        let sum = found.entry(kind).or_insert(Cause {
            cause: kind,
            switches: 0,
            known_by: cause.known_by,
        });
        sum.switches = sum.switches.saturating_add(cause.switches);
        if sum.known_by != cause.known_by {
            sum.known_by = KnownBy::Looks;
        }
    }
    let mut causes: Vec<Cause> = found.into_values().filter(|it| it.switches > 0).collect();
    order(&mut causes);
    causes
}

fn in_our_words(cause: watch::CauseKind) -> Option<CauseKind> {
    use watch::CauseKind as Told;
    Some(match cause {
        // The sum of the causes after it.
        Told::Waited => return None,
        Told::Futex => CauseKind::Lock,
        Told::Events | Told::PipeOrSocket | Told::Disk => CauseKind::InputOutput,
        Told::Sleep => CauseKind::Sleep,
        Told::Ipc | Told::Other | Told::KernelThread => CauseKind::Other,
        Told::Several | Told::Unknown => CauseKind::Unknown,
        Told::SliceOver => CauseKind::SliceOver,
        // The sum of the two, where they are not given separately.
        Told::TakenOff | Told::YieldedOrWokenOver => CauseKind::YieldedOrWokenOver,
    })
}

fn order(causes: &mut [Cause]) {
    causes.sort_by_key(|cause| (std::cmp::Reverse(cause.switches), cause.cause));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(cause: watch::CauseKind, switches: u64, known_by: KnownBy) -> watch::Cause {
        watch::Cause {
            cause,
            switches,
            known_by,
        }
    }

    #[test]
    fn each_switch_that_proc_tells_of_is_in_one_row() {
        use watch::CauseKind as Told;
        let causes = [
            told(Told::Waited, 100, KnownBy::Counted),
            told(Told::Futex, 60, KnownBy::Looks),
            told(Told::Events, 20, KnownBy::Looks),
            told(Told::Disk, 5, KnownBy::Looks),
            told(Told::KernelThread, 3, KnownBy::Counted),
            told(Told::Unknown, 12, KnownBy::Rest),
            told(Told::TakenOff, 40, KnownBy::Counted),
            told(Told::SliceOver, 30, KnownBy::CpuTime),
            told(Told::YieldedOrWokenOver, 10, KnownBy::Rest),
        ];
        let ours = estimated(&causes);
        assert_eq!(ours.iter().map(|it| it.switches).sum::<u64>(), 140);
        assert_eq!(ours[0].cause, CauseKind::Lock);
        let io = ours.iter().find(|it| it.cause == CauseKind::InputOutput);
        assert_eq!(io.unwrap().switches, 25);
    }

    #[test]
    fn where_slices_are_not_told_the_sum_is_one_row() {
        use watch::CauseKind as Told;
        let ours = estimated(&[
            told(Told::Waited, 0, KnownBy::Counted),
            told(Told::TakenOff, 40, KnownBy::Counted),
        ]);
        assert_eq!(ours.len(), 1);
        assert_eq!(
            (ours[0].cause, ours[0].switches),
            (CauseKind::YieldedOrWokenOver, 40)
        );
    }

    #[test]
    fn counts_are_differences() {
        let counts = |counts: &[(CauseKind, u64)]| counts.iter().copied().collect();
        let before = SwitchCounts {
            processes: BTreeMap::from([(7, counts(&[(CauseKind::Lock, 10)]))]),
            all: counts(&[(CauseKind::Lock, 10)]),
        };
        let now = [(CauseKind::Lock, 15), (CauseKind::Yielded, 9)];
        let after = SwitchCounts {
            processes: BTreeMap::from([(7, counts(&now))]),
            all: counts(&[now[0], now[1], (CauseKind::Sleep, 2)]),
        };
        let of = |pid| -> Vec<_> {
            let causes = since(&after, &before, pid).into_iter();
            causes.map(|it| (it.cause, it.switches)).collect()
        };
        assert_eq!(of(Some(7)), [(CauseKind::Yielded, 9), (CauseKind::Lock, 5)]);
        assert_eq!(of(None).len(), 3);
        assert!(of(Some(8)).is_empty());
    }
}
