//! What was seen between two reports of the same detector.

use std::collections::HashMap;

use super::report::{OTHER_WORDS, Report, Row, ThreadShare};
use super::weights::Drawn;
use locktoll_results::profile::{Frame, SpinSamples};

/// Returns the busy waiting after `before` up to `after`. What the writing threads did is that of the whole time: intervals are too
/// short for it.
pub fn since(before: &Report, after: &Report) -> Report {
    let samples = SpinSamples {
        samples: after.samples.samples.saturating_sub(before.samples.samples),
        lost: after.samples.lost.saturating_sub(before.samples.lost),
        unexamined: after
            .samples
            .unexamined
            .saturating_sub(before.samples.unexamined),
        ..after.samples.clone()
    };
    let cpu_ns = (after.cpu_ns - before.cpu_ns).max(0.0);
    let drawn = Drawn {
        all: samples.samples,
        unexamined: samples.unexamined,
        lost: samples.lost,
        cpu_ns,
    };
    let spun = after.spin_ns.n.saturating_sub(before.spin_ns.n) as u64;
    let spin_ns = (after.spin_ns.median - before.spin_ns.median).max(0.0);
    let known: HashMap<Key<'_>, &Row> = before.rows.iter().map(|row| (key(row), row)).collect();
    let mut rows: Vec<Row> = after
        .rows
        .iter()
        .filter_map(|row| row_since(known.get(&key(row)).copied(), row, &drawn, spin_ns))
        .collect();
    let ns = |row: &Row| row.spinning.cpu_ns.median;
    rows.sort_by(|a, b| ns(b).total_cmp(&ns(a)));
    Report {
        samples,
        cpu_ns,
        spin_ns: drawn.estimate(spun, spin_ns),
        rows,
        notes: after.notes.clone(),
    }
}

/// The place and the word of a row. The number of further words changes.
type Key<'a> = (&'a Frame, Option<&'a str>);

fn key(row: &Row) -> Key<'_> {
    let word = row.spinning.word.as_ref().map(|word| &*word.name);
    let word = word.map(|name| match name.ends_with(OTHER_WORDS) {
        true => OTHER_WORDS,
        false => name,
    });
    (&row.spinning.site, word)
}

/// Returns what was added to a row; `None` if that is nothing. It is no more than `most_ns`, since a word may have been one of the
/// further words before.
fn row_since(before: Option<&Row>, after: &Row, drawn: &Drawn, most_ns: f64) -> Option<Row> {
    let then = before.map(|row| &row.spinning);
    let samples = after.spinning.cpu_ns.n
        - then
            .map_or(0, |it| it.cpu_ns.n)
            .min(after.spinning.cpu_ns.n);
    let ns = after.spinning.cpu_ns.median - then.map_or(0.0, |it| it.cpu_ns.median);
    if samples == 0 || ns <= 0.0 {
        return None;
    }
    // A thread's weight changes a little with every reading of its account, also if it has no new sample.
    let least_ns = ns / samples as f64 / 2.0;
    let threads: Vec<ThreadShare> = after
        .threads
        .iter()
        .map(|share| {
            let then = before.and_then(|row| {
                let mut shares = row.threads.iter();
                shares.find(|it| (it.pid, it.tid) == (share.pid, share.tid))
            });
            ThreadShare {
                ns: share.ns - then.map_or(0.0, |it| it.ns),
                ..*share
            }
        })
        .filter(|share| share.ns > least_ns)
        .collect();
    let switches = |row: &Row| row.spinning.involuntary_switches;
    let mut spinning = after.spinning.clone();
    spinning.cpu_ns = drawn.estimate(samples as u64, ns.min(most_ns));
    spinning.threads = threads.len().max(1) as u64;
    spinning.involuntary_switches =
        switches(after).map(|now| now.saturating_sub(before.and_then(switches).unwrap_or(0)));
    Some(Row {
        spinning,
        words: after.words.clone(),
        threads,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;
    use locktoll_results::profile::SpunWord;

    /// A report after some seconds, in each of which a thread waited for 0.4 s of 1 s of CPU time, at 500 samples per second.
    fn after(seconds: u64) -> Report {
        let mut spinning = sample::spinning();
        spinning.cpu_ns.median = 0.4e9 * seconds as f64;
        spinning.cpu_ns.n = 200 * seconds as usize;
        spinning.involuntary_switches = Some(10 * seconds);
        let thread = |tid, ns| ThreadShare { pid: 7, tid, ns };
        Report {
            samples: SpinSamples {
                samples: 500 * seconds,
                ..sample::spin_samples()
            },
            cpu_ns: 1e9 * seconds as f64,
            spin_ns: spinning.cpu_ns,
            rows: vec![Row {
                threads: vec![thread(8, spinning.cpu_ns.median), thread(9, 5e6)],
                words: vec![(7, 0x1000)],
                spinning,
            }],
            notes: Vec::new(),
        }
    }

    #[test]
    fn an_interval_has_the_samples_that_came_in_it() {
        let between = since(&after(3), &after(5));
        assert_eq!((between.samples.samples, between.spin_ns.n), (1_000, 400));
        let row = &between.rows[0].spinning;
        assert_eq!((row.cpu_ns.median, row.cpu_ns.n), (0.8e9, 400));
        assert!(row.cpu_ns.low < 0.8e9 && row.cpu_ns.high > 0.8e9);
        // The other thread did not wait any more.
        assert_eq!((row.threads, row.involuntary_switches), (1, Some(20)));
    }

    #[test]
    fn a_loop_in_which_no_thread_waited_is_left_out() {
        let between = since(&after(3), &after(3));
        assert!(between.rows.is_empty());
        assert_eq!((between.spin_ns.median, between.cpu_ns), (0.0, 0.0));
    }

    #[test]
    fn further_words_stay_one_row_when_their_number_changes() {
        let with_words = |seconds, number| {
            let mut report = after(seconds);
            report.rows[0].spinning.word = Some(SpunWord {
                name: format!("{number}{OTHER_WORDS}"),
                id: None,
            });
            report
        };
        let between = since(&with_words(1, 12), &with_words(2, 15));
        assert_eq!(between.rows[0].spinning.cpu_ns.median, 0.4e9);
    }
}
