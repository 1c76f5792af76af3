//! The result in a sentence.

use locktoll_results::whatif::{WhatIfLock, WhatIfVerdict};
use locktoll_terminal::escape::shown_text;

/// Says which lock is worth shortening, or that none is.
pub fn conclusion(locks: &[WhatIfLock]) -> String {
    let with = |verdict| {
        let found = locks.iter().filter(move |lock| lock.verdict == verdict);
        found.collect::<Vec<&WhatIfLock>>()
    };
    let gain = |lock: &WhatIfLock| lock.gains.get("50").copied();
    let median = |lock: &&WhatIfLock| gain(lock).map_or(1.0, |it| it.median);
    let best = with(WhatIfVerdict::Gains)
        .into_iter()
        .max_by(|a, b| median(a).total_cmp(&median(b)));
    let longest = locks.iter().find(|lock| lock.is_longest_wait);
    if let Some((best, gain)) = best.and_then(|best| Some((best, gain(best)?))) {
        let other = longest
            .filter(|lock| lock.verdict == WhatIfVerdict::NoEffect)
            .map_or_else(String::new, |lock| {
                format!(
                    " Shorter holds of {}, which threads wait for longest, have no effect.",
                    shown_text(&lock.name)
                )
            });
        return format!(
            "With holds of {} half as long, the program would be {:.2} times as fast (95 %: {:.2} .. {:.2}).{other}",
            shown_text(&best.name),
            gain.median,
            gain.low,
            gain.high
        );
    }
    let unclear = with(WhatIfVerdict::CannotTell);
    match (unclear.as_slice(), longest) {
        ([], Some(lock)) => format!(
            "No effect: {}, which threads wait for longest, is not the bottleneck; with holds half as long, the program would be \
             less than 5 % faster.",
            shown_text(&lock.name)
        ),
        ([], None) => {
            "No effect: with holds half as long, the program would be less than 5 % faster."
                .to_owned()
        }
        ([first, ..], _) => match (&first.reason, first.detectable_percent) {
            (Some(reason), None) => {
                format!(
                    "No verdict on {}: {}.",
                    shown_text(&first.name),
                    shown_text(reason)
                )
            }
            (_, Some(percent)) => format!(
                "No verdict on {}: the rounds differ by more than the effect, and only a gain of {percent:.0} % or more \
                 with holds half as long could have been seen; more rounds (--rounds) show smaller gains.",
                shown_text(&first.name)
            ),
            (None, None) => format!("No verdict on {}.", shown_text(&first.name)),
        },
    }
}
