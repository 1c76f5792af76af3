//! A line without its figures.

/// Units, whose choice depends on the figure before them.
const UNITS: [&str; 10] = ["ns", "us", "ms", "s", "min", "h", "B", "KB", "MB", "GB"];

/// Returns the line with every number as `0`, without units of time and size, bars, and the width of columns. Two lines of the same
/// shape differ in figures alone.
pub fn shape(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        if word.chars().all(|character| character == '#') {
            continue;
        }
        let numbers = without_numbers(word);
        let follows_number = words.last().is_some_and(|last| last.ends_with('0'));
        let plain = word.trim_end_matches([',', '.', ';', ':', ')']);
        match follows_number && UNITS.contains(&plain) {
            // What follows the unit stays: a comma, a full stop.
            true => words
                .last_mut()
                .expect("follows a word")
                .push_str(&word[plain.len()..]),
            false => words.push(numbers),
        }
    }
    words.join(" ")
}

/// Replaces each number in a word, and each commit's name, by `0`.
fn without_numbers(word: &str) -> String {
    let inner = word.trim_matches(['(', ')', ',', '.']);
    let is_hex = inner.len() >= 7 && inner.chars().all(|it| it.is_ascii_hexdigit());
    if is_hex {
        return word.replace(inner, "0");
    }
    let mut shape = String::new();
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_ascii_digit() {
            shape.push(character);
            continue;
        }
        shape.push('0');
        while let Some(next) = characters.peek().copied() {
            let mut behind = characters.clone();
            behind.next();
            let continues = next.is_ascii_digit()
                || (matches!(next, '.' | ',') && behind.peek().is_some_and(char::is_ascii_digit));
            if !continues {
                break;
            }
            characters.next();
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_units_and_bars_do_not_count() {
        let same = [
            (
                "  waiting for locks      53.2 %   1.23 s  #####",
                " waiting for locks  9 %  12.5 ms  #",
            ),
            (
                "Run: 466 ms elapsed, 10,380 switches",
                "Run: 1.2 s elapsed, 7 switches",
            ),
            ("locktoll 0.1.0 (f140a9293c)", "locktoll 0.1.0 (deadbeef00)"),
        ];
        for (one, other) in same {
            assert_eq!(shape(one), shape(other));
        }
        assert_ne!(shape("held by a"), shape("held by b"));
        assert_ne!(shape("5 locks"), shape("locks"));
        assert_eq!(shape("all of 5 ms, then"), "all of 0, then");
    }
}
