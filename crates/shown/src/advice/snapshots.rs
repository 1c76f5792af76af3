//! Snapshot tests of the text, from fixed figures.

use insta::assert_snapshot;

use crate::Shown;
use locktoll_made_up::made_up::advice;
use locktoll_results::advice::AdviceResult;

/// Returns the text as it looks without colours, and checks that no line is wider than asked for.
fn plain(result: &AdviceResult, width: usize) -> String {
    let page = anstream::adapter::strip_str(&result.text_within(width)).to_string();
    for line in page.lines() {
        assert!(line.chars().count() <= width, "{line}");
        assert_eq!(line, line.trim_end());
    }
    page
}

#[test]
fn remedies_by_their_gain_then_the_locks_to_leave_alone() {
    assert_snapshot!(plain(&advice::advice(), 100));
}

#[test]
fn a_narrow_terminal_has_the_same_text() {
    let words = |width| {
        plain(&advice::advice(), width)
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(60), words(160));
}

#[test]
fn nothing_is_worth_your_time() {
    assert_snapshot!(plain(&advice::nothing(), 100));
}

#[test]
fn a_saved_result_reads_back() {
    let document = serde_json::to_string(&advice::advice()).unwrap();
    let read: AdviceResult = serde_json::from_str(&document).unwrap();
    assert_eq!(read, advice::advice());
}
