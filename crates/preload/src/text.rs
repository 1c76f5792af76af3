//! Text without allocation: composing paths, and finding numbers in the kernel's files.

use core::ffi::CStr;

/// Text of at most `N` bytes. What does not fit is left out, and the text then has no C string.
pub struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self {
            bytes: [0; N],
            length: 0,
        }
    }
}

impl<const N: usize> Text<N> {
    pub fn push(&mut self, text: &[u8]) {
        for &byte in text {
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = byte;
            }
            self.length += 1;
        }
    }

    pub fn push_number(&mut self, number: u64) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        self.push(&[b'0' + (number % 10) as u8]);
    }

    /// Returns as much of the text as fitted.
    pub fn written(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&self.bytes)
    }

    /// Returns the text, if all of it fitted.
    pub fn to_c_str(&self) -> Option<&CStr> {
        CStr::from_bytes_until_nul(&self.bytes)
            .ok()
            .filter(|text| text.count_bytes() == self.length)
    }
}

/// Returns the first `N` numbers in `text`, with zero for each that is missing.
pub fn numbers<const N: usize>(text: &[u8]) -> [u64; N] {
    let mut words = text
        .split(|byte| !byte.is_ascii_digit())
        .filter(|word| !word.is_empty());
    core::array::from_fn(|_| words.next().map_or(0, value))
}

/// Returns the number that follows `name` in `text`.
pub fn number_after(text: &[u8], name: &[u8]) -> Option<u64> {
    let start = text.windows(name.len()).position(|window| window == name)? + name.len();
    let [number] = numbers(text.get(start..)?);
    Some(number)
}

fn value(digits: &[u8]) -> u64 {
    digits.iter().fold(0_u64, |value, digit| {
        value
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_and_found_again() {
        let mut text = Text::<16>::default();
        text.push(b"task/");
        text.push_number(1_204);
        assert_eq!(text.to_c_str(), Some(c"task/1204"));
        text.push(b"/schedstat");
        assert!(text.to_c_str().is_none(), "it does not fit");
        assert_eq!(numbers(b"12 345  6\n"), [12, 345]);
        assert_eq!(number_after(b"a: 1\nab:\t20\n", b"\nab:"), Some(20));
        assert_eq!(number_after(b"a: 1", b"\nab:"), None);
    }

    #[test]
    fn numbers_are_written_digit_by_digit() {
        for number in [0, 9, 10, 99, 100, 1_099, u64::MAX] {
            let mut text = Text::<24>::default();
            text.push_number(number);
            assert_eq!(text.written(), number.to_string().as_bytes());
        }
    }

    #[test]
    fn text_that_fits_is_kept_and_a_c_string_needs_one_more_byte() {
        let pushed = |pieces: &[&str]| {
            let mut text = Text::<4>::default();
            pieces.iter().for_each(|it| text.push(it.as_bytes()));
            let is_whole = text.to_c_str().is_some();
            (
                String::from_utf8(text.written().to_vec()).unwrap(),
                is_whole,
            )
        };
        for (pieces, written, is_whole) in [
            (&[][..], "", true),
            (&["ab"], "ab", true),
            (&["ab", "c"], "abc", true),
            (&["ab", "cd"], "abcd", false),
            (&["ab", "cd", "ef"], "abcd", false),
            // The kernel would take it for the end.
            (&["a\0c"], "a\0c", false),
        ] {
            assert_eq!(pushed(pieces), (written.to_owned(), is_whole));
        }
    }

    #[test]
    fn numbers_that_are_missing_or_too_large_have_a_value() {
        assert_eq!(numbers(b""), [0, 0]);
        assert_eq!(numbers(b"-7"), [7, 0]);
        assert_eq!(numbers(b"1 2 3"), [1, 2]);
        let most = u64::MAX.to_string();
        assert_eq!(numbers(most.as_bytes()), [u64::MAX]);
        assert_eq!(numbers(b"99999999999999999999"), [u64::MAX]);
    }

    #[test]
    fn a_number_is_looked_for_behind_its_name() {
        // A name may contain digits, and so may what comes before it.
        assert_eq!(number_after(b"12 v4: 56", b"v4:"), Some(56));
        assert_eq!(number_after(b"v4: 56 v4: 7", b"v4:"), Some(56));
        assert_eq!(number_after(b"v4:", b"v4:"), Some(0));
    }
}
