//! The profile as a whole.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::tables::{Places, Strings};
use super::wire::Message;
use crate::profile::{Frame, Profile, shown_text};
use crate::report::profile::waits::{Waits, waits};
use crate::report::profile::{Content, Document, Form, Selection, Side, words};

/// Profiles in pprof's format.
pub struct Pprof {
    /// The one wanted, or both: by waiter, then by holder.
    pub side: Option<Side>,
}

impl Form for Pprof {
    fn documents(&self, selection: &Selection<'_>) -> anyhow::Result<Vec<Document>> {
        let sides: &[(Option<&str>, Side)] = match self.side {
            Some(Side::Waiter) => &[(None, Side::Waiter)],
            Some(Side::Holder) => &[(None, Side::Holder)],
            None => &[(None, Side::Waiter), (Some("holders"), Side::Holder)],
        };
        let document = |&(part, side): &(Option<&'static str>, Side)| {
            let profile = encode(selection, side);
            let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
            compressed.write_all(&profile)?;
            let content = Content::Binary(compressed.finish()?);
            Ok(Document { part, content })
        };
        sides.iter().map(document).collect()
    }
}

/// The format's integers are signed; only a damaged recording has more.
const LIMIT: u64 = i64::MAX as u64;

/// `Profile` of profile.proto. Numbers of fields are that file's.
fn encode(selection: &Selection<'_>, side: Side) -> Vec<u8> {
    let profile = selection.profile;
    let mut strings = Strings::new();
    let mut places = Places::default();
    let mut message = Message::new();
    let types = [("contentions", "count"), ("delay", "nanoseconds")];
    for (name, unit) in types {
        message.message(1, &value_type(&mut strings, name, unit));
    }
    if let Some(path) = program(profile) {
        places.program(path);
    }
    for waits in waits(selection, side) {
        let lock = selection.names.name(waits.lock);
        message.message(2, &sample(&mut strings, &mut places, &waits, lock));
    }
    let build_ids: HashMap<&str, &str> = profile
        .modules
        .iter()
        .filter_map(|module| Some((module.path.as_str(), module.build_id.as_deref()?)))
        .collect();
    for mapping in places.mappings(&mut strings, &build_ids) {
        message.message(3, &mapping);
    }
    for location in &places.written.locations {
        message.message(4, location);
    }
    for function in &places.written.functions {
        message.message(5, function);
    }
    let by = match side {
        Side::Waiter => "locktoll: time waited for locks, by the stack that waited",
        Side::Holder => {
            "locktoll: time waited for locks, by the place where the holder had acquired the lock"
        }
    };
    let command = format!("command: {}", shown_text(&profile.command.join(" ")));
    let comments = [strings.number(by), strings.number(&command)];
    let period = value_type(&mut strings, "contentions", "count");
    let default = strings.number("delay");
    // Strings last: every other table has put its own in by now. Readers do not mind the order.
    for text in strings.all() {
        message.string(6, text);
    }
    message.number(10, profile.duration_ns.min(LIMIT));
    message.message(11, &period);
    // Every contended acquisition is in it, not one in so many.
    message.number(12, 1);
    message.numbers(13, comments);
    message.number(14, default);
    message.into_bytes()
}

/// The program's own file: the one with the name that it was started by, or with that and a version (`python3.11` of
/// `python3`); `None` if it was started by another name altogether.
fn program(profile: &Profile) -> Option<&str> {
    let started = words::base(profile.command.first()?);
    let paths = || profile.modules.iter().map(|module| module.path.as_str());
    let versioned = |path: &&str| {
        let name = words::base(path);
        name.strip_prefix(started).is_some_and(|version| {
            version.starts_with(|it: char| it == '.' || it == '-' || it.is_ascii_digit())
                && !version.contains(".so")
        })
    };
    paths()
        .find(|path| words::base(path) == started)
        .or_else(|| paths().find(versioned))
}

fn value_type(strings: &mut Strings, name: &str, unit: &str) -> Message {
    let mut message = Message::new();
    message.number(1, strings.number(name));
    message.number(2, strings.number(unit));
    message
}

fn sample(strings: &mut Strings, places: &mut Places, waits: &Waits<'_>, lock: String) -> Message {
    let locations = if waits.frames.is_empty() {
        // Readers drop samples without a location, and the totals would differ.
        let unknown = Frame {
            function: Some("(place not known)".to_owned()),
            ..Frame::default()
        };
        places.stack(strings, &[unknown])
    } else {
        places.stack(strings, waits.frames)
    };
    let mut message = Message::new();
    message.numbers(1, locations);
    message.numbers(2, [waits.waits.min(LIMIT), waits.wait_ns.min(LIMIT)]);
    let labels = [
        ("lock", lock),
        ("kind", words::kind(waits.lock.kind).to_owned()),
    ];
    for (key, text) in labels {
        let mut label = Message::new();
        label.number(1, strings.number(key));
        label.number(2, strings.number(&text));
        message.message(3, &label);
    }
    message
}
