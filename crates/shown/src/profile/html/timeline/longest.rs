//! The longest waits and the findings as tables of texts, for browsers that do not run scripts.

use serde_json::{Value, json};

use crate::profile::words;
use locktoll_results::profile::timeline::{Index, Timeline};
use locktoll_terminal::quantity::duration;

/// The number of waits.
const WAITS: usize = 100;

/// The most characters of a text.
const LONGEST: usize = 120;

/// Returns tables: `{label, columns, rows}`, all of them texts.
pub fn longest(timeline: &Timeline) -> Vec<Value> {
    let waits = &timeline.waits;
    let mut rows: Vec<usize> = (0..waits.len()).collect();
    let length = |row: usize| waits.end_ns[row] - waits.begin_ns[row];
    let by_length = |&row: &usize| (std::cmp::Reverse(length(row)), row);
    if rows.len() > WAITS {
        rows.select_nth_unstable_by_key(WAITS, by_length);
        rows.truncate(WAITS);
    }
    rows.sort_by_key(by_length);
    let moment = |ns: u64| format!("{:.6} s", ns as f64 / 1e9);
    let row = |row: usize| {
        let wait = waits.get(row);
        let place = timeline.frames_of(wait.stack).next().map(words::frame);
        json!([
            moment(wait.begin_ns),
            thread(timeline, Index::new(wait.thread as usize)),
            text(&timeline.locks[wait.lock as usize].name),
            duration((wait.end_ns - wait.begin_ns) as f64),
            thread(timeline, wait.holder),
            thread(timeline, wait.released_by),
            place.map_or_else(|| "–".to_owned(), |place| text(&place)),
        ])
    };
    let mut tables = vec![json!({
        "label": "Longest waits",
        "columns": ["begins", "thread", "lock", "wait", "held by", "released by", "waited at"],
        "rows": rows.into_iter().map(row).collect::<Vec<_>>(),
    })];
    if !timeline.findings.is_empty() {
        let row = |it: &locktoll_results::profile::timeline::Finding| {
            json!([text(&it.sentence), moment(it.begin_ns), moment(it.end_ns)])
        };
        tables.push(json!({
            "label": "Findings",
            "columns": ["finding", "from", "to"],
            "rows": timeline.findings.iter().map(row).collect::<Vec<_>>(),
        }));
    }
    tables
}

fn thread(timeline: &Timeline, index: Index) -> String {
    let thread = index.get().and_then(|index| timeline.threads.get(index));
    thread.map_or_else(
        || "–".to_owned(),
        |thread| format!("{} {}", text(&thread.name), thread.tid),
    )
}

fn text(text: &str) -> String {
    words::cut_right(&locktoll_terminal::escape::shown_text(text), LONGEST)
}
