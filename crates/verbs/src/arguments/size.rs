//! Sizes of memory: `64M`, `64MiB`, or a number of bytes.

/// Accepted units, each with its length in bytes.
const UNITS: [(&str, u64); 6] = [
    ("K", 1 << 10),
    ("KiB", 1 << 10),
    ("M", 1 << 20),
    ("MiB", 1 << 20),
    ("G", 1 << 30),
    ("GiB", 1 << 30),
];

/// Reads a size from `least` to `most`, in bytes.
///
/// # Errors
/// What is accepted.
pub fn parse_size(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let accepted = format!(
        "a number of bytes, KiB, MiB or GiB, from {} to {}, such as 64MiB",
        shown(least),
        shown(most)
    );
    let unit_begins = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_begins);
    let scale = match unit {
        "" => Some(1),
        unit => UNITS.iter().find(|(name, _)| *name == unit).map(|it| it.1),
    };
    let number: Option<u64> = number.parse().ok();
    let bytes = number
        .zip(scale)
        .and_then(|(number, scale)| number.checked_mul(scale))
        .filter(|bytes| (least..=most).contains(bytes));
    bytes.ok_or_else(|| format!("'{text}' is not a size; accepted: {accepted}"))
}

fn shown(bytes: u64) -> String {
    for (name, scale) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] {
        if bytes.is_multiple_of(scale) {
            return format!("{} {name}", bytes / scale);
        }
    }
    format!("{bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_bounds() {
        let read = |text| parse_size(text, 1 << 20, 1 << 34);
        assert_eq!(read("64MiB"), Ok(64 << 20));
        assert_eq!(read("2G"), Ok(2 << 30));
        assert_eq!(read("2048K"), Ok(2 << 20));
        assert_eq!(read("1048576"), Ok(1 << 20));
        for wrong in [
            "",
            "64",
            "64MB",
            "M",
            "-1M",
            "99999999999999999999",
            "17G",
            "1.5M",
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains("from 1 MiB to 16 GiB, such as"), "{error}");
        }
    }
}
