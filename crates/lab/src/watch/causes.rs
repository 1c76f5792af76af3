//! The causes of switches, as far as counters and samples show them.

use std::collections::BTreeMap;

use super::Wait;
use super::interval::{Activity, Cause, CauseKind, KnownBy};

/// Returns the causes of all switches of `threads`; each thread comes with whether it is a kernel thread. `slice_ns` is the
/// scheduler's time slice, where it is known.
pub(super) fn of<'a>(
    threads: impl Iterator<Item = (bool, &'a Activity)>,
    slice_ns: Option<u64>,
) -> Vec<Cause> {
    let (mut waited, mut taken_off, mut slices) = (0u64, 0u64, Some(0u64));
    let mut by_kind: BTreeMap<CauseKind, u64> = BTreeMap::new();
    for (kernel, activity) in threads {
        waited = waited.saturating_add(activity.voluntary);
        taken_off = taken_off.saturating_add(activity.involuntary);
        slices = slices
            .zip(slices_over(activity, slice_ns))
            .map(|(sum, one)| sum + one);
        if activity.voluntary > 0 {
            let switches = by_kind.entry(waited_for(kernel, activity)).or_default();
            *switches = switches.saturating_add(activity.voluntary);
        }
    }
    let mut causes = vec![Cause {
        cause: CauseKind::Waited,
        switches: waited,
        known_by: KnownBy::Counted,
    }];
    let mut kinds: Vec<(CauseKind, u64)> = by_kind.into_iter().collect();
    kinds.sort_by_key(|&(kind, switches)| (std::cmp::Reverse(switches), kind));
    causes.extend(kinds.into_iter().map(|(cause, switches)| Cause {
        cause,
        switches,
        known_by: match cause {
            CauseKind::KernelThread => KnownBy::Counted,
            CauseKind::Unknown | CauseKind::Several => KnownBy::Rest,
            _ => KnownBy::Looks,
        },
    }));
    causes.push(Cause {
        cause: CauseKind::TakenOff,
        switches: taken_off,
        known_by: KnownBy::Counted,
    });
    if let Some(slices) = slices.filter(|_| taken_off > 0) {
        causes.push(Cause {
            cause: CauseKind::SliceOver,
            switches: slices,
            known_by: KnownBy::CpuTime,
        });
        causes.push(Cause {
            cause: CauseKind::YieldedOrWokenOver,
            switches: taken_off.saturating_sub(slices),
            known_by: KnownBy::Rest,
        });
    }
    causes
}

/// Returns how many of a thread's involuntary switches may have been ends of a time slice. Using up a slice takes that much CPU
/// time, and the first slice may have begun before the interval.
fn slices_over(activity: &Activity, slice_ns: Option<u64>) -> Option<u64> {
    if activity.involuntary == 0 {
        return Some(0);
    }
    let used = activity.run_ns? / slice_ns?;
    Some(activity.involuntary.min(used.saturating_add(1)))
}

/// Returns the cause of a thread's voluntary switches. A look finds a thread in a wait according to the length of the wait, not
/// its frequency: if looks found different waits, they do not show how many switches belong to which.
fn waited_for(kernel: bool, activity: &Activity) -> CauseKind {
    if kernel {
        return CauseKind::KernelThread;
    }
    let kinds = activity
        .found
        .waiting
        .iter()
        .filter(|(_, count)| *count > 0);
    kinds
        .map(|&(wait, _)| kind_of(wait))
        .reduce(|a, b| if a == b { a } else { CauseKind::Several })
        .unwrap_or(CauseKind::Unknown)
}

fn kind_of(wait: Wait) -> CauseKind {
    match wait {
        _ if wait.is_futex() => CauseKind::Futex,
        Wait::Ipc => CauseKind::Ipc,
        Wait::Events => CauseKind::Events,
        Wait::PipeOrSocket => CauseKind::PipeOrSocket,
        Wait::Disk => CauseKind::Disk,
        Wait::Sleep => CauseKind::Sleep,
        _ => CauseKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::Found;
    use super::*;
    use proptest::prelude::*;

    fn thread(voluntary: u64, involuntary: u64, run_ns: u64, waiting: &[(Wait, u32)]) -> Activity {
        Activity {
            voluntary,
            involuntary,
            run_ns: Some(run_ns),
            found: Found {
                waiting: waiting.to_vec(),
                ..Found::default()
            },
            ..Activity::default()
        }
    }

    fn switches(causes: &[Cause], kind: CauseKind) -> Option<u64> {
        let cause = causes.iter().find(|cause| cause.cause == kind)?;
        Some(cause.switches)
    }

    #[test]
    fn a_thread_counts_for_a_wait_only_if_no_look_found_another() {
        let threads = [
            // Found twice in a long sleep, it may still have waited for the futex 89 times of 90.
            (
                false,
                thread(90, 0, 0, &[(Wait::Sleep, 2), (Wait::FutexWait, 1)]),
            ),
            (
                false,
                thread(
                    10,
                    0,
                    0,
                    &[(Wait::FutexWaitBitset, 1), (Wait::FutexWait, 3)],
                ),
            ),
            (false, thread(5, 0, 0, &[])),
            (true, thread(7, 0, 0, &[])),
        ];
        let causes = of(threads.iter().map(|(k, t)| (*k, t)), Some(1_000_000));
        assert_eq!(switches(&causes, CauseKind::Waited), Some(112));
        assert_eq!(switches(&causes, CauseKind::Several), Some(90));
        assert_eq!(switches(&causes, CauseKind::Futex), Some(10));
        assert_eq!(switches(&causes, CauseKind::Sleep), None);
        assert_eq!(switches(&causes, CauseKind::Unknown), Some(5));
        assert_eq!(switches(&causes, CauseKind::KernelThread), Some(7));
        assert_eq!(switches(&causes, CauseKind::TakenOff), Some(0));
        assert_eq!(switches(&causes, CauseKind::SliceOver), None);
    }

    #[test]
    fn a_thread_cannot_use_up_more_slices_than_it_had_cpu_time() {
        let yields = (false, thread(0, 50_000, 900_000_000, &[]));
        let burns = (false, thread(0, 200, 500_000_000, &[]));
        let both = [yields, burns];
        let causes = of(both.iter().map(|(k, t)| (*k, t)), Some(3_000_000));
        assert_eq!(switches(&causes, CauseKind::TakenOff), Some(50_200));
        assert_eq!(switches(&causes, CauseKind::SliceOver), Some(301 + 167));
        assert_eq!(
            switches(&causes, CauseKind::YieldedOrWokenOver),
            Some(50_200 - 468)
        );
    }

    #[test]
    fn without_a_slice_or_cpu_times_nothing_is_said_of_slices() {
        let burns = thread(0, 200, 500_000_000, &[]);
        let causes = of([(false, &burns)].into_iter(), None);
        assert_eq!(switches(&causes, CauseKind::SliceOver), None);
        let blind = Activity {
            run_ns: None,
            ..burns
        };
        let causes = of([(false, &blind)].into_iter(), Some(1));
        assert_eq!(switches(&causes, CauseKind::SliceOver), None);
        assert_eq!(switches(&causes, CauseKind::TakenOff), Some(200));
    }

    proptest! {
        #[test]
        fn parts_add_up(threads in proptest::collection::vec(
            (any::<bool>(), 0u64..1_000_000, 0u64..1_000_000, 0u64..1_000_000_000, 0u32..5, 0u32..5), 0..8)
        ) {
            let threads: Vec<(bool, Activity)> = threads
                .into_iter()
                .map(|(kernel, voluntary, involuntary, run_ns, futex, sleep)| {
                    let waiting = [(Wait::Futex, futex), (Wait::Sleep, sleep)];
                    (kernel, thread(voluntary, involuntary, run_ns, &waiting))
                })
                .collect();
            let causes = of(threads.iter().map(|(k, t)| (*k, t)), Some(3_000_000));
            let of_kind = |kind| switches(&causes, kind).unwrap_or(0);
            let waits: u64 = [
                CauseKind::Futex,
                CauseKind::Sleep,
                CauseKind::KernelThread,
                CauseKind::Several,
                CauseKind::Unknown,
            ]
            .map(of_kind)
            .iter()
            .sum();
            prop_assert_eq!(waits, of_kind(CauseKind::Waited));
            prop_assert_eq!(
                of_kind(CauseKind::SliceOver) + of_kind(CauseKind::YieldedOrWokenOver),
                of_kind(CauseKind::TakenOff)
            );
        }
    }
}
