//! The progress bar of a long-running verb: on standard error, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use locktoll_terminal::output;

/// A bar of `steps` steps; `template` is in the language of indicatif.
pub fn bar(steps: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// Puts a line above the bar. A bar that is not shown prints nothing; lines do, for logs.
pub fn say_above(bar: &ProgressBar, line: &str) {
    if bar.is_hidden() {
        output::say(line);
    } else {
        bar.println(line);
    }
}
