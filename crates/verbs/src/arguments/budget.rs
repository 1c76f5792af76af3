//! How long a run may take, and how precise it must be.

use super::time::time_of;

/// Reads the time that a run may take, into nanoseconds: also in minutes and hours.
pub fn parse_budget(text: &str) -> Result<u64, String> {
    const ACCEPTED: &str = "more than 0, with a unit (s, min, h), such as 30min or 2h";
    let text = text.trim();
    let scaled = |number: &str, seconds: u64| {
        Ok::<_, String>(time_of(&format!("{number}s"), ACCEPTED)?.saturating_mul(seconds))
    };
    let ns = match (text.strip_suffix('h'), text.strip_suffix("min")) {
        (Some(hours), _) => scaled(hours, 3_600)?,
        (None, Some(minutes)) => scaled(minutes, 60)?,
        (None, None) => time_of(text, ACCEPTED)?,
    };
    match ns {
        0 => Err(format!("zero is not a budget; accepted: {ACCEPTED}")),
        ns => Ok(ns),
    }
}

/// Reads the width of an interval, as a share of its median: `5%`.
pub fn parse_precision(text: &str) -> Result<f64, String> {
    const ACCEPTED: &str = "0.1% to 50%, such as 5%";
    let trimmed = text.trim();
    let number = trimmed
        .strip_suffix('%')
        .ok_or_else(|| format!("'{trimmed}' is not a percentage; accepted: {ACCEPTED}"))?;
    let percent: f64 = (number.trim().parse())
        .map_err(|_| format!("'{trimmed}' is not a percentage; accepted: {ACCEPTED}"))?;
    match percent {
        0.1..=50.0 => Ok(percent / 100.0),
        _ => Err(format!("'{trimmed}' is out of range; accepted: {ACCEPTED}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_budget, parse_precision};

    #[test]
    fn a_precision_is_a_percentage() {
        assert_eq!(parse_precision("5%"), Ok(0.05));
        assert_eq!(parse_precision(" 2.5 % "), Ok(0.025));
        for wrong in ["5", "0.05", "%", "x%", "0%", "51%", "-5%", "NaN%", "inf%"] {
            let refused = parse_precision(wrong).unwrap_err();
            assert!(refused.contains("0.1% to 50%"), "{wrong}: {refused}");
        }
    }

    #[test]
    fn a_budget_is_a_time_of_any_length() {
        assert_eq!(parse_budget("2h"), Ok(7_200_000_000_000));
        assert_eq!(parse_budget("1.5min"), Ok(90_000_000_000));
        assert_eq!(parse_budget("20s"), Ok(20_000_000_000));
        for wrong in ["0", "0h", "h", "min", "5", "-1h", "2 days"] {
            let refused = parse_budget(wrong).unwrap_err();
            assert!(
                refused.contains("such as 30min or 2h"),
                "{wrong}: {refused}"
            );
        }
    }
}
