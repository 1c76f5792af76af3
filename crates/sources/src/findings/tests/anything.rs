//! Whatever the events are, the findings are sound, and the same each time.

use proptest::prelude::*;

use super::made::Made;
use locktoll_results::profile::timeline::SignalKind;

/// Times at which sums overflow, and times at which much happens together.
fn time() -> impl Strategy<Value = u64> {
    prop_oneof![
        0_u64..20,
        0_u64..20_000_000_000,
        Just(u64::MAX),
        Just(u64::MAX / 2)
    ]
}

fn two_times() -> impl Strategy<Value = [u64; 2]> {
    (time(), time()).prop_map(|(a, b)| [a.min(b), a.max(b)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_events_have_sound_findings(
        waits in prop::collection::vec((0_u32..16, 0_u32..5, two_times(), prop::option::of(0_u32..16)), 0..80),
        holds in prop::collection::vec((0_u32..16, 0_u32..5, two_times()), 0..40),
        signals in prop::collection::vec((0_u32..16, any::<bool>(), time()), 0..10),
        switches in prop::collection::vec((0_u32..16, two_times(), any::<bool>()), 0..20),
    ) {
        let mut made = Made::default();
        waits.into_iter().for_each(|(thread, lock, times, by)| made.wait(thread, lock, times, by));
        holds.into_iter().for_each(|(thread, lock, times)| made.hold(thread, lock, times));
        for (thread, is_broadcast, at_ns) in signals {
            let kind = if is_broadcast { SignalKind::All } else { SignalKind::One };
            made.signal(thread, kind, at_ns);
        }
        switches.into_iter().for_each(|(thread, times, preempted)| made.off(thread, times, preempted));
        let mut timeline = made.timeline();
        let findings = crate::findings::of(&timeline);
        prop_assert_eq!(&findings, &crate::findings::of(&timeline));
        prop_assert!(findings.iter().all(|it| it.sentence.ends_with('.')));
        timeline.findings = findings;
        prop_assert_eq!(timeline.unsound(), None);
    }
}
