//! Paths in commands.

/// The text as one word of a shell.
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
}
