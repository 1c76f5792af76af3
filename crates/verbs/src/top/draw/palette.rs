//! Colours, and their replacements if they are not wanted. Colour is never the only sign of a meaning.

use ratatui::style::{Color, Modifier, Style};

/// The styles of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    colours: bool,
}

impl Palette {
    /// Uses colours, unless `NO_COLOR` forbids them (<https://no-color.org>).
    pub fn of_environment() -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { colours: !unwanted }
    }

    /// With colours, or without.
    #[cfg(test)]
    pub fn new(colours: bool) -> Self {
        Self { colours }
    }

    /// Headings.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Less important text.
    pub fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// The row under the cursor, and the heading by which rows are ordered.
    pub fn marked(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Waiting for locks.
    pub fn waiting(self) -> Style {
        self.coloured(Color::Red)
    }

    /// Keys.
    pub fn key(self) -> Style {
        self.coloured(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// Errors, and messages to notice.
    pub fn notice(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    fn coloured(self, colour: Color) -> Style {
        if self.colours {
            Style::new().fg(colour)
        } else {
            Style::new()
        }
    }
}
