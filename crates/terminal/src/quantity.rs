//! Durations, counts and shares in a readable form.

/// Formats a duration with three significant digits and its unit: `812 ns`, `17.6 us`, `1.02 ms`, `3.00 s`.
pub fn duration(ns: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")];
    if ns < 1.0 {
        return "0".to_owned();
    }
    // A value that rounds up to 1000 of its unit belongs to the next one.
    let (size, unit) = UNITS
        .into_iter()
        .find(|(size, _)| ns >= size * 0.9995)
        .unwrap_or((1.0, "ns"));
    let value = ns / size;
    let decimals = match value {
        _ if size == 1.0 => 0,
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// Formats a price with three significant digits, including fractions of a nanosecond: `8.41 ns`, `170 us`. A price that a
/// subtraction made negative is shown as it is.
pub fn price(ns: f64) -> String {
    match ns {
        ..-0.005 => format!("-{}", price(-ns)),
        ..=0.0 => "0".to_owned(),
        ..0.995 => format!("{ns:.2} ns"),
        ..9.995 => format!("{ns:.2} ns"),
        ..99.95 => format!("{ns:.1} ns"),
        _ => duration(ns),
    }
}

/// Formats a difference of prices, with its sign: `+8.41 ns`, `-170 us`, `0`.
pub fn signed(ns: f64) -> String {
    match price(ns) {
        amount if amount == "0" || ns < 0.0 => amount,
        amount => format!("+{amount}"),
    }
}

/// Formats a rate or a large number with three significant digits: `19.2 M`, `870 k`, `12`.
pub fn rate(number: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (size, unit) = UNITS
        .into_iter()
        .find(|(size, _)| number >= size * 0.9995)
        .unwrap_or((1.0, ""));
    let value = number / size;
    let decimals = match value {
        0.0 => 0,
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}{unit}")
}

/// Formats a count with separated thousands: `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats `part` of `whole` as a percentage, or a dash if `whole` is zero.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let percent = part as f64 / whole as f64 * 100.0;
    match percent {
        0.0 => "0 %".to_owned(),
        ..0.05 => "<0.1 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

/// Formats a number with its noun: `1 thread`, `2 threads`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_keep_three_digits_and_never_show_a_thousand_of_a_unit() {
        for (ns, expected) in [
            (0.0, "0"),
            (812.0, "812 ns"),
            (999.6, "1.00 us"),
            (17_610.0, "17.6 us"),
            (999_600.0, "1.00 ms"),
            (1_020_000.0, "1.02 ms"),
            (125_000_000.0, "125 ms"),
            (3e9, "3.00 s"),
            (7_200e9, "7200 s"),
        ] {
            assert_eq!(duration(ns), expected);
        }
    }

    #[test]
    fn prices_and_rates_keep_three_digits() {
        assert_eq!(price(0.0), "0");
        assert_eq!(price(-0.004), "0");
        assert_eq!(price(-35_000.0), "-35.0 us");
        assert_eq!(price(0.123), "0.12 ns");
        assert_eq!(price(8.412), "8.41 ns");
        assert_eq!(price(14.62), "14.6 ns");
        assert_eq!(price(170_000.0), "170 us");
        assert_eq!(signed(-8.412), "-8.41 ns");
        assert_eq!(signed(170_000.0), "+170 us");
        assert_eq!(signed(0.0), "0");
        assert_eq!(rate(0.0), "0");
        assert_eq!(rate(12.34), "12.3");
        assert_eq!(rate(999_700.0), "1.00 M");
        assert_eq!(rate(19_230_000.0), "19.2 M");
    }

    #[test]
    fn counts_and_shares() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(share(1, 0), "-");
        assert_eq!(share(0, 5), "0 %");
        assert_eq!(share(1, 1_000_000), "<0.1 %");
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(counted(1, "thread", "threads"), "1 thread");
    }
}
