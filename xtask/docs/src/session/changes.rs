//! What changed between a session as it is printed and as it is now.

use similar::{ChangeTag, TextDiff};

use super::shape::shape;

/// A line that is only in one of the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is printed in the page, and nothing of its shape came now.
    Gone(String),
    /// It came now, and nothing of its shape is printed.
    New(String),
}

/// The line that is printed for lines that were left out.
const LEFT_OUT: &str = "...";

/// Compares by shape. Where the page leaves lines out, lines that came in addition are no change.
pub fn changes(printed: &[String], now: &[String]) -> Vec<Change> {
    let leaves_out = printed.iter().any(|line| line.trim() == LEFT_OUT);
    let printed: Vec<&String> = printed
        .iter()
        .filter(|line| line.trim() != LEFT_OUT && !line.trim().is_empty())
        .collect();
    let now: Vec<&String> = now.iter().filter(|line| !line.trim().is_empty()).collect();
    let before: Vec<String> = printed.iter().map(|line| shape(line)).collect();
    let after: Vec<String> = now.iter().map(|line| shape(line)).collect();
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    let diff = TextDiff::from_slices(&before, &after);
    let changed = diff.iter_all_changes().filter_map(|change| {
        let line = |lines: &[&String], at: Option<usize>| at.map(|at| lines[at].clone());
        match change.tag() {
            ChangeTag::Equal => None,
            ChangeTag::Delete => line(&printed, change.old_index()).map(Change::Gone),
            ChangeTag::Insert if leaves_out => None,
            ChangeTag::Insert => line(&now, change.new_index()).map(Change::New),
        }
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(printed: &str, now: &str) -> Vec<Change> {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        changes(&lines(printed), &lines(now))
    }

    #[test]
    fn other_figures_are_no_change_and_other_words_are() {
        assert_eq!(of("a 5 ms\nb 7", "a 12 us\n\nb 8,000"), []);
        assert_eq!(
            of("a 5\nheld 3", "a 6\nowned 3"),
            [
                Change::Gone("held 3".to_owned()),
                Change::New("owned 3".to_owned())
            ]
        );
        assert_eq!(of("a 5\n...\nc 1", "a 6\nb 7\nc 2"), []);
        assert_eq!(
            of("a 5\n...\nc 1", "a 6\nb 7"),
            [Change::Gone("c 1".to_owned())]
        );
    }
}
