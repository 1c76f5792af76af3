//! Escapes names from outside, so that they can be shown safely.
//!
//! Other users choose the names of programs, files, functions and threads. A terminal escape code
//! in a name must be shown, not executed, and a line must stay one line.

use std::ffi::OsStr;

/// Makes a file name or argument safe for a message to the user.
pub fn shown(name: &OsStr) -> String {
    shown_text(&name.to_string_lossy())
}

/// Escapes everything in the text that a terminal might obey: control characters, and the characters that reorder or hide text
/// (Unicode's bidirectional controls and zero-width ones).
pub fn shown_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' => safe.extend(character.escape_unicode()),
            _ if character.is_control() => safe.extend(character.escape_default()),
            _ => safe.push(character),
        }
    }
    safe
}

/// Quotes a file name or argument as one word of a command that the user may hand to a shell.
pub fn word(name: &OsStr) -> String {
    quoted(&shown(name))
}

/// Quotes the text as one word of a shell command.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%=,".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_shell_would_split_or_expand_is_quoted() {
        assert_eq!(quoted("/usr/bin/locktoll-0.1"), "/usr/bin/locktoll-0.1");
        assert_eq!(quoted("/my tools/it's"), "'/my tools/it'\\''s'");
        assert_eq!(quoted("$HOME"), "'$HOME'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn nothing_a_terminal_obeys_gets_through() {
        assert_eq!(shown_text("a\x1b[31mb\nc\td"), r"a\u{1b}[31mb\nc\td");
        assert_eq!(shown_text("a\u{61c}b"), r"a\u{61c}b");
        assert_eq!(shown_text("\u{9b}31m\u{202e}x"), r"\u{9b}31m\u{202e}x");
        assert_eq!(shown_text("größe::λ"), "größe::λ");
    }

    proptest::proptest! {
        #[test]
        fn no_control_character_survives(text in ".*") {
            proptest::prop_assert!(!shown_text(&text).chars().any(char::is_control));
        }
    }
}
