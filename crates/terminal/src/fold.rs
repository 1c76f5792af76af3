//! Paragraphs for a terminal.

use std::fmt::{self, Write};

/// The width at which sentences are folded.
pub const WIDTH: usize = 96;

/// Returns the words of `text` in lines of `width` characters: the first line after `lead`, the others indented to the same
/// column. A word is never divided, since it may be a path or a command that a reader copies.
pub fn lines(lead: &str, text: &str, width: usize) -> Vec<String> {
    let indent = lead.chars().count();
    let mut lines = vec![lead.to_owned()];
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            lines.push(" ".repeat(indent));
            column = indent;
        }
        let line = lines.last_mut().expect("there is always one");
        if column > indent {
            line.push(' ');
            column += 1;
        }
        line.push_str(word);
        column += length;
    }
    lines
}

/// Writes [`lines`].
///
/// # Errors
/// If `page` does not accept more text.
pub fn write(page: &mut String, lead: &str, text: &str, width: usize) -> fmt::Result {
    writeln!(page, "{}", lines(lead, text, width).join("\n"))
}

/// Writes lines of `width` characters, and of at most [`WIDTH`].
///
/// # Errors
/// If `page` does not accept more text.
pub fn folded(page: &mut String, lead: &str, text: &str, width: usize) -> fmt::Result {
    write(page, lead, text, width.min(WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled_and_no_word_is_lost() {
        assert_eq!(
            lines("- ", "one two three four incomprehensibilities", 12),
            ["- one two", "  three four", "  incomprehensibilities"]
        );
        assert_eq!(lines("", "", 12), [""]);
    }
}
