//! Writes JSON, laid out for people, and harmless on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter};

use locktoll_terminal::escape::shown_text;

/// Returns the document, with a line end.
///
/// # Errors
/// If a figure cannot be written as JSON.
pub fn json(result: &impl Serialize) -> anyhow::Result<String> {
    let mut document = Vec::new();
    let formatter = Visible(PrettyFormatter::new());
    result.serialize(&mut serde_json::Serializer::with_formatter(
        &mut document,
        formatter,
    ))?;
    document.push(b'\n');
    Ok(String::from_utf8(document)?)
}

/// Returns the document as one line, with its end.
///
/// # Errors
/// If a figure cannot be written as JSON.
#[cfg(target_os = "linux")]
pub fn line(document: &impl Serialize) -> anyhow::Result<String> {
    let text = serde_json::to_string(document)?;
    Ok(visible(&text, |_| false) + "\n")
}

/// Returns `text` with every character that a terminal might interpret written as `\uXXXX`. `text` is JSON without line ends
/// between its values, so such characters occur only within strings, where both forms mean the same. `also` selects other
/// characters to be written this way.
pub fn visible(text: &str, also: impl Fn(char) -> bool) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        match is_obeyed(character) || also(character) {
            // All of them are in the first plane: one UTF-16 unit.
            true => visible.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => visible.push(character),
        }
    }
    visible
}

/// serde_json's layout, with every character that a terminal might interpret written as `\uXXXX`. JSON itself only requires
/// that below U+0020, while terminals also treat U+009B as the beginning of a command.
struct Visible(PrettyFormatter<'static>);

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let mut rest = text;
        while let Some((at, character)) = rest.char_indices().find(|(_, c)| is_obeyed(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            // All of them are in the first plane: one UTF-16 unit.
            write!(out, "\\u{:04x}", u32::from(character))?;
            rest = &rest[at + character.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        it: CharEscape,
    ) -> io::Result<()> {
        self.0.write_char_escape(out, it)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

/// Whether [`shown_text`] would escape this character.
fn is_obeyed(character: char) -> bool {
    let mut bytes = [0; 4];
    let text = character.encode_utf8(&mut bytes);
    !character.is_ascii_graphic() && character != ' ' && shown_text(text) != *text
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;
    use locktoll_results::profile::Profile;

    #[test]
    fn the_schema_comes_first_and_what_is_not_measured_is_null() {
        let mut profile = sample::job_server();
        profile.locks[0].hold_ns = None;
        profile.recorder.ns_per_pair = None;
        let document = json(&profile).unwrap();
        assert!(document.starts_with("{\n  \"schema\": \"locktoll.profile/1\""));
        let value: serde_json::Value = serde_json::from_str(&document).unwrap();
        let lock = &value["locks"][0];
        assert!(lock["hold_ns"].is_null() && lock.get("hold_ns").is_some());
        assert!(value["recorder"]["ns_per_pair"].is_null());
        assert_eq!(lock["wait_ns"]["total"], profile.locks[0].wait_ns.total);
        for field in [
            "command",
            "duration_ns",
            "threads",
            "processes",
            "recorder",
            "dropped",
        ] {
            assert!(value.get(field).is_some(), "{field}");
        }
        for field in [
            "id",
            "kind",
            "name",
            "first_site",
            "instances",
            "acquisitions",
            "contended",
            "try_failed",
            "wait_ns",
            "hold_ns",
            "blame",
        ] {
            assert!(lock.get(field).is_some(), "{field}");
        }
    }

    #[test]
    fn a_line_means_the_same_when_it_is_visible() {
        let name = "a\x7f\u{9b}31m\u{202e}<\"\\\n\u{1f980}ü";
        let line = serde_json::to_string(&[name]).unwrap();
        let visible = visible(&line, |it| it == '<');
        assert!(!visible.contains(['\x7f', '\u{9b}', '\u{202e}', '<']));
        let back: [String; 1] = serde_json::from_str(&visible).unwrap();
        assert_eq!(back, [name]);
        #[cfg(target_os = "linux")]
        assert_eq!(super::line(&["a\u{202e}"]).unwrap(), "[\"a\\u202e\"]\n");
    }

    #[test]
    fn a_profile_survives_the_way_through_json() {
        let mut profile = sample::job_server();
        profile.locks[0].name = "a\x1b[2J\u{9b}31m\u{202e}\"\\\n\u{1f980}ü".to_owned();
        let document = json(&profile).unwrap();
        for obeyed in ['\x1b', '\u{9b}', '\u{202e}'] {
            assert!(!document.contains(obeyed), "{obeyed:?}");
        }
        let back: Profile = serde_json::from_str(&document).unwrap();
        assert_eq!(back.locks[0].name, profile.locks[0].name);
        assert_eq!(back, profile);
    }
}
