//! The rows to which a rule applies.

use locktoll_lab::contender;

use super::Rule;
use locktoll_results::comparison::{Comparison, Row};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;

/// Returns the rows that a rule names: those whose key or name equals its text, otherwise those that contain it.
pub(super) fn chosen<'c>(rule: &Rule, comparison: &'c Comparison) -> Result<Vec<&'c Row>, Failure> {
    let all = comparison.rows.iter();
    let Some(asked) = &rule.rows else {
        return Ok(all.collect());
    };
    // The rule may be older than the present spelling of a lock's name.
    for asked in [asked.clone(), respelled(asked)] {
        let whole = |row: &&Row| row.key == asked || row.name == asked;
        let part = |row: &&Row| row.key.contains(&asked) || row.name.contains(&asked);
        let whole: Vec<&Row> = all.clone().filter(whole).collect();
        if !whole.is_empty() {
            return Ok(whole);
        }
        let part: Vec<&Row> = all.clone().filter(part).collect();
        if !part.is_empty() {
            return Ok(part);
        }
    }
    /// Number of names in a message.
    const NAMED: usize = 5;
    let there: Vec<&str> = comparison
        .rows
        .iter()
        .take(NAMED)
        .map(|row| row.key.as_str())
        .collect();
    Err(Failure::Usage(format!(
        "--fail-if '{}': no row of A or B has '{}' in its name; some names are: {}",
        shown_text(&rule.text),
        shown_text(asked),
        there.join(", ")
    )))
}

/// Returns the text with each lock name in its present spelling.
fn respelled(asked: &str) -> String {
    let words = asked.split_inclusive([' ', ',']);
    words
        .map(|word| {
            let name = word.trim_end_matches([' ', ',']);
            contender::spelled_today(name) + &word[name.len()..]
        })
        .collect()
}
