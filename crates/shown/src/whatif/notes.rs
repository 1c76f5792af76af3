//! The meaning of the table, and how far to trust it.

use std::fmt;

use crate::sentence;
use locktoll_results::whatif::{Method, WhatIfLock, WhatIfResult, WhatIfVerdict};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;

const LEGEND: &str = "-10 %, -25 %, -50 %: holds of the lock shorter by this share, and how many times as fast the program would then be \
    (95 % interval, wider by 15 % of the effect for the error of the method). waiting: share of the threads' time in the recorded run. Holds -25%: while the lock was held, all other threads were \
    delayed by this share, and the delays were subtracted. Holds +20%: holds were lengthened.";

/// Says how the experiments limit what is known of a lock.
fn of_methods(lock: &WhatIfLock) -> Vec<String> {
    let mut notes = Vec::new();
    let slow = lock.by_method.iter().find(|it| it.method == Method::Slow);
    if let (Some(false), Some(slow)) = (lock.agree, slow.and_then(|it| it.gains.get("25"))) {
        notes.push(format!(
            "the experiments do not agree: longer holds suggest {:.2}x ({:.2} .. {:.2}) for -25 %; the figures in the table come from \
             shorter holds",
            slow.median, slow.low, slow.high
        ));
    }
    if lock.by != Some(Method::Slow) {
        return notes;
    }
    notes.push(
        "the gains extend the line through longer holds: they are valid as long as nothing else becomes the bottleneck"
            .to_owned(),
    );
    if lock.is_bent {
        notes.push(
            "the response is not a straight line, so the slope at zero is used; shorter holds may gain less or more".to_owned(),
        );
    }
    if lock.bend.is_none() && lock.slope.is_some() {
        notes.push(
            "one length alone does not show whether the response is a straight line".to_owned(),
        );
    }
    notes
}

/// Writes the notes.
pub fn write(page: &mut String, result: &WhatIfResult, width: usize) -> fmt::Result {
    sentence::legend(page, LEGEND, width)?;
    for lock in &result.locks {
        let name = shown_text(&lock.name);
        let mut note = |text: String| fold::write(page, "- ", &format!("{name}: {text}"), width);
        if lock.verdict == WhatIfVerdict::NoEffect && lock.is_longest_wait {
            note("no effect: the longest wait is not the bottleneck".to_owned())?;
        }
        for text in of_methods(lock) {
            note(text)?;
        }
        if lock.method.contains(&Method::Bound) {
            note("the processors limit the gain: the program keeps them busy".to_owned())?;
        }
        match (&lock.reason, lock.detectable_percent) {
            (Some(reason), _) => note(shown_text(reason))?,
            (None, Some(percent)) if lock.verdict == WhatIfVerdict::CannotTell => note(format!(
                "the rounds differ by more than the effect; only a gain of {percent:.0} % or more with holds half as long could have been seen"
            ))?,
            _ => {}
        }
    }
    for text in result.noise.warnings.iter().chain(&result.remarks) {
        fold::write(page, "- ", &shown_text(text), width)?;
    }
    if result.partial {
        fold::write(
            page,
            "- ",
            "the run was cut short: fewer rounds than planned",
            width,
        )?;
    }
    Ok(())
}
