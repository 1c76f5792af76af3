//! The language of `LOCKTOLL_LOCK` if holds are to be lengthened.

/// What precedes the number.
const PREFIX: &[u8] = b"lengthen:";

/// The largest percentage by which a hold is lengthened.
pub const MOST_PERCENT: u32 = 1000;

/// Returns the percentage by which holds are to be lengthened. `None` if the text is something else.
#[must_use]
pub fn parse(text: &[u8]) -> Option<u32> {
    percent(text, PREFIX, MOST_PERCENT)
}

/// Returns the whole number of per cent behind the prefix, if the text is that and the number is at most `most`.
pub(crate) fn percent(text: &[u8], prefix: &[u8], most: u32) -> Option<u32> {
    let digits = text.strip_prefix(prefix)?;
    // `parse` would accept a sign as well.
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let percent = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (is_number && percent <= most).then_some(percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_of_per_cent_is_accepted() {
        assert_eq!(parse(b"lengthen:0"), Some(0));
        assert_eq!(parse(b"lengthen:50"), Some(50));
        assert_eq!(parse(b"lengthen:1000"), Some(MOST_PERCENT));
        for wrong in [
            "lengthen",
            "lengthen:",
            "lengthen:+5",
            "lengthen:-5",
            "lengthen:1001",
            "lengthen:99999999999",
            "lengthen:5%",
            "Lengthen:5",
            "",
        ] {
            assert_eq!(parse(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
