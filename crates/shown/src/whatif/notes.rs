//! The meaning of the table, and how far to trust it.

use std::fmt;

use crate::sentence;
use locktoll_results::whatif::{Method, WhatIfResult, WhatIfVerdict};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;

/// Writes the notes.
pub fn write(page: &mut String, result: &WhatIfResult, width: usize) -> fmt::Result {
    sentence::legend(
        page,
        "-10 %, -25 %, -50 %: holds of the lock shorter by this share, and how many times as fast the program would then be (95 % \
         interval). waiting: share of the threads' time in the recorded run. The gains continue the line through the lengths that were \
         measured: they hold as long as the response is a straight line.",
        width,
    )?;
    for lock in &result.locks {
        let name = shown_text(&lock.name);
        let mut note = |text: String| fold::write(page, "- ", &format!("{name}: {text}"), width);
        if lock.verdict == WhatIfVerdict::NoEffect && lock.is_longest_wait {
            note("no effect: the longest wait is not the bottleneck".to_owned())?;
        }
        if lock.is_bent {
            note(
                "the response is not a straight line, so the slope at zero is used; shorter holds may gain less or more".to_owned(),
            )?;
        }
        if lock.bend.is_none() && lock.slope.is_some() {
            note(
                "one length alone does not show whether the response is a straight line".to_owned(),
            )?;
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
