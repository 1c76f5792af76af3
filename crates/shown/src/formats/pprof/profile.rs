//! The profile as a whole.

use std::collections::HashMap;
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;

use super::proto;
use super::tables::{Places, Strings};
use crate::format::{Format, OfProfile, Place, Write as Writes};
use crate::profile::waits::{Waits, waits};
use crate::profile::{Selection, Side, spinning, words};
use crate::{Content, Document, Part};
use locktoll_results::profile::{Frame, Lock, Profile, Spinning};
use locktoll_terminal::escape::shown_text;

pub const FORMAT: Format = Format {
    name: "pprof",
    summary: "For `go tool pprof` and Pyroscope: by waiter and by holder",
    endings: &[".pb.gz", ".pprof"],
    profile: OfProfile::BinarySides,
    write: Writes::Profile(documents),
};

/// Returns the profile of the requested side, or of both if there is room: by waiter, then by holder.
fn documents(selection: &Selection<'_>, place: Place<'_>) -> anyhow::Result<Vec<Document>> {
    let sides: &[(Option<&str>, Side)] = match selection.side {
        Some(Side::Holder) => &[(None, Side::Holder)],
        None if !place.holds_one => &[(None, Side::Waiter), (Some("holders"), Side::Holder)],
        Some(Side::Waiter) | None => &[(None, Side::Waiter)],
    };
    let names = |lock: &Lock| selection.names.name(lock);
    let document = |&(part, side): &(Option<&'static str>, Side)| {
        let content = Content::Binary(compressed(
            &message(selection, side, &names).encode_to_vec(),
        )?);
        Ok(Document {
            part: part.map(Part::Beside),
            content,
        })
    };
    sides.iter().map(document).collect()
}

/// Compresses a message as gzip does.
///
/// # Errors
/// Never: memory has room for it.
pub fn compressed(message: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(message)?;
    compressed.finish()
}

/// Limits a number to the format's signed integers; only a damaged recording exceeds them.
fn limited(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Makes the profile of one side. `lock_name` is the label `lock` of the waits for a lock.
pub fn message(
    selection: &Selection<'_>,
    side: Side,
    lock_name: &dyn Fn(&Lock) -> String,
) -> proto::Profile {
    let profile = selection.profile;
    let mut strings = Strings::new();
    let mut places = Places::default();
    let spun: Vec<&Spinning> = match side {
        Side::Waiter => spinning::uncharged(profile).collect(),
        Side::Holder => Vec::new(),
    };
    let mut types = vec![("contentions", "count"), ("delay", "nanoseconds")];
    if !spun.is_empty() {
        types.push(("spinning", "nanoseconds"));
    }
    let types = types.into_iter();
    let sample_type = types.map(|(name, unit)| value_type(&mut strings, name, unit));
    let sample_type: Vec<proto::ValueType> = sample_type.collect();
    if let Some(path) = program(profile) {
        places.program(path);
    }
    let sample = waits(selection, side).into_iter().map(|waits| {
        let lock = lock_name(waits.lock);
        sample(&mut strings, &mut places, &waits, &lock)
    });
    let mut sample: Vec<proto::Sample> = sample.collect();
    if !spun.is_empty() {
        sample.iter_mut().for_each(|it| it.value.push(0));
        let more = spun
            .iter()
            .map(|row| spinning_sample(&mut strings, &mut places, row));
        sample.extend(more);
    }
    let build_ids: HashMap<&str, &str> = profile
        .modules
        .iter()
        .filter_map(|module| Some((module.path.as_str(), module.build_id.as_deref()?)))
        .collect();
    let mapping = places.mappings(&mut strings, &build_ids);
    let by = match side {
        Side::Waiter => "locktoll: time waited for locks, by the stack that waited",
        Side::Holder => {
            "locktoll: time waited for locks, by the place where the holder had acquired the lock"
        }
    };
    let command = format!("command: {}", shown_text(&profile.command.join(" ")));
    proto::Profile {
        sample_type,
        sample,
        mapping,
        location: places.written.locations,
        function: places.written.functions,
        // A file has no time: two recordings of the same are the same.
        time_nanos: 0,
        duration_nanos: limited(profile.duration_ns),
        period_type: Some(value_type(&mut strings, "contentions", "count")),
        // The profile contains every contended acquisition, not a sample of them.
        period: 1,
        comment: vec![strings.number(by), strings.number(&command)],
        default_sample_type: strings.number("delay"),
        // Strings come last: by now every other table has added its own.
        string_table: strings.into_all(),
    }
}

/// Returns the program's own file: the one with the name that it was started by, or with that name and a version (`python3.11`
/// for `python3`). Returns `None` if it was started under an entirely different name.
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

fn value_type(strings: &mut Strings, name: &str, unit: &str) -> proto::ValueType {
    proto::ValueType {
        name: strings.number(name),
        unit: strings.number(unit),
    }
}

fn sample(
    strings: &mut Strings,
    places: &mut Places,
    waits: &Waits<'_>,
    lock: &str,
) -> proto::Sample {
    let location_id = if waits.frames.is_empty() {
        // Readers drop samples without a location, and the totals would then differ.
        let unknown = Frame {
            function: Some("(place not known)".to_owned()),
            ..Frame::default()
        };
        places.stack(strings, &[unknown])
    } else {
        places.stack(strings, waits.frames)
    };
    let labels = [("lock", lock), ("kind", words::kind(waits.lock.kind))];
    let label = labels.map(|(key, text)| proto::Label {
        key: strings.number(key),
        text: strings.number(text),
    });
    proto::Sample {
        location_id,
        value: vec![limited(waits.waits), limited(waits.wait_ns)],
        label: label.into(),
    }
}

/// Returns the sample of busy waiting: CPU time, and no wait that was counted.
fn spinning_sample(strings: &mut Strings, places: &mut Places, row: &Spinning) -> proto::Sample {
    let label = proto::Label {
        key: strings.number("word"),
        text: strings.number(&spinning::word(row)),
    };
    proto::Sample {
        location_id: places.stack(strings, &row.stack),
        value: vec![0, 0, limited(row.cpu_ns.median as u64)],
        label: vec![label],
    }
}
