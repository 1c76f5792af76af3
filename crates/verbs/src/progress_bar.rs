//! The progress bar of a long-running verb: on standard error, and only on a terminal.

use std::time::Duration;

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
