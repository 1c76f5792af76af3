//! Lines, rates and names as the view shows them.

use std::fmt;

use anstyle::{Effects, Style};
use locktoll_lab::watch::{CauseKind, Wait};

use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::count;

/// A line in one style, which can be cut without cutting a style.
#[derive(Clone, Debug)]
pub struct Line {
    style: Style,
    text: String,
}

impl Line {
    /// Makes an ordinary line.
    pub fn plain(text: String) -> Self {
        Self {
            style: Style::new(),
            text,
        }
    }

    /// Makes a heading.
    pub fn strong(text: String) -> Self {
        Self {
            style: Style::new().effects(Effects::BOLD),
            text,
        }
    }

    /// Makes a less prominent line.
    pub fn faint(text: String) -> Self {
        Self {
            style: Style::new().effects(Effects::DIMMED),
            text,
        }
    }

    /// Returns the line, with at most `width` characters of it.
    pub fn within(&self, width: usize) -> Line {
        let text = self.text.trim_end();
        let mut characters = text.char_indices();
        let text = match characters.nth(width) {
            None => text.to_owned(),
            Some(_) => {
                let end = text.char_indices().nth(width.saturating_sub(1));
                let end = end.map_or(text.len(), |(at, _)| at);
                format!("{}…", text[..end].trim_end())
            }
        };
        Line {
            style: self.style,
            text,
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let style = self.style;
        write!(f, "{style}{}{style:#}", self.text)
    }
}

/// Formats a count of the interval as a rate: whole numbers per second.
pub fn per_second(number: u64, interval_ns: u64) -> String {
    if interval_ns == 0 {
        return "-".to_owned();
    }
    let rate = number as f64 * 1e9 / interval_ns as f64;
    match rate {
        0.0 => "0".to_owned(),
        ..0.95 => format!("{rate:.1}"),
        _ => count(rate.round() as u64),
    }
}

/// Formats a fraction as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Formats a time as a percentage of the interval.
pub fn share_of(ns: Option<u64>, interval_ns: u64) -> String {
    match ns {
        Some(ns) if interval_ns > 0 => percent(ns as f64 / interval_ns as f64),
        _ => "-".to_owned(),
    }
}

/// Shortens a name from outside to the length that the kernel allows to programs; the kernel's own workers have longer names.
pub fn name(text: &str) -> String {
    const LONGEST: usize = 15;
    let safe = shown_text(text);
    match safe.char_indices().nth(LONGEST) {
        None => safe,
        Some((end, _)) => format!("{}…", &safe[..end]),
    }
}

/// Returns what a thread waits for.
pub fn wait(wait: Wait) -> &'static str {
    match wait {
        Wait::FutexWait => "futex wait",
        Wait::FutexWaitBitset => "futex wait_bitset",
        Wait::FutexLockPi => "futex lock_pi",
        Wait::Futex => "futex",
        Wait::Ipc => "queue",
        Wait::Events => "poll/epoll",
        Wait::PipeOrSocket => "pipe/socket",
        Wait::Disk => "disk",
        Wait::Sleep => "sleep",
        Wait::Child => "child",
        Wait::Signal => "signal",
        Wait::Other => "other",
    }
}

/// Returns the text for a cause in its row.
pub fn cause(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::Waited => "voluntary: waited for",
        CauseKind::Futex => "  lock, condition, join (futex)",
        CauseKind::Ipc => "  System V or POSIX queue",
        CauseKind::Events => "  events (poll, epoll, select)",
        CauseKind::PipeOrSocket => "  pipe, socket, terminal",
        CauseKind::Disk => "  disk (state D)",
        CauseKind::Sleep => "  sleep",
        CauseKind::Other => "  child, signal, something else",
        CauseKind::KernelThread => "  work for threads of the kernel",
        CauseKind::Several => "  now one, now another of these",
        CauseKind::Unknown => "  not known",
        CauseKind::TakenOff => "involuntary: preempted or yielded",
        CauseKind::SliceOver => "  time slice over",
        CauseKind::YieldedOrWokenOver => "  yielded, or preempted by a wake-up",
    }
}
