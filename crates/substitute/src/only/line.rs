//! One line of `LOCKTOLL_ONLY`.
//!
//! | form | locks |
//! |---|---|
//! | `object:PATH:OFFSET` | the lock whose memory begins at `OFFSET` from the load address of the file `PATH` |
//! | `site:PATH:OFFSET` | locks whose initialising call, or without one whose first acquisition, returns there |
//!
//! `PATH` is the module's path as proc_pid_maps(5) shows it; it may contain colons. `OFFSET` is decimal, or hexadecimal after
//! `0x`.

/// The kind of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A lock.
    Object,
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

/// Parses a line. Returns `None` if it has neither of the forms.
#[must_use]
pub fn parse(line: &[u8]) -> Option<Line<'_>> {
    let (kind, rest) = match (line.strip_prefix(b"object:"), line.strip_prefix(b"site:")) {
        (Some(rest), _) => (Kind::Object, rest),
        (_, Some(rest)) => (Kind::Site, rest),
        _ => return None,
    };
    let colon = rest.iter().rposition(|byte| *byte == b':')?;
    let (path, offset) = (
        &rest[..colon],
        core::str::from_utf8(&rest[colon + 1..]).ok()?,
    );
    let offset = match offset.strip_prefix("0x") {
        // `from_str_radix` would also accept a sign.
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok()?,
        None if !offset.starts_with('+') => offset.parse().ok()?,
        _ => return None,
    };
    (path.first() == Some(&b'/')).then_some(Line { kind, path, offset })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_forms_are_taken_apart() {
        let line = parse(b"object:/usr/bin/a b:c:0x4010").unwrap();
        assert_eq!(
            (line.kind, line.path, line.offset),
            (Kind::Object, &b"/usr/bin/a b:c"[..], 0x4010)
        );
        let line = parse(b"site:/lib/x.so:77").unwrap();
        assert_eq!(
            (line.kind, line.path, line.offset),
            (Kind::Site, &b"/lib/x.so"[..], 77)
        );
    }

    #[test]
    fn what_has_neither_form_is_none() {
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
            b" site:/a:1",
            b"site:/a:1 ",
            b"site:/a:\xff",
        ] {
            assert_eq!(parse(line), None, "{}", line.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(is_site: bool, path in "/[ -~]{0,40}", offset: u64, hexadecimal: bool) {
            let (kind, word) = if is_site { (Kind::Site, "site") } else { (Kind::Object, "object") };
            let offset_text = if hexadecimal { format!("{offset:#x}") } else { offset.to_string() };
            let text = format!("{word}:{path}:{offset_text}");
            prop_assert_eq!(parse(text.as_bytes()), Some(Line { kind, path: path.as_bytes(), offset }));
        }

        #[test]
        fn nothing_makes_it_panic(bytes: Vec<u8>) {
            let _ = parse(&bytes);
        }
    }
}
