//! Colours, and their replacements if they are not wanted. No colour is the only carrier of a meaning.

use ratatui::style::{Color, Modifier, Style};

/// The styles of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    colours: bool,
}

impl Palette {
    /// With colours, unless `NO_COLOR` says otherwise (<https://no-color.org>).
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

    /// What tells less.
    pub fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// The row under the cursor, and the heading that rows are ordered by.
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

    /// What went wrong, and what is to be noticed.
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
