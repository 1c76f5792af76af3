//! The language of `LOCKTOLL_LOCK` if holds are to be sped up.

use crate::lengthen::request::percent;

/// What precedes the number.
const PREFIX: &[u8] = b"speed-up:";

/// The largest percentage by which a hold is sped up. With more, the delays take many times as long as the program.
pub const MOST_PERCENT: u32 = 90;

/// Returns the percentage by which holds are to be sped up. `None` if the text is something else.
#[must_use]
pub fn parse(text: &[u8]) -> Option<u32> {
    percent(text, PREFIX, MOST_PERCENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_of_per_cent_is_accepted() {
        assert_eq!(parse(b"speed-up:0"), Some(0));
        assert_eq!(parse(b"speed-up:90"), Some(MOST_PERCENT));
        for wrong in [
            "speed-up",
            "speed-up:",
            "speed-up:-5",
            "speed-up:+5",
            "speed-up:91",
            "speed-up:99999999999",
            "lengthen:5",
            "",
        ] {
            assert_eq!(parse(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
