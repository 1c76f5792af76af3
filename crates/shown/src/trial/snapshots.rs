//! Snapshot tests of the text of a trial, from fixed figures.

use insta::assert_snapshot;

use crate::Shown;
use locktoll_made_up::made_up::trial;
use locktoll_results::trial::TrialResult;

/// Returns the text as it looks without colours, and checks that no line is wider than asked for.
fn plain(result: &TrialResult, width: usize) -> String {
    let page = anstream::adapter::strip_str(&result.text_within(width)).to_string();
    for line in page.lines() {
        assert!(line.chars().count() <= width, "{line}");
        assert_eq!(line, line.trim_end());
    }
    page
}

#[test]
fn a_lock_wins() {
    assert_snapshot!(plain(&trial::won(), 100));
}

#[test]
fn on_narrow_terminals_columns_are_left_out() {
    assert_snapshot!("eighty_columns", plain(&trial::won(), 80));
    assert_snapshot!("sixty_columns", plain(&trial::won(), 60));
}

#[test]
fn no_lock_differs() {
    assert_snapshot!(plain(&trial::alike(), 100));
}

#[test]
fn everything_is_slower() {
    assert_snapshot!(plain(&trial::all_slower(), 100));
}

#[test]
fn every_way_of_failing_has_its_sentence_and_last_words() {
    assert_snapshot!(plain(&trial::broken(), 80));
}

#[test]
fn a_server_s_metric_that_is_better_when_higher() {
    assert_snapshot!(plain(&trial::served(), 100));
}

#[test]
fn the_document_has_the_contract_s_fields() {
    let document = format!("{:#}\n", trial::broken().json().unwrap());
    assert!(document.starts_with("{\n  \"schema\": \"locktoll.try/1\""));
    let value: serde_json::Value = serde_json::from_str(&document).unwrap();
    let rows = value["results"].as_array().unwrap();
    let names: Vec<&str> = rows
        .iter()
        .map(|row| row["lock"].as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["bare", "pass-through"]);
    for row in rows {
        for field in [
            "lock",
            "metric",
            "ratio_to_bare",
            "verdict",
            "cpu_ratio",
            "coverage",
        ] {
            assert!(row.get(field).is_some(), "results[].{field}");
        }
    }
    let tried = &rows[3];
    for part in ["median", "low", "high", "n"] {
        for field in ["metric", "ratio_to_bare", "cpu_ratio"] {
            assert!(tried[field][part].is_number(), "results[].{field}.{part}");
        }
    }
    assert_eq!(tried["verdict"], "no_difference");
    assert!(tried["coverage"]["locks_replaced"].is_number());
    assert!(tried["coverage"]["blocked_time_covered"].is_null());
    let left = &tried["coverage"]["locks_passed_through"][0];
    assert!(left["reason"].is_string() && left["count"].is_number());
    let read: TrialResult = serde_json::from_str(&document).unwrap();
    assert_eq!(read.json().unwrap(), value);
}
