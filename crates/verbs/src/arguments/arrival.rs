//! `--arrival`: closed, or a number of operations per second.

use locktoll_lab::cell::Arrival;

/// Reads `closed`, `50000` or `50000/s`.
pub fn parse_arrival(text: &str) -> Result<Arrival, String> {
    if text == "closed" {
        return Ok(Arrival::Closed);
    }
    let number = text.strip_suffix("/s").unwrap_or(text);
    match number.parse::<f64>() {
        Ok(per_second) if per_second.is_finite() && per_second > 0.0 => {
            Ok(Arrival::Open { per_second })
        }
        _ => Err(format!(
            "'{text}' is not an arrival rate; accepted: closed, or operations per second of all threads together, \
             such as 50000/s"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_and_rates_read_and_nothing_else() {
        assert_eq!(parse_arrival("closed"), Ok(Arrival::Closed));
        let open = Arrival::Open { per_second: 5e4 };
        assert_eq!(parse_arrival("50000"), Ok(open));
        assert_eq!(parse_arrival("50000/s"), Ok(open));
        for wrong in ["", "0", "-1", "nan", "inf", "open", "5/m"] {
            assert!(parse_arrival(wrong).is_err(), "{wrong}");
        }
    }
}
