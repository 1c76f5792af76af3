//! The fastest lock, and by how much.

use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::{Estimate, widest_factor};

use super::text::setting_of;
use locktoll_results::bench::BenchResult;
use locktoll_terminal::quantity::price;

/// The sentence that a bench report begins with: of the setting with the most threads, the last of those.
pub fn answer(result: &BenchResult) -> String {
    let priced = |cell: &&CellSummary| cell.ns_per_op.is_some();
    let threads = result.cells.iter().filter(priced).map(|cell| cell.threads);
    let Some(most) = threads.max() else {
        return "No lock could be measured.".to_owned();
    };
    let last = result
        .cells
        .iter()
        .filter(priced)
        .rfind(|cell| cell.threads == most);
    let setting = last.map(setting_of).unwrap_or_default();
    let mut cells: Vec<(&str, Estimate)> = result
        .cells
        .iter()
        .filter(|cell| setting_of(cell) == setting)
        .filter_map(|cell| Some((cell.lock.as_str(), cell.ns_per_op?)))
        .collect();
    cells.sort_by(|a, b| a.1.median.total_cmp(&b.1.median));
    match cells[..] {
        [] => "No lock could be measured.".to_owned(),
        [(lock, op)] => format!(
            "{lock} costs {} per operation ({setting}).",
            price(op.median)
        ),
        [(first, op), ..] => {
            let noise = noise(result);
            let equal: Vec<&str> = cells[1..]
                .iter()
                .take_while(|(_, other)| !is_slower(other, &op, noise))
                .map(|(lock, _)| *lock)
                .collect();
            let (dearest, most) = cells[cells.len() - 1];
            match (&equal[..], cells.get(equal.len() + 1)) {
                ([], Some((second, other))) => format!(
                    "{first} was fastest: {} per operation, {} times as fast as {second}, the next ({setting}).",
                    price(op.median),
                    times(other.median / op.median),
                ),
                (_, None) => format!(
                    "No lock was detectably faster than the others: all took about {} per operation ({setting}).",
                    price(op.median)
                ),
                (equal, Some(_)) => format!(
                    "{first} was fastest, not detectably faster than {}: {} per operation, {} times as fast as {dearest}, the \
                     slowest ({setting}).",
                    and(equal),
                    price(op.median),
                    times(most.median / op.median),
                ),
            }
        }
    }
}

/// Whether the intervals are apart, and the medians by more than the same lock run twice.
fn is_slower(other: &Estimate, op: &Estimate, noise: f64) -> bool {
    other.low > op.high && other.median > op.median * noise
}

/// The factor by which the same lock differed from itself.
fn noise(result: &BenchResult) -> f64 {
    let pairs = result.noise.same_lock_twice.iter();
    pairs
        .map(|pair| widest_factor(&pair.ratio))
        .fold(1.0, f64::max)
}

fn times(factor: f64) -> String {
    match factor {
        ..9.995 => format!("{factor:.2}"),
        ..99.95 => format!("{factor:.1}"),
        _ => format!("{factor:.0}"),
    }
}

fn and(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_lab::workload::Kind;
    use locktoll_made_up::mock;

    fn of(locks: &[&str], threads: &[u32]) -> BenchResult {
        mock::run(&mock::experiment(locks, Kind::List, threads), usize::MAX)
    }

    #[test]
    fn the_winner_by_how_much_and_where() {
        let text = answer(&of(&["pthread", "std", "sysv-sem"], &[1, 8]));
        assert_eq!(
            text,
            "std was fastest: 10.2 ns per operation, 10.8 times as fast as pthread, the next (list, 8 threads)."
        );
    }

    #[test]
    fn what_cannot_be_told_apart_is_no_winner() {
        let text = answer(&of(&["std", "parking_lot", "pthread"], &[8]));
        assert!(text.contains("not detectably faster than "), "{text}");
        assert!(text.contains("as pthread, the slowest"), "{text}");
        let text = answer(&of(&["std", "parking_lot"], &[8]));
        assert!(text.starts_with("No lock was detectably faster"), "{text}");
    }

    #[test]
    fn one_lock_has_a_price_and_none_has_none() {
        let text = answer(&of(&["pthread"], &[2]));
        assert_eq!(
            text,
            "pthread costs 31.3 ns per operation (list, 2 threads)."
        );
        assert_eq!(answer(&of(&["flock"], &[2])), "No lock could be measured.");
    }
}
