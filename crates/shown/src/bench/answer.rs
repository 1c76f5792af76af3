//! The fastest lock, and by how much.

use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::{Estimate, confidence, widest_factor};

use super::text::{setting_of, threads_of, turned};
use crate::table::interval;
use locktoll_results::bench::BenchResult;
use locktoll_terminal::quantity::{count, price};

/// Returns the last priced cell among those with the most threads. The answer is about the cells of its setting.
pub fn answered(result: &BenchResult) -> Option<&CellSummary> {
    let priced = |cell: &&CellSummary| cell.ns_per_op.is_some();
    let threads = result.cells.iter().filter(priced).map(|cell| cell.threads);
    let most = threads.max()?;
    result
        .cells
        .iter()
        .filter(priced)
        .rfind(|cell| cell.threads == most)
}

/// Returns the sentence that a bench report begins with.
pub fn answer(result: &BenchResult) -> String {
    let Some(one) = answered(result) else {
        return "No lock could be measured.".to_owned();
    };
    let setting = setting_of(one);
    let mut cells: Vec<(&str, Estimate)> = result
        .cells
        .iter()
        .filter(|cell| setting_of(cell) == setting)
        .filter_map(|cell| Some((cell.lock.as_str(), cell.ns_per_op?)))
        .collect();
    cells.sort_by(|a, b| a.1.median.total_cmp(&b.1.median));
    let found = match cells[..] {
        [] => return "No lock could be measured.".to_owned(),
        [(lock, op)] => {
            let did = if one.threads == 1 { "took" } else { "did" };
            format!("{lock} {did} {}.", cost(&op, one.threads))
        }
        [(first, op), ..] => {
            let noise = noise(result);
            let equal: Vec<&str> = cells[1..]
                .iter()
                .take_while(|(_, other)| !is_slower(other, &op, noise))
                .map(|(lock, _)| *lock)
                .collect();
            let (slowest, most) = cells[cells.len() - 1];
            match (&equal[..], cells.get(equal.len() + 1)) {
                ([], Some((second, other))) => format!(
                    "{first} was fastest: {}. {second} came next and took {} times as long.",
                    cost(&op, one.threads),
                    times(other.median / op.median),
                ),
                (_, None) => format!(
                    "no lock was detectably faster than the others: they cost {} .. {} per operation.",
                    price(op.median),
                    price(most.median)
                ),
                (equal, Some(_)) => format!(
                    "{first} was fastest, but not detectably faster than {}: {}. {slowest} was slowest and took {} times as long.",
                    and(equal),
                    cost(&op, one.threads),
                    times(most.median / op.median),
                ),
            }
        }
    };
    format!("{} {found}", led(one))
}

/// `With 8 threads (workload list, hold 1.50 us),`
fn led(cell: &CellSummary) -> String {
    let threads = threads_of(cell);
    let mut rest = vec![format!("workload {}", cell.workload.name())];
    rest.extend(turned(cell));
    format!("With {threads} ({}),", rest.join(", "))
}

/// A median with its interval: `one operation every 10.2 ns, all threads together (95 % interval 10.0 .. 10.2 ns)`.
fn cost(op: &Estimate, threads: u32) -> String {
    let median = match threads {
        1 => format!("{} per operation", price(op.median)),
        _ => format!(
            "one operation every {}, all threads together",
            price(op.median)
        ),
    };
    match op.n {
        0 | 1 => format!("{median}, in one round"),
        rounds if confidence(rounds) < 0.95 => {
            format!("{median} ({} in {rounds} rounds)", interval(*op))
        }
        _ => format!("{median} (95 % interval {})", interval(*op)),
    }
}

/// Whether the intervals do not overlap, and the medians differ by more than the same lock run twice.
fn is_slower(other: &Estimate, op: &Estimate, noise: f64) -> bool {
    other.low > op.high && other.median > op.median * noise
}

/// Returns the factor by which the same lock differed from itself.
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
        ..999.5 => format!("{factor:.0}"),
        // Three digits, as in all figures: more would only pretend precision.
        _ => {
            let step = 10_f64.powf(factor.log10().floor() - 2.0);
            count(((factor / step).round() * step).round() as u64)
        }
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
    fn a_factor_has_three_digits() {
        let factors = [1.204, 9.995, 41.26, 712.4, 999.6, 1_203_560.0];
        let texts = ["1.20", "10.0", "41.3", "712", "1,000", "1,200,000"];
        assert_eq!(factors.map(times), texts);
    }

    #[test]
    fn the_winner_by_how_much_and_where() {
        let text = answer(&of(&["pthread", "std", "sysv-sem"], &[1, 8]));
        assert_eq!(
            text,
            "With 8 threads (workload list), std was fastest: one operation every 10.2 ns, all threads together (95 % interval 10.0 .. 10.2 ns). pthread came next and took \
             10.8 times as long."
        );
    }

    #[test]
    fn locks_that_do_not_differ_have_no_winner() {
        let text = answer(&of(&["std", "parking_lot", "pthread"], &[8]));
        assert!(text.contains("but not detectably faster than "), "{text}");
        assert!(text.contains(". pthread was slowest and took "), "{text}");
        let text = answer(&of(&["std", "parking_lot"], &[8]));
        assert!(
            text.starts_with("With 8 threads (workload list), no lock was detectably faster"),
            "{text}"
        );
    }

    #[test]
    fn one_lock_has_a_price_and_none_has_none() {
        let text = answer(&of(&["pthread"], &[2]));
        assert_eq!(
            text,
            "With 2 threads (workload list), pthread did one operation every 31.3 ns, all threads together (95 % interval 31.0 .. 31.5 ns)."
        );
        assert_eq!(answer(&of(&["flock"], &[2])), "No lock could be measured.");
    }
}
