//! The figures of a comparison, formatted for people.

use locktoll_lab::stats::{Estimate, Ratio};

use locktoll_results::comparison::Unit;
use locktoll_terminal::quantity::{price, rate};

/// Formats a figure with its unit.
pub fn amount(unit: Unit, figure: Estimate) -> String {
    number(unit, figure.median)
}

fn number(unit: Unit, number: f64) -> String {
    match unit {
        Unit::Ns => price(number),
        Unit::PerSecond => format!("{}/s", rate(number)),
        Unit::Share => format!("{:.1} %", number * 100.0),
        Unit::Quotient => format!("{number:.2}"),
        Unit::Count => match number {
            0.0 => "0".to_owned(),
            ..0.0005 => "<.001".to_owned(),
            ..1.0 => format!("{number:.3}"),
            ..1000.0 if number.fract() == 0.0 => format!("{number}"),
            _ => rate(number),
        },
    }
}

/// Formats B over A with its interval, if it has one: `1.83x (1.61 .. 2.07)`.
pub fn ratio(ratio: &Ratio) -> String {
    let median = factor(ratio);
    match interval(ratio) {
        Some(interval) => format!("{median} ({interval})"),
        None => median,
    }
}

/// Formats B over A: `1.83x`.
pub fn factor(ratio: &Ratio) -> String {
    match ratio.median {
        Some(median) => format!("{}x", digits(median)),
        None => "-".to_owned(),
    }
}

/// Formats only the interval: `1.61 .. 2.07`. Returns `None` if there is none.
pub fn interval(ratio: &Ratio) -> Option<String> {
    ratio.confidence?;
    Some(match (ratio.low, ratio.high) {
        (Some(low), Some(high)) => format!("{} .. {}", digits(low), digits(high)),
        (Some(low), None) => format!("{} and more", digits(low)),
        (None, Some(high)) => format!("up to {}", digits(high)),
        (None, None) => return None,
    })
}

fn digits(ratio: f64) -> String {
    match ratio {
        ..0.001 if ratio > 0.0 => "<.001".to_owned(),
        ..0.1 if ratio > 0.0 => format!("{ratio:.3}"),
        ..9.995 => format!("{ratio:.2}"),
        ..99.95 => format!("{ratio:.1}"),
        _ => rate(ratio),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_carry_their_units() {
        for (unit, figure, expected) in [
            (Unit::Ns, 17.62, "17.6 ns"),
            (Unit::Ns, -1500.0, "-1.50 us"),
            (Unit::Count, 12.0, "12"),
            (Unit::Count, 0.0214, "0.021"),
            (Unit::Count, 40_000.0, "40.0 k"),
            (Unit::Share, 0.251, "25.1 %"),
            (Unit::Quotient, 0.981, "0.98"),
            (Unit::PerSecond, 2e6, "2.00 M/s"),
        ] {
            assert_eq!(number(unit, figure), expected);
        }
    }

    #[test]
    fn ratios_say_what_is_known_of_them() {
        let of = |median, low, high, confidence| Ratio {
            median,
            low,
            high,
            confidence,
            n: 9,
        };
        let all = of(Some(1.834), Some(1.61), Some(120.0), Some(0.95));
        assert_eq!(ratio(&all), "1.83x (1.61 .. 120)");
        assert_eq!(ratio(&of(Some(0.0123), None, None, None)), "0.012x");
        assert_eq!(
            ratio(&of(None, Some(3.5), None, Some(0.95))),
            "- (3.50 and more)"
        );
    }
}
