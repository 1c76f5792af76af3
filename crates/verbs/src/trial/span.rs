//! A duration in words.

use std::time::Duration;

use locktoll_terminal::quantity::duration;

/// Returns a duration the way people say it: `40 s`, `4 min`, `2.5 h`; rounded up, because it is a promise.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..1.0 => duration(seconds * 1e9),
        ..9.95 => format!("{} s", (seconds * 10.0).ceil() / 10.0),
        ..100.0 => format!("{} s", seconds.ceil()),
        ..6000.0 => format!("{} min", (seconds / 60.0).ceil()),
        _ => format!("{} h", (seconds / 360.0).ceil() / 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_rounded_up() {
        for (milliseconds, expected) in [
            (0, "0"),
            (20, "20.0 ms"),
            (1_000, "1 s"),
            (4_210, "4.3 s"),
            (42_000, "42 s"),
            (99_001, "100 s"),
            (101_000, "2 min"),
            (600_000, "10 min"),
            (9_000_001, "2.6 h"),
        ] {
            assert_eq!(span(Duration::from_millis(milliseconds)), expected);
        }
    }
}
