//! What the timeline shows, in sentences.

use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use crate::profile::html::timeline::remarks;
use locktoll_results::profile::Profile;
use locktoll_results::profile::timeline::{Finding, Timeline};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;

/// The number of findings that are shown.
const SHOWN: usize = 8;

/// Writes the findings about the lock with this id, or about all, if there is a timeline.
pub fn write(
    page: &mut String,
    profile: &Profile,
    only: Option<&str>,
    width: usize,
) -> fmt::Result {
    let Some(timeline) = profile.timeline.as_deref() else {
        return Ok(());
    };
    let found = timeline.findings.iter();
    let found: Vec<&Finding> = found
        .filter(|it| only.is_none_or(|id| is_about(timeline, it, id)))
        .collect();
    if found.is_empty() && only.is_some() {
        return Ok(());
    }
    writeln!(page)?;
    writeln!(page, "{STRONG}In the timeline{STRONG:#}")?;
    if found.is_empty() {
        let text = "No convoy, chain of waits, preempted holder, thundering herd, burst or worst second was found.";
        fold::write(page, "  ", text, width)?;
    }
    for finding in found.iter().take(SHOWN) {
        fold::write(page, "  - ", &shown_text(&finding.sentence), width)?;
    }
    write!(page, "{FAINT}")?;
    if found.len() > SHOWN {
        let more = found.len() - SHOWN;
        writeln!(page, "  ... and {more} more (--json)")?;
    }
    let limits = limits(timeline);
    fold::write(page, "  ", &shown_text(&limits), width)?;
    write!(page, "{FAINT:#}")
}

fn is_about(timeline: &Timeline, finding: &Finding, id: &str) -> bool {
    let lock = finding.lock.get().and_then(|it| timeline.locks.get(it));
    lock.is_some_and(|it| it.id == id)
}

/// Says how exact the times are, and what is missing.
fn limits(timeline: &Timeline) -> String {
    let mut text = "No time is estimated from samples.".to_owned();
    for remark in remarks(timeline) {
        text.push(' ');
        text.push_str(&remark);
    }
    text
}
