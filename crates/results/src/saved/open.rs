//! From a file to a result.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Saved;
use super::encoding::{Encoding, LONGEST_MARK, in_utf8};
use super::scan::Scan;
use crate::Kind;
use crate::profile::Profile;
use crate::profile::timeline::Timeline;
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::open_regular;

/// The schema number that this version reads.
const NUMBER: u64 = 1;

/// The hint about the files that are accepted, for a file that is not one of them.
const ACCEPTED: &str =
    "give a recording, or JSON that locktoll wrote (with --json or -o FILE.json)";

/// The largest document that is read, unless a larger one is allowed. A profile of 8,000 locks with their sites and stacks has 78
/// MB, and takes 210 MB of memory while it is read. The limit is three times that, so the result fits a small machine.
pub const MOST_BYTES: u64 = 256 << 20;

/// The limit on white space at the beginning of a document.
const MOST_BLANKS: usize = 4096;

/// Reads a result of at most `most_bytes` bytes that was saved as JSON.
///
/// # Errors
/// [`Failure::Usage`] for a file that is missing, larger or contains something else, [`Failure::Unsupported`] for one that a
/// newer version wrote.
pub fn open_document(path: &Path, most_bytes: u64) -> Result<Saved, Failure> {
    let name = shown(path.as_os_str());
    let bytes = read_at_most(path, most_bytes)
        .map_err(|error| Failure::Usage(format!("{name} cannot be read: {error}")))?;
    let Some(bytes) = bytes else {
        return Err(Failure::Usage(format!(
            "{name} is larger than {most_bytes} bytes, the most that is read of a saved result; --max-bytes raises that"
        )));
    };
    from_json(&name, &in_utf8(bytes))
}

/// Reads the whole file; `None` if it is larger.
fn read_at_most(path: &Path, most_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    let file = open_regular(path)?;
    if file.metadata()?.len() > most_bytes {
        return Ok(None);
    }
    // The file may grow while it is read.
    let mut bytes = Vec::new();
    file.take(most_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most_bytes).then_some(bytes))
}

/// Whether a file begins like a saved result. If it does not, the reader of recordings reports what is wrong with it.
pub fn is_document(path: &Path) -> bool {
    open_regular(path)
        .is_ok_and(|file| first_character(BufReader::new(file)) == Some(u16::from(b'{')))
}

/// Returns the first character that is not white space, in the encoding given by the mark; `None` if there is none or it cannot
/// be read.
fn first_character(mut text: impl BufRead) -> Option<u16> {
    let mut beginning = Vec::new();
    let most = LONGEST_MARK as u64;
    text.by_ref().take(most).read_to_end(&mut beginning).ok()?;
    let (encoding, mark) = Encoding::of(&beginning);
    let mut rest = Cursor::new(beginning.split_off(mark)).chain(text);
    let mut unit = [0; 2];
    let unit = &mut unit[..encoding.unit_bytes()];
    for _ in 0..MOST_BLANKS {
        rest.read_exact(unit).ok()?;
        let character = encoding.unit(unit);
        if !u8::try_from(character).is_ok_and(|byte| byte.is_ascii_whitespace()) {
            return Some(character);
        }
    }
    None
}

/// Reads a document; `name` is its name in messages.
pub fn from_json(name: &str, text: &[u8]) -> Result<Saved, Failure> {
    let scan: Scan = serde_json::from_slice(text).map_err(|error| {
        Failure::Usage(match error.is_eof() {
            true => {
                format!("{name} is incomplete: it ends in the middle of a value; run the command that wrote it again, or give another file")
            }
            false => format!("{name} is not valid JSON: {error}; {ACCEPTED}"),
        })
    })?;
    let Some(schema) = scan.schema else {
        return Err(Failure::Usage(format!(
            "{name} is JSON, but was not written by locktoll; {ACCEPTED}"
        )));
    };
    let kind = kind_of(name, &schema)?;
    if let Some(field) = scan.impossible {
        return Err(Failure::Usage(format!(
            "{name} is damaged: the number in `{}` is larger than any that locktoll writes",
            shown_text(&field)
        )));
    }
    let reading = Reading {
        name,
        text,
        // The forms of profiles escape their names themselves, and pass them unchanged to other tools.
        steers: scan.steers && kind != Kind::Profile,
    };
    Ok(match kind {
        Kind::Bench => Saved::Bench(reading.of(kind)?),
        Kind::Machine => Saved::Machine(reading.of(kind)?),
        Kind::Reproduce => Saved::Reproduce(reading.of(kind)?),
        Kind::Tour => Saved::Tour(reading.of(kind)?),
        Kind::Profile => Saved::Profile(sound(name, reading.of(kind)?)?),
        Kind::Try => Saved::Try(reading.of(kind)?),
        Kind::Compare => Saved::Compare(reading.of(kind)?),
        Kind::Kernel => Saved::Kernel(reading.of(kind)?),
        Kind::Hang => Saved::Hang(reading.of(kind)?),
        Kind::WhatIf => Saved::WhatIf(reading.of(kind)?),
        Kind::Advise => Saved::Advise(reading.of(kind)?),
    })
}

/// Returns the profile if its timeline can be shown.
fn sound(name: &str, profile: Box<Profile>) -> Result<Box<Profile>, Failure> {
    match profile.timeline.as_deref().and_then(Timeline::unsound) {
        None => Ok(profile),
        Some(table) => Err(Failure::Usage(format!(
            "{name} is damaged: `{table}` of its timeline has columns of different lengths, or refers to rows that do not exist; \
             write it again with `locktoll report RECORDING -o FILE.json`"
        ))),
    }
}

/// Returns the kind that a schema names.
fn kind_of(name: &str, schema: &str) -> Result<Kind, Failure> {
    let parts = schema
        .strip_prefix("locktoll.")
        .and_then(|rest| rest.split_once('/'));
    let known = parts.and_then(|(word, number)| {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == word)?;
        Some((kind, number.parse::<u64>().ok()?))
    });
    match known {
        Some((kind, NUMBER)) => Ok(kind),
        Some((kind, number)) if number > NUMBER => Err(Failure::Unsupported(format!(
            "{name} was written by a newer locktoll (format {kind}/{number}; this version reads up to {kind}/{NUMBER}); upgrade locktoll",
            kind = kind.name()
        ))),
        _ => Err(Failure::Usage(format!(
            "{name} has the schema {}, which is not one of locktoll's; {ACCEPTED}",
            shown_text(schema)
        ))),
    }
}

struct Reading<'a> {
    name: &'a str,
    text: &'a [u8],
    steers: bool,
}

impl Reading<'_> {
    fn of<T: DeserializeOwned>(&self, kind: Kind) -> Result<Box<T>, Failure> {
        let read = if self.steers {
            serde_json::from_slice(self.text)
                .and_then(|document| serde_json::from_value(safe(document)))
        } else {
            serde_json::from_slice(self.text)
        };
        read.map(Box::new).map_err(|error| {
            let (name, kind) = (self.name, kind.name());
            let error = shown_text(&error.to_string());
            Failure::Usage(format!(
                "{name} is not a whole locktoll.{kind}/{NUMBER}: {error}"
            ))
        })
    }
}

/// Makes all texts in the document safe to show: they are laid out in many places, and come from a file that anyone may have
/// made.
pub fn safe(document: Value) -> Value {
    match document {
        Value::String(text) => Value::String(shown_text(&text)),
        Value::Array(list) => list.into_iter().map(safe).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            fields
                .map(|(name, it)| (shown_text(&name), safe(it)))
                .collect()
        }
        other => other,
    }
}
