//! Whether busy waiting is looked for: `on`, `off`, or a number of samples per second.

use locktoll_sources::perf::Rate;
use locktoll_sources::spinning::DEFAULT_RATE;

/// Whether busy waiting is looked for, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spin {
    /// It is not.
    Off,
    /// It is, with this many samples per second of CPU time.
    At(Rate),
}

/// The lowest and the highest rate: below, a second has no samples; above, the samples themselves take the time.
const RATES: std::ops::RangeInclusive<u32> = 1..=10_000;

/// Parses the value of `--spin`.
///
/// # Errors
/// What is accepted.
pub fn parse_spin(text: &str) -> Result<Spin, String> {
    match text {
        "on" => Ok(Spin::At(DEFAULT_RATE)),
        "off" => Ok(Spin::Off),
        rate => match rate.parse() {
            Ok(rate) if RATES.contains(&rate) => Ok(Spin::At(Rate(rate))),
            _ => Err(format!(
                "'{text}' is not a rate; accepted: on, off, or samples per second from {} to {}",
                RATES.start(),
                RATES.end()
            )),
        },
    }
}

impl Spin {
    /// Returns the rate, if busy waiting is looked for.
    pub fn rate(self) -> Option<Rate> {
        match self {
            Self::Off => None,
            Self::At(rate) => Some(rate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_off_and_rates() {
        assert_eq!(parse_spin("on").unwrap().rate(), Some(DEFAULT_RATE));
        assert_eq!(parse_spin("off").unwrap().rate(), None);
        assert_eq!(parse_spin("997").unwrap().rate(), Some(Rate(997)));
        for wrong in ["0", "10001", "-5", "fast", ""] {
            let error = parse_spin(wrong).unwrap_err();
            assert!(error.contains("accepted: on, off"), "{error}");
        }
    }
}
