//! The prices of two machines, or of one machine at two times.

use std::collections::HashMap;

use locktoll_lab::probe::{Group, HandOver, Java, Prices, RefillKind};
use locktoll_lab::stats::{Estimate, Ratio, estimate, widest_factor};

use super::measure::{Entry, Figures, Measured, Metric};
use super::pair::pair;
use locktoll_results::comparison::{Row, Unit};
use locktoll_results::machine::MachineResult;

/// Figures of rows; which of them a row has depends on the kind of price. Rows are judged by the first.
pub const METRICS: [Metric; 3] = [VALUE, KERNEL_ENTRIES, SWITCHES];

/// The price.
const VALUE: Metric = Metric::less("value_ns", Unit::Ns);
/// System calls per uncontended lock and unlock.
const KERNEL_ENTRIES: Metric = Metric::less("kernel_entries_per_op", Unit::Count);
/// Context switches that the kernel counted in a round.
const SWITCHES: Metric = Metric::neither("switches_counted", Unit::Count);

/// Returns the rows of two price lists, or of two lists of them. If the machine is the same, a ratio counts as a difference only
/// beyond `drift`.
pub fn rows(
    a: &[&MachineResult],
    b: &[&MachineResult],
    lead: &str,
    drift: Option<&Drift>,
) -> Vec<Row> {
    let noise = |key: &str| drift.map_or(1.0, |drift| drift.factor(key));
    pair(entries(a), entries(b), lead, noise)
}

/// The ratios of prices of work without the kernel, which should cost the same whenever it is measured on one machine.
#[derive(Clone, Debug, Default)]
pub struct Drift(Vec<(String, f64)>);

impl Drift {
    /// Computes the ratios over all runs of two sides that were made on one machine.
    pub fn of(a: &[&MachineResult], b: &[&MachineResult]) -> Self {
        let of_side = |runs: &[&MachineResult], name: &str| -> Option<Estimate> {
            let parts = runs.iter().flat_map(|run| &run.prices.parts);
            let values: Vec<f64> = parts
                .filter(|part| part.group == Group::Memory && part.name == name)
                .filter_map(|part| Some(part.value?.median))
                .collect();
            estimate(&values)
        };
        let mut names: Vec<&str> = Vec::new();
        for part in a.iter().flat_map(|run| &run.prices.parts) {
            if part.group == Group::Memory && !names.contains(&part.name.as_str()) {
                names.push(&part.name);
            }
        }
        let ratios = names.into_iter().filter_map(|name| {
            let ratio = Ratio::of_medians(&of_side(a, name)?, &of_side(b, name)?).median?;
            (ratio > 0.0).then(|| (name.to_owned(), ratio))
        });
        Self(ratios.collect())
    }

    /// Returns the median of the ratios with its interval: a single price that really changed does not affect it.
    pub fn ratio(&self) -> Option<Estimate> {
        self.without("")
    }

    /// Returns the number of prices in it.
    pub fn prices(&self) -> usize {
        self.0.len()
    }

    /// Returns the factor beyond which the price `key` differs. A price is left out of its own factor.
    fn factor(&self, key: &str) -> f64 {
        self.without(key).map_or(1.0, |it| widest_factor(&it))
    }

    fn without(&self, key: &str) -> Option<Estimate> {
        let others = self.0.iter().filter(|(name, _)| name != key);
        let mut ratios: Vec<f64> = others.map(|(_, ratio)| *ratio).collect();
        // With up to eight ratios, the interval of the median spans all of them. Without the first and the last, no single price
        // decides. The remaining interval has less than 95 % confidence, but it is only a floor in addition to the row's own
        // interval.
        if (5..=8).contains(&ratios.len()) {
            ratios.sort_unstable_by(f64::total_cmp);
            ratios = ratios[1..ratios.len() - 1].to_vec();
        }
        estimate(&ratios)
    }
}

/// One price of one run.
struct Price {
    key: String,
    title: String,
    value: Option<Estimate>,
    kernel_entries: Option<f64>,
    switches: Option<f64>,
}

impl Price {
    fn of(key: impl Into<String>, title: impl Into<String>, value: Option<Estimate>) -> Self {
        Self {
            key: key.into(),
            title: title.into(),
            value,
            kernel_entries: None,
            switches: None,
        }
    }
}

fn entries(runs: &[&MachineResult]) -> Vec<Entry> {
    let mut gathered: Vec<(String, Vec<Price>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for run in runs {
        for price in prices(&run.prices) {
            let place = *places.entry(price.key.clone()).or_insert_with(|| {
                gathered.push((price.key.clone(), Vec::new()));
                gathered.len() - 1
            });
            gathered[place].1.push(price);
        }
    }
    gathered
        .into_iter()
        .map(|(key, prices)| Entry {
            key,
            name: prices[0].title.clone(),
            figures: figures(&prices),
        })
        .collect()
}

fn figures(prices: &[Price]) -> Figures {
    let runs = |of: fn(&Price) -> Option<f64>| Measured::of_runs(prices.iter().map(of));
    [
        (
            VALUE,
            Measured::of_rounds(prices.iter().filter_map(|it| it.value)),
        ),
        (KERNEL_ENTRIES, runs(|it| it.kernel_entries)),
        (SWITCHES, runs(|it| it.switches)),
    ]
    .into_iter()
    .filter_map(|(metric, measured)| Some((metric, measured?)))
    .collect()
}

/// Returns every price of a list. Residuals are left out: an unexplained remainder is not a price, and its ratio is meaningless.
fn prices(list: &Prices) -> Vec<Price> {
    let mut prices = Vec::new();
    for part in &list.parts {
        prices.push(Price {
            switches: part.switches_counted,
            ..Price::of(&part.name, &part.title, part.value)
        });
    }
    for lock in &list.locks {
        prices.push(Price {
            kernel_entries: lock.kernel_entries_per_op,
            ..Price::of(
                format!("lock {}", lock.name),
                format!("{}, uncontended", lock.name),
                lock.uncontended_ns,
            )
        });
    }
    let split = &list.decomposition;
    hand_over(
        "same-cpu",
        "on one CPU",
        split.same_cpu.as_ref(),
        &mut prices,
    );
    hand_over(
        "cross-cpu",
        "across CPUs",
        split.cross_cpu.as_ref(),
        &mut prices,
    );
    if let Some(transfers) = &list.transfers {
        for (from, row) in transfers.cpus.iter().zip(&transfers.one_way_ns) {
            for (to, value) in transfers.cpus.iter().zip(row) {
                if value.is_some() {
                    prices.push(Price::of(
                        format!("transfer {from} {to}"),
                        format!("cache line, CPU {from} to {to}"),
                        *value,
                    ));
                }
            }
        }
    }
    for refill in &list.refill {
        let kind = match refill.kind {
            RefillKind::Shared => "shared",
            RefillKind::Own => "own",
            RefillKind::OwnProcess => "own-process",
            RefillKind::OwnHugePages => "own-huge-pages",
        };
        let size = size(refill.bytes);
        prices.push(Price::of(
            format!("refill {kind} {size}"),
            format!("refill after a switch, {kind}, {size}"),
            refill.added_ns,
        ));
    }
    java(list.java.as_ref(), &mut prices);
    prices
}

fn hand_over(key: &str, place: &str, split: Option<&HandOver>, prices: &mut Vec<Price>) {
    let Some(split) = split else { return };
    let price = |name: &str, title: &str, value| {
        Price::of(
            format!("hand-over {key} {name}"),
            format!("hand-over {place}: {title}"),
            Some(value),
        )
    };
    prices.push(price("total", "all of it", split.total_ns));
    for part in &split.parts {
        prices.push(price(&part.name, &part.title, part.ns));
    }
    for arm in &split.arms {
        prices.push(price(&arm.name, &arm.name, arm.measured_ns));
    }
}

fn java(java: Option<&Java>, prices: &mut Vec<Price>) {
    let Some(java) = java else { return };
    for (key, title, value) in [
        ("java park", "Java park and unpark", java.park_unpark_ns),
        (
            "java synchronized",
            "Java synchronized",
            java.synchronized_ns,
        ),
        (
            "java reentrant-lock",
            "Java ReentrantLock",
            java.reentrant_lock_ns,
        ),
    ] {
        if value.is_some() {
            prices.push(Price::of(key, title, value));
        }
    }
}

/// Returns a size such as `4KiB` or `16MiB`.
fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = UNITS
        .into_iter()
        .find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit));
    match unit {
        Some((unit, name)) => format!("{}{name}", bytes / unit),
        None => format!("{bytes}B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drift(ratios: &[f64]) -> Drift {
        let named = ratios.iter().enumerate();
        Drift(named.map(|(at, &ratio)| (at.to_string(), ratio)).collect())
    }

    #[test]
    fn the_first_and_the_last_are_left_out_where_the_interval_spans_all() {
        let median = |ratios: &[f64]| {
            let it = drift(ratios).ratio().unwrap();
            (it.low, it.median, it.high)
        };
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), (1.0, 2.5, 4.0));
        assert_eq!(median(&[5.0, 4.0, 1.0, 2.0, 3.0]), (2.0, 3.0, 4.0));
    }

    #[test]
    fn only_prices_without_the_kernel_drift() {
        let mut a = locktoll_made_up::made_up::machine_result();
        let value = |median: f64| {
            Some(Estimate {
                median,
                low: median,
                high: median,
                n: 9,
            })
        };
        let part = a.prices.parts[0].clone();
        let of = |name: &str, group, median| {
            let mut part = part.clone();
            (part.name, part.group, part.value) = (name.to_owned(), group, value(median));
            part
        };
        a.prices.parts = vec![
            of("load", Group::Memory, 10.0),
            of("store", Group::Memory, 10.0),
            of("entry", Group::KernelEntry, 10.0),
        ];
        let mut b = a.clone();
        b.prices.parts[0].value = value(20.0);
        b.prices.parts[1].value = value(0.0);
        b.prices.parts[2].value = value(30.0);
        // A price that became nothing has no ratio.
        let found = Drift::of(&[&a, &a], &[&b]);
        assert_eq!(found.0, [("load".to_owned(), 2.0)]);
    }

    #[test]
    fn every_sort_of_price_has_a_row() {
        let list = locktoll_made_up::made_up::machine_result();
        let entries = entries(&[&list, &list]);
        let count = |begin: &str| {
            let keys = entries.iter().filter(|it| it.key.starts_with(begin));
            keys.count()
        };
        for begin in [
            "lock ",
            "hand-over cross-cpu ",
            "transfer ",
            "refill ",
            "java ",
        ] {
            assert!(count(begin) > 0, "{begin}");
        }
        let has = |metric: Metric| {
            let figures = entries.iter().flat_map(|it| &it.figures);
            figures.filter(|(it, _)| *it == metric).count()
        };
        assert!(has(KERNEL_ENTRIES) > 0);
        let counted = list.prices.parts.iter();
        let counted = counted.filter(|part| part.switches_counted.is_some());
        assert_eq!(has(SWITCHES), counted.count());
        // The same price of two runs is one row.
        assert_eq!(entries.len(), super::entries(&[&list]).len());
    }

    #[test]
    fn sizes_are_in_the_largest_unit_that_divides_them() {
        for (bytes, expected) in [
            (1 << 30, "1GiB"),
            (16 << 20, "16MiB"),
            (1 << 20, "1MiB"),
            (4 << 10, "4KiB"),
            (1 << 10, "1KiB"),
            (1536, "1536B"),
            (64, "64B"),
            (0, "0B"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }

    #[test]
    fn a_price_differs_beyond_what_the_others_drifted_by() {
        let all = drift(&[1.1, 1.2, 1.2, 1.2, 1.3, 9.0]);
        // The first and the last are left out, and so is the price itself.
        assert_eq!(all.factor("5"), 1.2);
        assert!(all.factor("0") > 1.2, "{}", all.factor("0"));
        assert_eq!(drift(&[]).factor("0"), 1.0);
        // Prices that fell drift as far as prices that rose.
        let fell = drift(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
        assert_eq!(fell.factor("0"), 2.0);
        assert_eq!((fell.prices(), fell.ratio().unwrap().median), (6, 0.5));
    }
}
