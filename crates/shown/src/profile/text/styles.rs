//! The styles of the page. No meaning is conveyed by style alone.

use anstyle::{AnsiColor, Effects, Style};

/// For what to look at first.
pub const STRONG: Style = Style::new().effects(Effects::BOLD);
/// For explanations.
pub const FAINT: Style = Style::new().effects(Effects::DIMMED);
/// Time on a processor.
pub const RUNNING: Style = AnsiColor::Green.on_default();
/// Time lost to locks.
pub const LOCKS: Style = AnsiColor::Red.on_default();
/// Time lost to other threads on the processor.
pub const QUEUED: Style = AnsiColor::Yellow.on_default();
/// Time spent asleep on purpose.
pub const IDLE: Style = AnsiColor::Blue.on_default();

/// Puts the text in a style. An empty text stays empty, so that lines do not end in invisible codes.
pub fn in_style(style: Style, text: &str) -> String {
    match text {
        "" => String::new(),
        _ => format!("{style}{text}{style:#}"),
    }
}
