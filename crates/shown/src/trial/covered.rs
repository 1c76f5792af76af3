//! The objects that were replaced, and those left to the C library.

use locktoll_terminal::fold;
use std::fmt;

use locktoll_results::trial::{Coverage, ObjectKind, SliceExtension, TrialResult, TrialRow};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{count, counted};

/// Writes a paragraph for each group of candidates that replaced the same kinds of objects and left others for the same
/// reasons.
pub fn write(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    let replacing: Vec<(&TrialRow, &Coverage)> = result
        .results
        .iter()
        .filter(|row| row.lock != "pass-through")
        .filter_map(|row| Some((row, row.coverage.as_ref()?)))
        .collect();
    let mut groups: Vec<Vec<&TrialRow>> = Vec::new();
    for (row, coverage) in &replacing {
        let same = groups.iter_mut().find(|group| {
            let first = group[0].coverage.as_ref();
            first.is_some_and(|first| shape(first) == shape(coverage))
        });
        match same {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    for group in groups.iter() {
        let Some(coverage) = &group[0].coverage else {
            continue;
        };
        let whose = match groups.len() {
            1 => String::new(),
            _ => {
                let names: Vec<&str> = group.iter().map(|row| row.lock.as_str()).collect();
                format!("{}: ", names.join(", "))
            }
        };
        fold::write(page, "", &format!("{whose}{}", sentences(coverage)), width)?;
    }
    Ok(())
}

/// Returns the kinds and the reasons. The numbers of objects differ from run to run with the program's own course; these do
/// not. Nor is a candidate with time slice extensions like any other.
fn shape(coverage: &Coverage) -> (Vec<ObjectKind>, Vec<&str>, Option<SliceExtension>) {
    (
        coverage.replaced.iter().map(|it| it.kind).collect(),
        coverage
            .locks_passed_through
            .iter()
            .map(|it| it.reason.as_str())
            .collect(),
        coverage.slice_extension,
    )
}

fn sentences(coverage: &Coverage) -> String {
    let mut words = match coverage.locks_replaced {
        0 => "No lock was replaced".to_owned(),
        _ if coverage.replaced.is_empty() => {
            format!(
                "{} replaced",
                counted(coverage.locks_replaced, "lock", "locks")
            )
        }
        _ => {
            let kinds: Vec<String> = coverage
                .replaced
                .iter()
                .map(|it| kind(it.kind, it.count))
                .collect();
            format!("{} replaced", kinds.join(", "))
        }
    };
    let left: u64 = coverage
        .locks_passed_through
        .iter()
        .map(|it| it.count)
        .sum();
    if left > 0 {
        let reasons: Vec<String> = coverage
            .locks_passed_through
            .iter()
            .map(|it| format!("{} {}", count(it.count), shown_text(&it.reason)))
            .collect();
        words.push_str(&format!(
            "; {} left to the C library ({})",
            count(left),
            reasons.join(", ")
        ));
    }
    words.push('.');
    match coverage.blocked_time_covered {
        Some(share) => words.push_str(&format!(
            " In a recorded run, {:.0} % of the time that threads were blocked on locks was on locks that are replaced.",
            (share * 100.0).clamp(0.0, 100.0)
        )),
        None => words.push_str(" It is not known which share of the blocked time that covers: no run was recorded, no thread blocked on a lock, or some locks of the same kind were not replaced."),
    }
    if let Some(extension) = coverage.slice_extension {
        words.push_str(&extensions(extension));
    }
    words
}

fn extensions(extension: SliceExtension) -> String {
    let mut words = format!(
        " {} requested time slice extensions",
        counted(extension.threads, "thread", "threads")
    );
    if extension.threads_without > 0 {
        words.push_str(&format!(
            " ({} could not)",
            count(extension.threads_without)
        ));
    }
    words.push_str(&format!(", and gave {} back.", count(extension.given_back)));
    words
}

fn kind(kind: ObjectKind, number: u64) -> String {
    match kind {
        ObjectKind::Mutex => counted(number, "mutex", "mutexes"),
        ObjectKind::ConditionVariable => {
            counted(number, "condition variable", "condition variables")
        }
        ObjectKind::ReaderWriterLock => {
            counted(number, "reader-writer lock", "reader-writer locks")
        }
        ObjectKind::SpinLock => counted(number, "spin lock", "spin locks"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_slice_extensions_are_counted_in_a_sentence_of_their_own() {
        let with = |threads, threads_without, given_back| Coverage {
            slice_extension: Some(SliceExtension {
                threads,
                threads_without,
                given_back,
            }),
            ..Coverage::default()
        };
        let words = sentences(&with(1, 0, 12_345));
        assert!(
            words.ends_with(" 1 thread requested time slice extensions, and gave 12,345 back."),
            "{words}"
        );
        let words = sentences(&with(8, 2, 0));
        assert!(
            words.ends_with(
                " 8 threads requested time slice extensions (2 could not), and gave 0 back."
            ),
            "{words}"
        );
        assert!(!sentences(&Coverage::default()).contains("slice"));
        assert_ne!(shape(&with(1, 0, 0)), shape(&Coverage::default()));
    }
}
