//! Times with units: `200ns`, `10us`, `1.5ms`, `2s`.

use super::list::List;

/// Accepted units, each with its length in nanoseconds.
pub const UNITS_OF_TIME: [(&str, f64); 5] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
];

/// A comma-separated list of times, in nanoseconds.
pub type Times = List<u64>;

/// Reads a time into nanoseconds. `0` needs no unit.
pub fn parse_time(text: &str) -> Result<u64, String> {
    time_of(text, "0 or more, with a unit (ns, us, ms, s), such as 20ms")
}

/// Reads a time. The refusals list `accepted` times: those that the flag accepts.
pub fn time_of(text: &str, accepted: &str) -> Result<u64, String> {
    let text = text.trim();
    if text == "0" {
        return Ok(0);
    }
    if text.starts_with('-') {
        return Err(format!("'{text}' is negative; accepted: {accepted}"));
    }
    let number_ends = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .ok_or_else(|| format!("'{text}' has no unit; accepted: {accepted}"))?;
    let (number, unit) = text.split_at(number_ends);
    let (_, in_ns) = UNITS_OF_TIME
        .iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(|| format!("'{unit}' is not a unit of time; accepted: {accepted}"))?;
    let number: f64 = number
        .parse()
        .map_err(|_| format!("'{number}' is not a number; accepted: {accepted}"))?;
    let ns = (number * in_ns).round();
    if ns < u64::MAX as f64 {
        Ok(ns as u64)
    } else {
        Err(format!("'{text}' is too long to count in nanoseconds"))
    }
}

impl std::str::FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        List::of_items(text, parse_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_unit_reads() {
        let read = |text| parse_time(text).unwrap();
        assert_eq!(read("0"), 0);
        assert_eq!(read("200ns"), 200);
        assert_eq!(read("10us"), 10_000);
        assert_eq!(read("10µs"), 10_000);
        assert_eq!(read("1.5ms"), 1_500_000);
        assert_eq!(read("2s"), 2_000_000_000);
    }

    #[test]
    fn what_is_not_a_time_is_refused_with_what_is() {
        for wrong in [
            "",
            "5",
            "ns",
            "1.2.3s",
            "-1s",
            "3 parsecs",
            "1e3ns",
            "99999999999999s",
        ] {
            let text = parse_time(wrong).unwrap_err();
            assert!(!text.is_empty() && !text.contains('\n'), "{wrong}: {text}");
        }
    }

    proptest! {
        #[test]
        fn any_words_give_a_time_or_a_reason(text in "\\PC{0,20}") {
            let _ = parse_time(&text);
            let _ = text.parse::<Times>();
        }

        #[test]
        fn whole_nanoseconds_read_back(ns in 0u64..1 << 52) {
            prop_assert_eq!(parse_time(&format!("{ns}ns")).unwrap(), ns);
        }
    }
}
