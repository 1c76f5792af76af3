//! Paragraphs for a terminal.

/// Width that sentences are folded to.
pub const WIDTH: usize = 96;

/// A paragraph, its first line led by `lead`.
pub fn folded(page: &mut String, lead: &str, text: &str) -> std::fmt::Result {
    use std::fmt::Write;

    let indent = " ".repeat(lead.len());
    let mut line = lead.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(page, "{line}")?;
            line.clone_from(&indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    writeln!(page, "{line}")
}
