//! Measured numbers of threads.

use std::fmt;

use super::remedy::interval;
use crate::table;
use crate::table::dash;
use locktoll_results::advice::SweptThreads;
use locktoll_terminal::escape::shown_text;

/// Writes one row per number of threads.
pub fn write(page: &mut String, swept: &[SweptThreads]) -> fmt::Result {
    let row = |it: &SweptThreads| {
        vec![
            it.threads.to_string(),
            match (it.is_current, it.ratio) {
                (true, _) => "1 (now)".to_owned(),
                (false, Some(ratio)) => interval(ratio),
                (false, None) => it.reason.as_deref().map_or_else(dash, shown_text),
            },
            it.rounds.to_string(),
        ]
    };
    let head = ["threads", "times as fast as now", "rounds"];
    let lines = table::lines(&head, &[1], swept.iter().map(row));
    table::write(page, "", &lines)
}
