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
