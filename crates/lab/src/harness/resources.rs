//! The CPU time and switches of a slice's threads, from two readings of the system's accounts.

use crate::cell::{Slice, SwitchesAndCpu};

/// A slice must last this many steps of the system's account for its CPU time to be reported: one step more or less is then 10 %.
const LEAST_GRAINS: u64 = 10;

/// Returns the resources used between two readings, for `operations`. (The kernel divides a process's CPU time into user and
/// kernel time by estimate: never below zero.)
pub(super) fn between(
    before: SwitchesAndCpu,
    after: SwitchesAndCpu,
    operations: u64,
) -> SwitchesAndCpu {
    let used = |of: fn(&SwitchesAndCpu) -> Option<u64>| {
        of(&after)
            .zip(of(&before))
            .map(|(after, before)| after.saturating_sub(before))
    };
    SwitchesAndCpu {
        operations,
        user_ns: used(|account| account.user_ns),
        system_ns: used(|account| account.system_ns),
        voluntary_switches: used(|account| account.voluntary_switches),
        involuntary_switches: used(|account| account.involuntary_switches),
    }
}

/// Returns the sum over threads; without threads, nothing is known.
pub(super) fn sum(threads: impl Iterator<Item = SwitchesAndCpu>) -> SwitchesAndCpu {
    let both = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
    threads
        .reduce(|total, one| SwitchesAndCpu {
            operations: total.operations + one.operations,
            user_ns: both(total.user_ns, one.user_ns),
            system_ns: both(total.system_ns, one.system_ns),
            voluntary_switches: both(total.voluntary_switches, one.voluntary_switches),
            involuntary_switches: both(total.involuntary_switches, one.involuntary_switches),
        })
        .unwrap_or_default()
}

/// Returns whether a stretch of `wall_ns` is long enough for an account of CPU time that advances in steps of `grain_ns`.
pub(super) fn fine_enough(wall_ns: u64, grain_ns: u64) -> bool {
    wall_ns >= LEAST_GRAINS.saturating_mul(grain_ns)
}

/// Removes the figures that the account cannot give for so short a slice.
pub(super) fn forget_cpu_time(slice: &mut Slice) {
    slice.bystander_cpu_ns = None;
    if let Some(used) = &mut slice.resources {
        (used.user_ns, used.system_ns) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(each: u64, switches: Option<u64>) -> SwitchesAndCpu {
        SwitchesAndCpu {
            operations: each,
            user_ns: Some(each),
            system_ns: Some(each),
            voluntary_switches: switches,
            involuntary_switches: switches,
        }
    }

    #[test]
    fn what_one_thread_does_not_tell_the_sum_does_not_know() {
        let known = sum([account(3, Some(1)), account(4, Some(2))].into_iter());
        assert_eq!(known, account(7, Some(3)));
        let unknown = sum([account(3, Some(1)), account(4, None)].into_iter());
        assert_eq!(unknown, account(7, None));
        assert_eq!((unknown.switches(), unknown.cpu_ns()), (None, Some(14)));
        assert_eq!(sum(std::iter::empty()), SwitchesAndCpu::default());
    }

    #[test]
    fn differences_are_of_what_is_known_and_never_negative() {
        let used = between(account(9, None), account(7, None), 5);
        assert_eq!(
            (used.operations, used.user_ns, used.switches()),
            (5, Some(0), None)
        );
    }

    #[test]
    fn an_account_of_coarse_steps_says_nothing_of_a_short_slice() {
        assert!(fine_enough(0, 0));
        assert!(!fine_enough(155_000_000, 15_625_000));
        assert!(fine_enough(157_000_000, 15_625_000));
        let mut slice = Slice {
            resources: Some(account(9, Some(1))),
            bystander_cpu_ns: Some(4),
            ..Slice::default()
        };
        forget_cpu_time(&mut slice);
        let left = slice.resources.unwrap();
        assert_eq!((left.cpu_ns(), left.switches()), (None, Some(2)));
        assert_eq!(slice.bystander_cpu_ns, None);
    }
}
