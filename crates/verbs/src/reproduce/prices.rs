//! How a selection finds its figure in the price list.

use locktoll_lab::probe::{HandOver, Prices};
use locktoll_lab::stats::Estimate;

use super::evidence::Quantity;
use super::figure::Figure;
use super::selection::{Crossing, JavaPrice, Misses, Select};

/// Returns one figure of the price list.
///
/// # Errors
/// The reason why there is none: the list's own reason, or the names that the list has instead.
pub fn of_prices(prices: &Prices, select: &Select, figure: Figure) -> Result<Quantity, String> {
    if let Some(name) = &select.part {
        let whole = of_part(prices, name, figure)?;
        return match &select.less {
            None => Ok(whole),
            Some(less) => difference(&whole, &of_part(prices, less, figure)?),
        };
    }
    if let Some(crossing) = select.hand_over {
        let split = &prices.decomposition;
        let whole = match crossing {
            Crossing::SameCpu => &split.same_cpu,
            Crossing::CrossCpu => &split.cross_cpu,
        };
        let missing = || {
            split
                .refused
                .clone()
                .unwrap_or_else(|| "the hand-over was not measured".to_owned())
        };
        return of_hand_over(whole.as_ref().ok_or_else(missing)?, select.share.as_deref());
    }
    if let Some(price) = select.java {
        let java = prices.java.as_ref().ok_or("Java was not looked for")?;
        let found = match price {
            JavaPrice::ParkUnpark => java.park_unpark_ns,
            JavaPrice::Synchronized => java.synchronized_ns,
            JavaPrice::ReentrantLock => java.reentrant_lock_ns,
        };
        let refused = || {
            java.refused
                .clone()
                .unwrap_or_else(|| "no JDK was found".to_owned())
        };
        return found.map(Quantity::Interval).ok_or_else(refused);
    }
    if let Some(misses) = select.misses {
        return of_misses(prices, misses);
    }
    Err("a machine run is selected by part, hand_over, java or misses".to_owned())
}

fn of_misses(prices: &Prices, misses: Misses) -> Result<Quantity, String> {
    let counters = prices.counters.as_ref();
    let counters = || counters.ok_or("hardware counters were not checked");
    let (found, refused, otherwise) = match misses {
        Misses::Cache => {
            let counters = counters()?;
            let found = counters.cache_misses_per_switch;
            (found, &counters.refused, "no such hardware counter")
        }
        Misses::Tlb => {
            let counters = counters()?;
            let found = counters.tlb_misses_per_switch;
            (found, &counters.refused, "no such hardware counter")
        }
        Misses::Parks => {
            let missing = "cache misses of threads that park were not looked for";
            let parks = prices.park_misses.as_ref().ok_or(missing)?;
            (parks.per_switch, &parks.refused, "not measured")
        }
    };
    let refused = || refused.clone().unwrap_or_else(|| otherwise.to_owned());
    found.map(Quantity::Interval).ok_or_else(refused)
}

fn of_part(prices: &Prices, name: &str, figure: Figure) -> Result<Quantity, String> {
    let part = prices.parts.iter().find(|part| part.name == name);
    let part = part.ok_or_else(|| {
        let names: Vec<&str> = prices.parts.iter().map(|part| part.name.as_str()).collect();
        format!(
            "the price list has no part '{name}'; it has {}",
            names.join(", ")
        )
    })?;
    let found = match figure {
        Figure::SwitchesCounted => part.switches_counted.map(Quantity::Exact),
        _ => part.value.map(Quantity::Interval),
    };
    let refused = || {
        let reason = part.refused.clone();
        reason.unwrap_or_else(|| format!("{} was not measured", part.title))
    };
    found.ok_or_else(refused)
}

/// Subtracts two prices, using the bounds of the two intervals, since the list does not keep rounds: the result may be wider than
/// necessary, never narrower.
fn difference(whole: &Quantity, less: &Quantity) -> Result<Quantity, String> {
    let both = whole.estimate().zip(less.estimate());
    let (a, b) = both.ok_or("a price is not a finite number")?;
    Ok(Quantity::Interval(Estimate {
        median: a.median - b.median,
        low: a.low - b.high,
        high: a.high - b.low,
        n: a.n.min(b.n),
    }))
}

fn of_hand_over(whole: &HandOver, share: Option<&str>) -> Result<Quantity, String> {
    let Some(name) = share else {
        return Ok(Quantity::Interval(whole.total_ns));
    };
    if name == "residual" {
        return Ok(Quantity::Interval(whole.residual_ns));
    }
    let found = whole.parts.iter().find(|share| share.name == name);
    found
        .map(|share| Quantity::Interval(share.ns))
        .ok_or_else(|| {
            let names: Vec<&str> = whole
                .parts
                .iter()
                .map(|share| share.name.as_str())
                .collect();
            format!(
                "the hand-over has no share '{name}'; it has {}",
                names.join(", ")
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_lab::probe::{Counters, Java, ParkMisses};
    use locktoll_made_up::made_up;

    /// Returns an interval that differs from all others in these tests.
    fn interval(median: f64) -> Estimate {
        Estimate {
            median,
            low: median - 1.0,
            high: median + 2.0,
            n: median as usize,
        }
    }

    fn found(prices: &Prices, select: &Select) -> Result<Quantity, String> {
        of_prices(prices, select, Figure::NsPerOp)
    }

    #[test]
    fn each_selection_finds_its_own_price() {
        let mut prices = made_up::machine_result().prices;
        let split = &mut prices.decomposition;
        split.same_cpu.as_mut().unwrap().total_ns = interval(10.0);
        split.same_cpu.as_mut().unwrap().residual_ns = interval(11.0);
        split.cross_cpu.as_mut().unwrap().total_ns = interval(20.0);
        split.cross_cpu.as_mut().unwrap().residual_ns = interval(21.0);
        split.cross_cpu.as_mut().unwrap().parts[0].ns = interval(22.0);
        let share = split.cross_cpu.as_ref().unwrap().parts[0].name.clone();
        prices.java = Some(Java {
            park_unpark_ns: Some(interval(30.0)),
            synchronized_ns: Some(interval(31.0)),
            reentrant_lock_ns: Some(interval(32.0)),
            ..prices.java.take().unwrap()
        });
        prices.counters = Some(Counters {
            cache_misses_per_switch: Some(interval(40.0)),
            tlb_misses_per_switch: Some(interval(41.0)),
            ..prices.counters.take().unwrap()
        });
        prices.park_misses = Some(ParkMisses {
            per_switch: Some(interval(42.0)),
            ..ParkMisses::default()
        });
        let hand_over = |crossing, share: Option<&str>| Select {
            hand_over: Some(crossing),
            share: share.map(str::to_owned),
            ..Select::default()
        };
        let java = |price| Select {
            java: Some(price),
            ..Select::default()
        };
        let misses = |misses| Select {
            misses: Some(misses),
            ..Select::default()
        };
        for (select, expected) in [
            (hand_over(Crossing::SameCpu, None), 10.0),
            (hand_over(Crossing::SameCpu, Some("residual")), 11.0),
            (hand_over(Crossing::CrossCpu, None), 20.0),
            (hand_over(Crossing::CrossCpu, Some("residual")), 21.0),
            (hand_over(Crossing::CrossCpu, Some(&share)), 22.0),
            (java(JavaPrice::ParkUnpark), 30.0),
            (java(JavaPrice::Synchronized), 31.0),
            (java(JavaPrice::ReentrantLock), 32.0),
            (misses(Misses::Cache), 40.0),
            (misses(Misses::Tlb), 41.0),
            (misses(Misses::Parks), 42.0),
        ] {
            let expected = Ok(Quantity::Interval(interval(expected)));
            assert_eq!(found(&prices, &select), expected, "{select:?}");
        }
        assert!(found(&prices, &Select::default()).is_err());
        let unknown = found(&prices, &hand_over(Crossing::SameCpu, Some("unknown")));
        assert!(unknown.unwrap_err().contains("no share 'unknown'"));
    }

    #[test]
    fn a_difference_of_parts_reaches_from_corner_to_corner() {
        let mut prices = made_up::machine_result().prices;
        let [whole, less, ..] = &mut prices.parts[..] else {
            panic!("there are two parts");
        };
        (whole.value, less.value) = (Some(interval(50.0)), Some(interval(8.0)));
        let mut select = Select {
            part: Some(whole.name.clone()),
            less: Some(less.name.clone()),
            ..Select::default()
        };
        let expected = Estimate {
            median: 42.0,
            low: 49.0 - 10.0,
            high: 52.0 - 7.0,
            n: 8,
        };
        let difference = found(&prices, &select);
        assert_eq!(difference, Ok(Quantity::Interval(expected)));
        select.less = None;
        let whole = found(&prices, &select);
        assert_eq!(whole, Ok(Quantity::Interval(interval(50.0))));
    }
}
