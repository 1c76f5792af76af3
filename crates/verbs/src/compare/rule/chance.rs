//! Decides which differences remain if a rule covers many rows at once: among fifty unchanged rows, some would be reported as
//! different by chance.

use locktoll_results::comparison::Row;

/// The highest acceptable probability that a rule about unchanged rows is broken.
const WANTED: f64 = 0.05;
/// The quantile of the normal distribution that corresponds to a 95 % interval.
const OF_INTERVAL: f64 = 1.96;
/// The number of exchanges of runs that are examined if there are more.
const MANY: usize = 2000;

/// Returns, for each row, whether its difference remains.
///
/// For rows with one figure per run, the runs of both sides are exchanged in all ways, in all rows alike. A row remains if its
/// interval lies further from 1 than the furthest interval of all rows does in all but one in twenty exchanges (P. H. Westfall
/// and S. S. Young, *Resampling-Based Multiple Testing*, 1993: max T). With this method, unlike that of S. Holm, a row that
/// stands out does not need more runs because it has neighbours. Rows with rounds have no runs to exchange: they are judged by
/// Holm's method (1979), with the normal distribution beyond the interval.
pub fn remaining(rows: &[&Row]) -> Vec<bool> {
    let mut remain = vec![false; rows.len()];
    of_runs(rows, &mut remain);
    of_rounds(rows, &mut remain);
    remain
}

/// Returns how far all ratios b/a lie from 1, on a logarithmic scale; 0 if some lie on either side of 1.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let ends = |runs: &[f64]| {
        let low = runs.iter().copied().fold(f64::INFINITY, f64::min);
        (low, runs.iter().copied().fold(0.0, f64::max))
    };
    let ((low_a, high_a), (low_b, high_b)) = (ends(a), ends(b));
    let between = |over: f64, under: f64| {
        if over > under {
            (over / under).ln()
        } else {
            0.0
        }
    };
    between(low_b, high_a).max(between(low_a, high_b))
}

fn of_runs(rows: &[&Row], remain: &mut [bool]) {
    type Sides = (usize, usize);
    let sides = |row: &Row| -> Option<Sides> {
        let [a, b] = row.runs.as_ref()?;
        Some((a.len(), b.len()))
    };
    let mut shapes: Vec<Sides> = rows.iter().filter_map(|row| sides(row)).collect();
    shapes.sort_unstable();
    shapes.dedup();
    // Rows in which some runs lack a figure are exchanged among themselves.
    let share = WANTED / shapes.len().max(1) as f64;
    for shape in shapes {
        let here: Vec<usize> = (0..rows.len())
            .filter(|&at| sides(rows[at]) == Some(shape))
            .collect();
        let pooled: Vec<Vec<f64>> = here
            .iter()
            .filter_map(|&at| rows[at].runs.as_ref())
            .map(|[a, b]| [&a[..], &b[..]].concat())
            .collect();
        let furthest: Vec<f64> = exchanges(shape.0, shape.1)
            .iter()
            .map(|in_a| {
                let of_row = |runs: &Vec<f64>| {
                    let side = |wanted: bool| -> Vec<f64> {
                        let of = runs.iter().zip(in_a).filter(|(_, is_a)| **is_a == wanted);
                        of.map(|(run, _)| *run).collect()
                    };
                    apart(&side(true), &side(false))
                };
                pooled.iter().map(of_row).fold(0.0, f64::max)
            })
            .collect();
        for (&at, runs) in here.iter().zip(&pooled) {
            let (a, b) = runs.split_at(shape.0);
            let mine = apart(a, b);
            let as_far = furthest.iter().filter(|it| **it >= mine).count();
            remain[at] = mine > 0.0 && as_far as f64 <= share * furthest.len() as f64;
        }
    }
}

/// Returns ways to assign the runs to the two sides, including the observed one, as whether each run is in A. All ways if there
/// are few, otherwise [`MANY`] of them, always the same.
fn exchanges(a: usize, b: usize) -> Vec<Vec<bool>> {
    let all = a + b;
    let found: Vec<bool> = (0..all).map(|run| run < a).collect();
    if all <= 12 {
        let every = (0_u32..1 << all).filter(|sides| sides.count_ones() as usize == a);
        return every
            .map(|sides| (0..all).map(|run| sides >> run & 1 == 1).collect())
            .collect();
    }
    let mut ways = vec![found.clone()];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    while ways.len() < MANY {
        let mut way = found.clone();
        for last in (1..all).rev() {
            // Xorshift, Marsaglia 2003.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            way.swap(last, (state % (last as u64 + 1)) as usize);
        }
        ways.push(way);
    }
    ways
}

fn of_rounds(rows: &[&Row], remain: &mut [bool]) {
    let mut surest: Vec<(f64, usize)> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.runs.is_none())
        .filter_map(|(at, row)| Some((deviates(row)?, at)))
        .collect();
    surest.sort_by(|x, y| y.0.total_cmp(&x.0));
    let rows = surest.len();
    for (before, (deviates, at)) in surest.into_iter().enumerate() {
        if deviates < quantile(WANTED / 2.0 / (rows - before) as f64) {
            break;
        }
        remain[at] = true;
    }
}

/// Returns the number of standard deviations by which a ratio exceeds the difference between equal things.
fn deviates(row: &Row) -> Option<f64> {
    let ratio = row.ratio.as_ref()?;
    let (Some(median), Some(low), Some(high)) = (ratio.median, ratio.low, ratio.high) else {
        return None;
    };
    let room = |far: f64, near: f64| match (far / near).ln() {
        room if room > 0.0 => room / OF_INTERVAL,
        _ => f64::MIN_POSITIVE,
    };
    let deviates = if median >= 1.0 {
        (median / row.noise).ln() / room(median, low)
    } else {
        (1.0 / row.noise / median).ln() / room(high, median)
    };
    deviates.is_finite().then_some(deviates)
}

/// Returns the quantile above which the normal distribution has the share `tail`: M. Abramowitz and I. Stegun, *Handbook of
/// Mathematical Functions*, 26.2.23, accurate to 0.00045.
fn quantile(tail: f64) -> f64 {
    let t = (-2.0 * tail.ln()).sqrt();
    let over = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let under = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - over / under
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::measure::{Entry, Measured, Metric, row};
    use locktoll_results::comparison::Unit;

    const WAIT: Metric = Metric::less("wait_ns", Unit::Ns);

    fn of(a: Measured, b: Measured) -> Row {
        let entry = |measured| Entry {
            key: "x".to_owned(),
            name: "x".to_owned(),
            figures: vec![(WAIT, measured)],
        };
        row(Some(entry(a)), Some(entry(b)), WAIT.name, 1.0).unwrap()
    }

    /// Returns in how many of 300 rules about unchanged rows a difference remains.
    fn broken_by_chance(rows: usize, runs: usize) -> usize {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut figure = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            100.0 + (state >> 40) as f64 / 1e5
        };
        (0..300)
            .filter(|_| {
                let rows: Vec<Row> = (0..rows)
                    .map(|_| {
                        let mut side = || Measured::Runs((0..runs).map(|_| figure()).collect());
                        of(side(), side())
                    })
                    .collect();
                remaining(&rows.iter().collect::<Vec<_>>()).contains(&true)
            })
            .count()
    }

    #[test]
    fn rows_that_did_not_change_rarely_break_a_rule_however_many() {
        // One in twenty of 300 is 15; adding three standard deviations gives 27.
        for (rows, runs) in [(1, 4), (50, 4), (50, 5)] {
            let broken = broken_by_chance(rows, runs);
            assert!(broken <= 27, "{rows} rows, {runs} runs: {broken}");
        }
    }

    #[test]
    fn a_row_that_stands_out_remains_among_many() {
        let side = |scale: f64| Measured::Runs([1.0, 1.1, 1.2, 1.3].map(|it| it * scale).to_vec());
        let mut rows: Vec<Row> = (0..50).map(|_| of(side(10.0), side(10.1))).collect();
        rows.push(of(side(10.0), side(20.0)));
        let remain = remaining(&rows.iter().collect::<Vec<_>>());
        assert_eq!(remain.iter().filter(|it| **it).count(), 1);
        assert!(remain[50]);
    }

    #[test]
    fn rows_with_other_numbers_of_runs_are_judged_among_themselves() {
        let side =
            |runs: &[f64], scale: f64| Measured::Runs(runs.iter().map(|it| it * scale).collect());
        let (five, six) = ([1.0, 1.1, 1.2, 1.3, 1.4], [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]);
        let rows = [
            of(side(&five, 10.0), side(&five, 10.0)),
            of(side(&six, 10.0), side(&six, 30.0)),
            of(side(&five, 10.0), side(&five, 40.0)),
            of(side(&six, 10.0), side(&five, 10.0)),
        ];
        let remain = remaining(&rows.iter().collect::<Vec<_>>());
        assert_eq!(remain, [false, true, true, false]);
    }

    #[test]
    fn runs_are_exchanged_in_every_way_or_in_many() {
        for (a, b, ways) in [
            (2, 3, 10),
            (4, 4, 70),
            (1, 11, 12),
            (7, 6, MANY),
            (9, 2, 55),
        ] {
            let all = exchanges(a, b);
            assert_eq!(all.len(), ways, "{a} {b}");
            let in_a = |way: &Vec<bool>| way.iter().filter(|it| **it).count();
            assert!(all.iter().all(|way| way.len() == a + b && in_a(way) == a));
            // What was found is one of them.
            let found = |way: &Vec<bool>| way[..a].iter().all(|it| *it);
            assert!(all.iter().any(found), "{a} {b}");
            // Each run is as often in A as any other, or nearly.
            for run in 0..a + b {
                let share = all.iter().filter(|way| way[run]).count() as f64 / ways as f64;
                let expected = a as f64 / (a + b) as f64;
                assert!((share - expected).abs() < 0.05, "{a} {b}, {run}: {share}");
            }
        }
    }

    #[test]
    fn an_interval_that_just_clears_one_remains_alone_and_not_among_many() {
        let estimate = |median: f64, width: f64| {
            let (low, high) = (median / width, median * width);
            Measured::of_rounds([locktoll_lab::stats::Estimate {
                median,
                low,
                high,
                n: 9,
            }])
            .unwrap()
        };
        let near = of(estimate(10.0, 1.05), estimate(10.9, 1.05));
        let same = of(estimate(10.0, 1.05), estimate(10.0, 1.05));
        assert_eq!(remaining(&[&near]), [true]);
        let mut many = vec![&near];
        many.extend([&same; 50]);
        assert!(!remaining(&many).contains(&true));
    }

    #[test]
    fn sides_are_as_far_apart_as_their_nearest_ends() {
        assert_eq!(apart(&[1.0, 2.0], &[4.0, 9.0]), 2.0_f64.ln());
        assert_eq!(apart(&[4.0, 9.0], &[1.0, 2.0]), 2.0_f64.ln());
        assert_eq!(apart(&[1.0, 4.0], &[3.0, 9.0]), 0.0);
        assert_eq!(apart(&[1.0, 2.0], &[2.0, 9.0]), 0.0);
    }

    #[test]
    fn deviates_are_counted_from_the_noise_in_both_directions() {
        let row = |median: f64, width: f64, noise: f64| {
            let mut row = of(Measured::Runs(vec![1.0]), Measured::Runs(vec![1.0]));
            row.noise = noise;
            row.ratio = Some(locktoll_lab::stats::Ratio {
                median: Some(median),
                low: Some(median / width),
                high: Some(median * width),
                confidence: Some(0.95),
                n: 9,
            });
            row
        };
        // The interval is 1.96 standard deviations to each side, so that a ratio of its width is as many from 1.
        for (median, width, noise, expected) in [
            (1.5, 1.5, 1.0, 1.96),
            (2.25, 1.5, 1.0, 3.92),
            (2.25, 1.5, 1.5, 1.96),
            (1.0 / 2.25, 1.5, 1.0, 3.92),
            (1.0 / 2.25, 1.5, 1.5, 1.96),
        ] {
            let found = deviates(&row(median, width, noise)).unwrap();
            assert!((found - expected).abs() < 1e-9, "{median} {noise}: {found}");
        }
        // Without an interval of some width, any difference is beyond it.
        assert!(deviates(&row(2.0, 1.0, 1.0)).unwrap() > 1e300);
        let mut without = row(1.5, 1.5, 1.0);
        without.ratio = None;
        assert_eq!(deviates(&without), None);
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (tail, expected) in [
            (0.1, 1.2816),
            (0.025, 1.960),
            (0.005, 2.576),
            (0.0005, 3.291),
        ] {
            assert!((quantile(tail) - expected).abs() < 0.001, "{tail}");
        }
    }
}
