//! Counts by powers of two, next to each other: the waits in a guest while its host is idle, and while it is busy.

use locktoll_results::reproduction::Series;

/// One histogram.
#[derive(Debug, PartialEq)]
pub struct Histogram<'a> {
    /// Its name: `host idle`.
    pub name: &'a str,
    /// Entry `i` counts from 2^i up to 2^(i+1).
    pub log2: Vec<u64>,
}

/// Histograms with the same unit.
#[derive(Debug, PartialEq)]
pub struct Group<'a> {
    /// The counted things: `waits in 9 rounds of 500 ms`.
    pub unit: &'a str,
    /// What is along the axis: `cycles, from`.
    pub along: &'a str,
    /// The histograms, two or more.
    pub histograms: Vec<Histogram<'a>>,
}

/// Returns the series that are counts by powers of two, if there are two or more with one unit.
pub fn side_by_side(series: &[Series]) -> Option<Group<'_>> {
    let first = series.iter().find(|one| counts(one).is_some())?;
    let alike = series
        .iter()
        .filter(|one| one.unit == first.unit && one.x_name == first.x_name);
    let histograms: Vec<Histogram<'_>> = alike
        .filter_map(|one| {
            Some(Histogram {
                name: &one.name,
                log2: counts(one)?,
            })
        })
        .collect();
    (histograms.len() > 1).then_some(Group {
        unit: &first.unit,
        along: &first.x_name,
        histograms,
    })
}

/// A histogram has no more entries than this; a series that was read from a file may say anything.
const MOST: usize = 64;

/// Returns the counts of a series by powers of two; `None` if it is something else.
fn counts(series: &Series) -> Option<Vec<u64>> {
    let mut log2 = Vec::new();
    for point in &series.points {
        let power: usize = point.x.strip_prefix("2^")?.parse().ok()?;
        let count = point.y.filter(|y| y.n == 1 && y.median >= 0.0)?.median;
        if power >= MOST || count.fract() != 0.0 {
            return None;
        }
        if log2.len() <= power {
            log2.resize(power + 1, 0);
        }
        log2[power] = count as u64;
    }
    (!log2.is_empty()).then_some(log2)
}

#[cfg(test)]
mod tests {
    use locktoll_lab::stats::Estimate;
    use locktoll_results::reproduction::Point;

    use super::*;

    fn series(name: &str, points: &[(&str, f64, usize)]) -> Series {
        let points = points.iter().map(|(x, y, n)| Point {
            x: (*x).to_owned(),
            y: Some(Estimate {
                median: *y,
                low: *y,
                high: *y,
                n: *n,
            }),
        });
        Series {
            name: name.to_owned(),
            x_name: "cycles, from".to_owned(),
            unit: "waits".to_owned(),
            points: points.collect(),
        }
    }

    #[test]
    fn counts_by_powers_of_two_are_a_group() {
        let idle = series("idle", &[("2^2", 5.0, 1), ("2^3", 0.0, 1)]);
        let busy = series("busy", &[("2^2", 1.0, 1), ("2^3", 4.0, 1)]);
        let other = Series {
            unit: "ns/op".to_owned(),
            ..idle.clone()
        };
        let all = [idle.clone(), other, busy];
        let group = side_by_side(&all).unwrap();
        let read: Vec<_> = (group.histograms.iter())
            .map(|it| (it.name, it.log2.as_slice()))
            .collect();
        assert_eq!(
            read,
            [("idle", &[0, 0, 5, 0][..]), ("busy", &[0, 0, 1, 4][..])]
        );
        assert_eq!(side_by_side(&[idle]), None);
    }

    #[test]
    fn anything_else_is_none() {
        for point in [
            ("16", 5.0, 1),
            ("2^x", 5.0, 1),
            ("2^64", 5.0, 1),
            ("2^5", 0.5, 1),
            ("2^5", -1.0, 1),
            ("2^5", f64::NAN, 1),
            ("2^5", 5.0, 9),
        ] {
            assert_eq!(counts(&series("other", &[point])), None, "{point:?}");
        }
        assert_eq!(counts(&series("none", &[])), None);
    }
}
