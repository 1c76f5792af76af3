//! Flags of the live view of `locktoll machine`.

use clap::Args;

use super::values::parse_time;

/// Flags of the live view.
#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Show context switches live instead: of the machine, or of a process and its threads.
    #[arg(
        long,
        value_name = "PID",
        num_args = 0..=1,
        value_parser = parse_pid,
        conflicts_with_all = ["output", "quick"],
        help_heading = "Live view"
    )]
    pub watch: Option<Option<u32>>,
    /// How long an interval of the live view is.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T",
        default_value = "1s",
        value_parser = parse_interval,
        requires = "watch",
        help_heading = "Live view"
    )]
    pub interval: u64,
    /// End the live view after so many intervals [default: with Ctrl-C].
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
        requires = "watch",
        help_heading = "Live view"
    )]
    pub count: Option<u64>,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    const ACCEPTED: &str =
        "accepted: the number of a process, as in `--watch 1234`; without one, the machine";
    text.parse()
        .ok()
        .filter(|pid| *pid > 0)
        .ok_or_else(|| format!("'{text}' is no process id; {ACCEPTED}"))
}

/// Nanoseconds. Shorter intervals would see their own reading; longer ones are a slip of the unit.
pub(super) fn parse_interval(text: &str) -> Result<u64, String> {
    const LEAST: u64 = 10_000_000;
    const MOST: u64 = 86_400_000_000_000;
    match parse_time(text)? {
        ns @ LEAST..=MOST => Ok(ns),
        _ => Err(format!(
            "'{text}' is no interval to watch by; accepted: 10ms to 86400s"
        )),
    }
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
        assert_eq!(parse_pid("1"), Ok(1));
        for wrong in ["0", "-1", "x", "4294967296", ""] {
            assert!(
                parse_pid(wrong).unwrap_err().contains("accepted"),
                "{wrong}"
            );
        }
    }
}
