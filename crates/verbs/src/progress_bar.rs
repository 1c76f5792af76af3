//! The progress bar of a long-running verb: on standard error, and only on a terminal.

use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use locktoll_terminal::output;

/// Creates a bar of `steps` steps; `template` is in the language of indicatif.
pub fn bar(steps: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// Prints a line above the bar. A hidden bar prints nothing, but lines are still printed, for logs.
pub fn say_above(bar: &ProgressBar, line: &str) {
    if bar.is_hidden() {
        output::say(line);
    } else {
        bar.println(line);
    }
}

/// Shorter times have no line: it would only flicker.
#[cfg(target_os = "linux")]
const WORTH_A_BAR: Duration = Duration::from_secs(3);

/// A line on the terminal that shows how much of a given time is left.
#[cfg(target_os = "linux")]
pub struct TimeLeft {
    bar: ProgressBar,
    end: Instant,
}

#[cfg(target_os = "linux")]
impl TimeLeft {
    /// Begins to show the time that is left. Returns `None` without an end, or if the end is near.
    pub fn until(end: Option<Instant>) -> Option<Self> {
        let end = end.filter(|end| end.saturating_duration_since(Instant::now()) > WORTH_A_BAR)?;
        let bar = bar(0, "{msg}");
        Some(Self { bar, end })
    }

    /// Shows what is left now.
    pub fn show(&self) {
        self.bar
            .set_message(words(self.end.saturating_duration_since(Instant::now())));
    }
}

#[cfg(target_os = "linux")]
impl Drop for TimeLeft {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Names a time in whole seconds, rounded up: the last one is over when the line disappears.
#[cfg(target_os = "linux")]
fn words(left: Duration) -> String {
    let seconds = left.as_millis().div_ceil(1000);
    match seconds / 60 {
        0 => format!("{seconds} s left"),
        minutes => format!("{minutes} min {} s left", seconds % 60),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_rounded_up_to_seconds() {
        let left = |ms| words(Duration::from_millis(ms));
        assert_eq!(
            [left(10), left(1000), left(1001)],
            ["1 s left", "1 s left", "2 s left"]
        );
        assert_eq!(left(61_500), "1 min 2 s left");
    }

    #[test]
    fn only_a_distant_end_has_a_line() {
        let from_now = |seconds| Some(Instant::now() + Duration::from_secs(seconds));
        assert!(TimeLeft::until(None).is_none() && TimeLeft::until(from_now(2)).is_none());
        assert!(TimeLeft::until(from_now(60)).is_some());
    }
}
