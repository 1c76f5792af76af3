//! What is said below a group's lines: what failed, and what equal things differed by.

use locktoll_lab::stats::{Estimate, widest_factor};

use super::cell::Cell;
use super::measured::Measured;
use super::row::{Field, Unit};
use super::text::figure;

/// One line each.
pub fn remarks(cells: &[&Cell], measured: &Measured, field: Field<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for cell in cells {
        for setting in &cell.settings {
            for lock in field.locks() {
                if let Some(problem) = measured.problem(setting, lock) {
                    lines.push(format!("{}: {lock} {problem}", cell.title));
                }
            }
        }
    }
    lines.dedup();
    let first = cells.iter().find_map(|cell| cell.settings.first());
    let waited_ns = first.and_then(|setting| measured.waited_ns(setting, field.subject));
    lines.extend(waited_ns.map(|ns| {
        let slice = figure(ns, Unit::Ns);
        format!("slices last {slice}: a wait ends with its slice, so that what takes about as long, or longer, was cut off")
    }));
    let settings = cells.iter().flat_map(|cell| &cell.settings);
    let pairs: Vec<Estimate> = settings.filter_map(|it| measured.same_twice(it)).collect();
    lines.extend(same_twice(&pairs, field.subject));
    lines
}

/// The A/A pairs in one line: what `subject` against itself came out as.
fn same_twice(pairs: &[Estimate], subject: &str) -> Option<String> {
    let medians = || pairs.iter().map(|pair| pair.median);
    let (low, high) = (medians().reduce(f64::min)?, medians().reduce(f64::max)?);
    let widest = pairs.iter().map(widest_factor).fold(1.0, f64::max);
    Some(format!(
        "{subject} against itself in the same rounds: {low:.3}x .. {high:.3}x, the widest interval {widest:.3}x"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_interval_is_taken_both_ways_round() {
        let pair = |low, median, high| Estimate {
            median,
            low,
            high,
            n: 9,
        };
        let line = same_twice(&[pair(0.8, 0.99, 1.1), pair(0.9, 1.02, 1.2)], "tollgate").unwrap();
        assert_eq!(
            line,
            "tollgate against itself in the same rounds: 0.990x .. 1.020x, the widest interval 1.250x"
        );
        assert_eq!(same_twice(&[], "tollgate"), None);
    }
}
