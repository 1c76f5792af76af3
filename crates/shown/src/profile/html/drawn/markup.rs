//! Texts as markup. Texts come from programs that may mean harm.

use std::fmt::Write;

use locktoll_terminal::escape::shown_text;

/// Returns a text that stays a text inside an element or an attribute in double quotes.
pub fn text(text: &str) -> String {
    shown_text(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Returns the beginning of a text if it is longer than `most` characters.
pub fn cut(whole: &str, most: usize) -> String {
    match whole.char_indices().nth(most) {
        None => text(whole),
        Some((end, _)) => text(&whole[..end]) + "...",
    }
}

/// A picture, in the page's colours.
pub struct Picture {
    parts: String,
    width: u32,
    label: String,
}

impl Picture {
    /// Begins a picture; `label` is for screen readers.
    pub fn new(width: u32, label: &str) -> Self {
        Self {
            parts: String::new(),
            width,
            label: text(label),
        }
    }

    /// Adds a line of text, which is cut if it is too long for the room to its right.
    pub fn write(&mut self, (x, y): (u32, u32), line: &str, style: &str) {
        /// The width of a character at the page's size of small texts.
        const CHARACTER: u32 = 7;
        let most = (self.width.saturating_sub(x) / CHARACTER) as usize;
        let line = cut(line, most);
        // Writing into a string does not fail.
        let _ = write!(
            self.parts,
            "<text x=\"{x}\" y=\"{y}\" fill=\"currentColor\" {style}>{line}</text>"
        );
    }

    /// Adds shapes.
    pub fn draw(&mut self, shapes: &str) {
        self.parts += shapes;
    }

    /// Returns the picture.
    pub fn end(self, height: u32) -> String {
        let Self {
            parts,
            width,
            label,
        } = self;
        format!(
            "<div class=\"table-scroll\"><svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\" font-size=\"13\" fill=\"none\" stroke-width=\"1.5\">{parts}</svg></div>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_a_text() {
        let hostile = "</text><script x=\"1\">&\u{202e}\0";
        let mut picture = Picture::new(700, hostile);
        picture.write((0, 10), hostile, "");
        let markup = picture.end(20);
        assert!(
            !markup.contains("<script") && !markup.contains('\0') && !markup.contains('\u{202e}')
        );
        assert_eq!(markup.matches("</text>").count(), 1);
        assert_eq!(cut("abcdef", 3), "abc...");
    }
}
