//! Pairs the rows of two sides by their keys.

use std::collections::HashMap;

use super::measure::{Entry, row};
use locktoll_results::comparison::Row;

/// Pairs entries with the same key (several entries with one key in their order), and makes a row of each pair and of each entry
/// without a partner.
pub fn pair(a: Vec<Entry>, b: Vec<Entry>, lead: &str, noise: impl Fn(&str) -> f64) -> Vec<Row> {
    let mut waiting: HashMap<String, Vec<usize>> = HashMap::new();
    for (position, entry) in b.iter().enumerate().rev() {
        waiting.entry(entry.key.clone()).or_default().push(position);
    }
    let mut b: Vec<Option<Entry>> = b.into_iter().map(Some).collect();
    let mut rows = Vec::new();
    for entry in a {
        let partner = waiting.get_mut(&entry.key).and_then(Vec::pop);
        let noise = noise(&entry.key);
        rows.extend(row(
            Some(entry),
            partner.and_then(|at| b[at].take()),
            lead,
            noise,
        ));
    }
    for entry in b.into_iter().flatten() {
        let noise = noise(&entry.key);
        rows.extend(row(None, Some(entry), lead, noise));
    }
    rows
}
