//! Figures and causes in words.

use locktoll_lab::watch::KnownBy;

use locktoll_results::profile::LockKind;
use locktoll_results::top::{Cause, CauseKind, SeenBy};
use locktoll_shown::profile_words;
use locktoll_terminal::quantity::{duration, rate};

/// Shown for an unknown value.
pub const DASH: &str = "-";

/// Returns a count over some time as a rate per second, with three digits.
pub fn per_second(count: Option<u64>, over_ns: u64) -> String {
    match count {
        Some(count) if over_ns > 0 => number(count as f64 * 1e9 / over_ns as f64),
        _ => DASH.to_owned(),
    }
}

/// Returns a number in few characters: `0`, `0.47`, `4.2`, `94`, `1.40M`.
pub fn number(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        ..0.995 => format!("{number:.2}"),
        ..9.95 => format!("{number:.1}"),
        ..999.5 => format!("{number:.0}"),
        _ => rate(number).replace(' ', ""),
    }
}

/// Returns a count in few characters.
pub fn count(count: u64) -> String {
    match count {
        ..1000 => count.to_string(),
        _ => number(count as f64),
    }
}

/// Returns the average number of threads, from the sum of their times in some period.
pub fn threads(ns: Option<u64>, over_ns: u64) -> String {
    match ns {
        Some(0) if over_ns > 0 => "0".to_owned(),
        Some(ns) if over_ns > 0 => format!("{:.2}", ns as f64 / over_ns as f64),
        _ => DASH.to_owned(),
    }
}

/// Returns a time as a percentage of another.
pub fn percent_of(ns: Option<u64>, over_ns: u64) -> String {
    match ns {
        Some(ns) if over_ns > 0 => percent(ns as f64 / over_ns as f64),
        _ => DASH.to_owned(),
    }
}

/// Returns a share of one, in whole per cent.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Returns a length of time that may be unknown.
pub fn length(ns: Option<f64>) -> String {
    ns.map_or_else(|| DASH.to_owned(), duration)
}

/// Returns a cause with its rate and how certain that is: `~` for an estimate from looks, `<=` for an upper limit. `short` is for
/// little room.
pub fn cause(cause: &Cause, over_ns: u64, short: bool) -> String {
    let sure = match cause.known_by {
        KnownBy::Counted | KnownBy::Rest => "",
        KnownBy::Looks => "~",
        KnownBy::CpuTime => "<=",
    };
    let rate = per_second(Some(cause.switches), over_ns);
    let name = match short {
        true => short_name(cause.cause),
        false => cause_name(cause.cause),
    };
    format!("{name} {sure}{rate}")
}

fn short_name(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::SliceOver => "slice",
        CauseKind::Lock => "lock",
        CauseKind::InputOutput => "I/O",
        CauseKind::Yielded => "yield",
        CauseKind::WokenOver => "woken",
        CauseKind::YieldedOrWokenOver => "yield/woken",
        CauseKind::Sleep | CauseKind::Other | CauseKind::Unknown => cause_name(kind),
    }
}

fn cause_name(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::SliceOver => "time slice used up",
        CauseKind::Lock => "blocked on a lock",
        CauseKind::InputOutput => "input/output",
        CauseKind::Yielded => "yielded",
        CauseKind::WokenOver => "preempted by a woken thread",
        CauseKind::YieldedOrWokenOver => "yielded or preempted by a woken thread",
        CauseKind::Sleep => "sleep",
        CauseKind::Other => "other",
        CauseKind::Unknown => "not known",
    }
}

/// Returns the word for a kind of lock.
pub fn kind(kind: LockKind) -> &'static str {
    profile_words::kind(kind)
}

/// Returns who sees the waits of a program.
pub fn seen_by(seen_by: Option<SeenBy>) -> &'static str {
    match seen_by {
        Some(SeenBy::Recorder) => "recorder",
        Some(SeenBy::Kernel) => "kernel",
        None => DASH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_little_room_and_say_no_more_than_is_known() {
        for (value, text) in [
            (0.0, "0"),
            (0.004, "0.00"),
            (0.47, "0.47"),
            (4.18, "4.2"),
            (94.0, "94"),
            (999.6, "1.00k"),
            (1_401_000.0, "1.40M"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(
            (count(7), count(999), count(20_480)),
            ("7".to_owned(), "999".to_owned(), "20.5k".to_owned())
        );
        assert_eq!(per_second(None, 1), "-");
        assert_eq!(per_second(Some(5), 0), "-");
        assert_eq!(threads(Some(2_310_000_000), 1_000_000_000), "2.31");
    }
}
