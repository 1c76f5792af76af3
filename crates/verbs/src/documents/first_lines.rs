//! The first lines of every report: a reader who does not know the program must be able to say what was found.

use std::fmt::Write;

use super::{comparison, tour};
use crate::diagnosis::made_up::laptop;
use crate::doctor::judged;
use locktoll_made_up::made_up::{advice, benches, claims, kernel, prices, trial, whatif};
use locktoll_made_up::sample;
use locktoll_shown::{Selection, Shown, SortKey};

/// Number of lines that a reader sees before scrolling.
const FIRST: usize = 10;

#[test]
fn every_report_begins_with_its_answer() {
    let (recorded, attached) = (sample::job_server(), sample::attached_server());
    let recorded = Selection::new(&recorded, SortKey::Wait, None);
    let attached = Selection::new(&attached, SortKey::Wait, None);
    let comparison = comparison::comparison();
    let doctor = judged(&laptop(), None);
    let reports: [(&str, &dyn Shown); 12] = [
        ("record, report", &recorded),
        ("attach", &attached),
        ("bench", &benches::threads()),
        ("machine", &prices::machine_result()),
        ("kernel", &kernel::kernel()),
        ("try", &trial::won()),
        ("whatif", &whatif::decoy()),
        ("advise", &advice::advice()),
        ("compare", &comparison),
        ("reproduce", &claims::reproduction()),
        ("doctor", &doctor),
        ("tour", &tour::tour()),
    ];
    let mut page = String::new();
    for (verb, report) in reports {
        let text = report.text_within(100);
        let text = anstream::adapter::strip_str(&text).to_string();
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.contains(|it: char| it.is_ascii_digit()) || verb == "doctor",
            "{verb}: no figure carries the answer: {first}"
        );
        let lines: Vec<&str> = text.lines().take(FIRST).collect();
        write!(page, "==== {verb}\n{}\n\n", lines.join("\n")).unwrap();
    }
    insta::assert_snapshot!(page);
}
