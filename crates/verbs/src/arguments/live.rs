//! Flags of live views: a process, and the length of an interval.

use std::ops::RangeInclusive;

use super::time::time_of;

/// Reads a process id; `example` shows how to type one.
pub fn parse_process(text: &str, example: &str) -> Result<u32, String> {
    text.parse().ok().filter(|pid| *pid > 0).ok_or_else(|| {
        format!(
            "'{text}' is not a process id; accepted: a number above 0, {example}; `pgrep NAME` prints the ids of processes with this name"
        )
    })
}

/// Reads the length of an interval, in nanoseconds. A shorter interval would mostly measure its own reading; a longer one is a
/// wrong unit.
pub fn parse_interval(text: &str) -> Result<u64, String> {
    const LEAST: u64 = 10_000_000;
    const MOST: u64 = 86_400_000_000_000;
    within(text, LEAST..=MOST, "10ms to 86400s, such as 1s")
}

/// Reads a time in a range, which the refusals name.
fn within(text: &str, range: RangeInclusive<u64>, accepted: &str) -> Result<u64, String> {
    let ns = time_of(text, accepted)?;
    match range.contains(&ns) {
        true => Ok(ns),
        false => Err(format!("'{text}' is out of range; accepted: {accepted}")),
    }
}

/// Reads how long to watch, in nanoseconds. A shorter time would see little but its own beginning; a longer one is a wrong unit.
pub fn parse_watching(text: &str) -> Result<u64, String> {
    const RANGE: RangeInclusive<u64> = 10_000_000..=7 * 86_400_000_000_000;
    within(text, RANGE, "10ms to 604800s (a week), such as 5s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_processes_are_bounded() {
        assert_eq!(parse_interval("10ms"), Ok(10_000_000));
        assert_eq!(parse_interval("1.5s"), Ok(1_500_000_000));
        for wrong in ["0", "9ms", "1", "-1s", "100000s"] {
            assert!(
                parse_interval(wrong).unwrap_err().contains("accepted"),
                "{wrong}"
            );
        }
        let parse_process = |text| parse_process(text, "as in `top 1234`");
        assert_eq!(parse_process("1"), Ok(1));
        for wrong in ["0", "-1", "x", "4294967296", ""] {
            assert!(
                parse_process(wrong).unwrap_err().contains("accepted"),
                "{wrong}"
            );
        }
    }
}
