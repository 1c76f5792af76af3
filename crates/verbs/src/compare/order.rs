//! The order of the rows: the largest changes first.

use locktoll_results::comparison::{Row, RowVerdict, Unit};

/// How to measure the distance between two figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// By their ratio: a lock that costs 20 ns and one that costs 2 us have the same weight.
    Factor,
    /// By their difference: a lock that cost a microsecond of the whole run does not matter.
    Amount,
}

/// Orders rows: detectable differences, then rows that only one side has, then the others, each by decreasing distance.
pub fn order(rows: &mut [Row], apart: Apart) {
    rows.sort_by(|x, y| {
        rank(x)
            .cmp(&rank(y))
            .then(distance(y, apart).total_cmp(&distance(x, apart)))
            .then(size(y).total_cmp(&size(x)))
            .then_with(|| x.key.cmp(&y.key))
    });
}

/// Returns the size of a row's figures: among rows with equal distance, the more expensive one comes first.
fn size(row: &Row) -> f64 {
    let of = |it: Option<locktoll_lab::stats::Estimate>| it.map_or(0.0, |it| it.median);
    of(row.a).max(of(row.b))
}

fn rank(row: &Row) -> u8 {
    match row.verdict {
        RowVerdict::Slower | RowVerdict::Faster | RowVerdict::Changed | RowVerdict::NotJudged => 0,
        RowVerdict::OnlyA | RowVerdict::OnlyB => 1,
        RowVerdict::NoDifference => 2,
    }
}

fn distance(row: &Row, apart: Apart) -> f64 {
    let of = |it: Option<locktoll_lab::stats::Estimate>| it.map_or(0.0, |it| it.median);
    let (a, b) = (of(row.a), of(row.b));
    let metric = row.metrics.iter().find(|it| it.name == row.metric);
    let amounts = apart == Apart::Amount
        && metric.is_some_and(|it| !matches!(it.unit, Unit::Share | Unit::Quotient));
    if amounts || a <= 0.0 || b <= 0.0 {
        (b - a).abs()
    } else {
        (b / a).ln().abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::measure::{Entry, Measured, Metric, row};

    fn of(key: &str, unit: Unit, a: f64, b: f64, verdict: RowVerdict) -> Row {
        let side = |figure| Entry {
            key: key.to_owned(),
            name: key.to_owned(),
            figures: vec![(Metric::less("x", unit), Measured::once(figure))],
        };
        let row = row(Some(side(a)), Some(side(b)), "x", 1.0).unwrap();
        Row { verdict, ..row }
    }

    fn ordered(mut rows: Vec<Row>, apart: Apart) -> Vec<String> {
        order(&mut rows, apart);
        rows.into_iter().map(|row| row.key).collect()
    }

    #[test]
    fn rows_are_apart_by_factor_or_by_amount() {
        let apart =
            |unit, a, b, apart| distance(&of("x", unit, a, b, RowVerdict::NoDifference), apart);
        let half = 2.0_f64.ln();
        assert_eq!(apart(Unit::Ns, 10.0, 5.0, Apart::Factor), half);
        assert_eq!(apart(Unit::Ns, 5.0, 10.0, Apart::Factor), half);
        assert_eq!(apart(Unit::Ns, 10.0, 5.0, Apart::Amount), 5.0);
        // Shares have no amount.
        assert_eq!(apart(Unit::Share, 0.4, 0.2, Apart::Amount), half);
        assert_eq!(apart(Unit::Quotient, 4.0, 2.0, Apart::Amount), half);
        // Nothing has no factor.
        assert_eq!(apart(Unit::Ns, 0.0, 7.0, Apart::Factor), 7.0);
        assert_eq!(apart(Unit::Ns, 7.0, 0.0, Apart::Factor), 7.0);
    }

    #[test]
    fn differences_come_first_then_the_larger_change_then_the_larger_figure() {
        let same = RowVerdict::NoDifference;
        let rows = vec![
            of("b", Unit::Ns, 10.0, 20.0, same),
            of("a", Unit::Ns, 10.0, 20.0, same),
            of("dear", Unit::Ns, 100.0, 200.0, same),
            of("far", Unit::Ns, 10.0, 90.0, same),
            of("gone", Unit::Ns, 10.0, 10.0, RowVerdict::OnlyA),
            of("slower", Unit::Ns, 10.0, 10.5, RowVerdict::Slower),
        ];
        assert_eq!(
            ordered(rows.clone(), Apart::Factor),
            ["slower", "gone", "far", "dear", "a", "b"]
        );
        assert_eq!(
            ordered(rows, Apart::Amount),
            ["slower", "gone", "dear", "far", "a", "b"]
        );
    }
}
