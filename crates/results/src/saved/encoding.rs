//! The encodings of a saved document: locktoll writes UTF-8, but a shell may write another.
//!
//! Windows PowerShell treats a program's output as text and encodes it again: `>` writes UTF-16, and
//! `Out-File -Encoding utf8` adds a byte order mark ("about_Character_Encoding", Microsoft's
//! documentation).

/// How a file's bytes encode text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One to four bytes for each character.
    Utf8,
    /// Two or four bytes for each character, the lower byte first.
    Utf16Le,
    /// Two or four bytes for each character, the higher byte first.
    Utf16Be,
}

/// Byte order marks at the beginning of a text (the Unicode Standard, 23.8, "Byte Order Mark").
const MARKS: [(&[u8], Encoding); 3] = [
    (&[0xef, 0xbb, 0xbf], Encoding::Utf8),
    (&[0xff, 0xfe], Encoding::Utf16Le),
    (&[0xfe, 0xff], Encoding::Utf16Be),
];

/// The length of the longest mark in bytes.
pub const LONGEST_MARK: usize = 3;

impl Encoding {
    /// Determines the encoding from the mark at the beginning of the bytes; also returns the length of that mark.
    pub fn of(bytes: &[u8]) -> (Self, usize) {
        MARKS
            .into_iter()
            .find(|(mark, _)| bytes.starts_with(mark))
            .map_or((Self::Utf8, 0), |(mark, encoding)| (encoding, mark.len()))
    }

    /// Returns the length of the shortest character in bytes.
    pub fn unit_bytes(self) -> usize {
        match self {
            Self::Utf8 => 1,
            Self::Utf16Le | Self::Utf16Be => 2,
        }
    }

    /// Returns the unit as a number; the length of `bytes` is [`Self::unit_bytes`].
    pub fn unit(self, bytes: &[u8]) -> u16 {
        match (self, bytes) {
            (Self::Utf16Le, [low, high]) => u16::from_le_bytes([*low, *high]),
            (Self::Utf16Be, [high, low]) => u16::from_be_bytes([*high, *low]),
            (_, bytes) => bytes.first().copied().unwrap_or(0).into(),
        }
    }
}

/// Returns the same text in UTF-8, without a mark. Bytes that are not valid in its encoding become U+FFFD, which JSON only allows
/// inside of strings.
pub fn in_utf8(mut bytes: Vec<u8>) -> Vec<u8> {
    let (encoding, mark) = Encoding::of(&bytes);
    if encoding == Encoding::Utf8 {
        bytes.drain(..mark);
        return bytes;
    }
    let units = bytes[mark..].chunks(encoding.unit_bytes()).map(|unit| {
        // There is half a unit at the end: the first byte of a pair whose second byte is missing.
        match unit.len() == encoding.unit_bytes() {
            true => encoding.unit(unit),
            false => 0xd800,
        }
    });
    char::decode_utf16(units)
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\"é\": \"🦀\"}\r\n";

    fn utf16(text: &str, of_unit: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(of_unit).collect()
    }

    #[test]
    fn a_text_is_the_same_in_each_encoding() {
        let marked = [b"\xef\xbb\xbf", TEXT.as_bytes()].concat();
        for bytes in [
            TEXT.into(),
            marked,
            utf16(TEXT, u16::to_le_bytes),
            utf16(TEXT, u16::to_be_bytes),
        ] {
            assert_eq!(in_utf8(bytes), TEXT.as_bytes());
        }
        assert_eq!(in_utf8(Vec::new()), b"");
    }

    #[test]
    fn what_breaks_off_is_no_text() {
        for cut in [1, 2, 3] {
            let mut bytes = utf16("{}🦀", u16::to_le_bytes);
            bytes.truncate(bytes.len() - cut);
            let text = String::from_utf8(in_utf8(bytes)).unwrap();
            assert!(text.starts_with("{}\u{fffd}"), "{cut}: {text}");
        }
    }

    #[test]
    fn no_mark_is_longer_than_the_longest() {
        let longest = MARKS.iter().map(|(mark, _)| mark.len()).max();
        assert_eq!(longest, Some(LONGEST_MARK));
    }
}
