//! Sentences in lines that fit.

use std::fmt::{self, Write};

/// Writes `text` in lines of `width` characters: the first after `lead`, the others indented as far.
pub fn write(page: &mut String, lead: &str, text: &str, width: usize) -> fmt::Result {
    let indent = lead.chars().count();
    write!(page, "{lead}")?;
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            write!(page, "\n{:indent$}", "")?;
            column = indent;
        } else if column > indent {
            page.push(' ');
            column += 1;
        }
        page.push_str(word);
        column += length;
    }
    writeln!(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled_and_no_word_is_lost() {
        let mut page = String::new();
        write(
            &mut page,
            "- ",
            "one two three four incomprehensibilities",
            12,
        )
        .unwrap();
        assert_eq!(page, "- one two\n  three four\n  incomprehensibilities\n");
    }
}
