//! One line of `LOCKTOLL_ONLY`.
//!
//! | form | locks |
//! |---|---|
//! | `object:PATH:OFFSET` | the lock whose memory begins at `OFFSET` from the load address of the file `PATH` |
//! | `within:PATH:OFFSET:BYTES` | all locks in the `BYTES` that begin there: a variable that contains many |
//! | `site:PATH:OFFSET` | locks whose initialising call, or without one whose first acquisition, returns there |
//!
//! `PATH` is the module's path as proc_pid_maps(5) shows it; it may contain colons. `OFFSET` is decimal, or hexadecimal after
//! `0x`.

/// The kind of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A lock.
    Object,
    /// All locks of a variable, whose size in bytes this is.
    Within(u64),
    /// The return address of a call.
    Site,
}

/// A parsed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The kind of the place.
    pub kind: Kind,
    /// The module's file.
    pub path: &'a [u8],
    /// The offset in bytes from the module's load address.
    pub offset: u64,
}

/// Parses a line. Returns `None` if it has none of the forms.
#[must_use]
pub fn parse(line: &[u8]) -> Option<Line<'_>> {
    let (kind, rest) = if let Some(rest) = line.strip_prefix(b"object:") {
        (Kind::Object, rest)
    } else if let Some(rest) = line.strip_prefix(b"site:") {
        (Kind::Site, rest)
    } else {
        let (rest, bytes) = last_number(line.strip_prefix(b"within:")?)?;
        (Kind::Within(bytes), rest)
    };
    let (path, offset) = last_number(rest)?;
    (path.first() == Some(&b'/')).then_some(Line { kind, path, offset })
}

/// Splits off the number behind the last colon.
fn last_number(text: &[u8]) -> Option<(&[u8], u64)> {
    let colon = text.iter().rposition(|byte| *byte == b':')?;
    let (rest, number) = (
        &text[..colon],
        core::str::from_utf8(&text[colon + 1..]).ok()?,
    );
    let number = match number.strip_prefix("0x") {
        // `from_str_radix` would also accept a sign.
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok()?,
        None if !number.starts_with('+') => number.parse().ok()?,
        _ => return None,
    };
    Some((rest, number))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_forms_are_taken_apart() {
        let line = parse(b"object:/usr/bin/a b:c:0x4010").unwrap();
        assert_eq!(
            (line.kind, line.path, line.offset),
            (Kind::Object, &b"/usr/bin/a b:c"[..], 0x4010)
        );
        let line = parse(b"within:/usr/a:b:0x80:4000").unwrap();
        assert_eq!(
            (line.kind, line.path, line.offset),
            (Kind::Within(4_000), &b"/usr/a:b"[..], 0x80)
        );
        let line = parse(b"site:/lib/x.so:77").unwrap();
        assert_eq!(
            (line.kind, line.path, line.offset),
            (Kind::Site, &b"/lib/x.so"[..], 77)
        );
    }

    #[test]
    fn what_has_no_form_is_none() {
        for line in [
            &b""[..],
            b"object",
            b"object:",
            b"object:/a",
            b"object:/a:",
            b"object:/a:0x",
            b"object:/a:-1",
            b"object:/a:+1",
            b"object:/a:0x+1",
            b"object:/a:0x10000000000000000",
            b"object::1",
            b"object:a:1",
            b"mutex:/a:1",
            b"within:/a:1",
            b"within:/a:1:",
            b"within:/a:1:0x",
            b"within:1:1",
            b" site:/a:1",
            b"site:/a:1 ",
            b"site:/a:\xff",
        ] {
            assert_eq!(parse(line), None, "{}", line.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(kind in 0..3, bytes: u64, path in "/[ -~]{0,40}", offset: u64, hexadecimal: bool) {
            let (kind, word, last) = match kind {
                0 => (Kind::Site, "site", String::new()),
                1 => (Kind::Object, "object", String::new()),
                _ => (Kind::Within(bytes), "within", format!(":{bytes}")),
            };
            let offset_text = if hexadecimal { format!("{offset:#x}") } else { offset.to_string() };
            let text = format!("{word}:{path}:{offset_text}{last}");
            prop_assert_eq!(parse(text.as_bytes()), Some(Line { kind, path: path.as_bytes(), offset }));
        }

        #[test]
        fn nothing_makes_it_panic(bytes: Vec<u8>) {
            let _ = parse(&bytes);
        }
    }
}
