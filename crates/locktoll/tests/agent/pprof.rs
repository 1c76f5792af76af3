//! Requests to Pyroscope, read back: the form, and the profile in it.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::GzDecoder;
use prost::Message;

use crate::receiver::Received;

/// The part of github.com/google/pprof/proto/profile.proto that the tests read.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Profile {
    #[prost(message, repeated, tag = "1")]
    pub sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    pub sample: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    pub location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    pub function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    pub string_table: Vec<String>,
    #[prost(int64, tag = "9")]
    pub time_nanos: i64,
    #[prost(int64, tag = "10")]
    pub duration_nanos: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ValueType {
    #[prost(int64, tag = "1")]
    pub name: i64,
    #[prost(int64, tag = "2")]
    pub unit: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Sample {
    #[prost(uint64, repeated, tag = "1")]
    pub location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    pub value: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    pub label: Vec<Label>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Label {
    #[prost(int64, tag = "1")]
    pub key: i64,
    #[prost(int64, tag = "2")]
    pub text: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Location {
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(message, repeated, tag = "4")]
    pub line: Vec<Line>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Line {
    #[prost(uint64, tag = "1")]
    pub function_id: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Function {
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(int64, tag = "2")]
    pub name: i64,
}

/// A request to `/ingest`.
pub struct Ingest {
    pub query: BTreeMap<String, String>,
    /// `block` or `mutex`.
    pub kind: String,
    pub profile: Profile,
}

impl Ingest {
    pub fn of(received: &Received) -> Self {
        assert_eq!(received.uri.path(), "/ingest");
        let pairs = received.uri.query().unwrap().split('&');
        let query = pairs.map(|pair| {
            let (key, value) = pair.split_once('=').unwrap();
            (key.to_owned(), decoded(value))
        });
        let fields = fields(received);
        let config: serde_json::Value =
            serde_json::from_slice(&fields["sample_type_config"]).unwrap();
        let display = config["delay"]["display-name"].as_str().unwrap();
        let kind = display.strip_suffix("_duration").unwrap().to_owned();
        assert_eq!(
            config["contentions"]["display-name"],
            format!("{kind}_count")
        );
        let mut bytes = Vec::new();
        let mut gzip = GzDecoder::new(&fields["profile"][..]);
        gzip.read_to_end(&mut bytes).unwrap();
        Self {
            query: query.collect(),
            kind,
            profile: Profile::decode(&bytes[..]).unwrap(),
        }
    }

    fn text(&self, number: i64) -> &str {
        &self.profile.string_table[number as usize]
    }

    /// Waits and their length, by the ending of the lock's id.
    pub fn waits_for(&self, lock: &str) -> (i64, i64) {
        let types = self.profile.sample_type.iter();
        let types: Vec<_> = types
            .map(|it| (self.text(it.name), self.text(it.unit)))
            .collect();
        assert_eq!(types, [("contentions", "count"), ("delay", "nanoseconds")]);
        let of_lock = |it: &&Sample| {
            let mut labels = it.label.iter();
            labels.any(|label| {
                self.text(label.key) == "lock" && self.text(label.text).ends_with(lock)
            })
        };
        let samples = self.profile.sample.iter().filter(of_lock);
        samples.fold((0, 0), |sum, it| (sum.0 + it.value[0], sum.1 + it.value[1]))
    }

    /// The functions in the stacks of the waits.
    pub fn functions(&self) -> Vec<&str> {
        let functions = self.profile.function.iter();
        functions.map(|it| self.text(it.name)).collect()
    }
}

fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        rest = more;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = std::str::from_utf8(&rest[..2]).unwrap();
        bytes.push(u8::from_str_radix(digits, 16).unwrap());
        rest = &rest[2..];
    }
    String::from_utf8(bytes).unwrap()
}

/// The fields of a form.
fn fields(received: &Received) -> BTreeMap<String, Vec<u8>> {
    let media_type = received.headers["content-type"].to_str().unwrap();
    let boundary = media_type
        .strip_prefix("multipart/form-data; boundary=")
        .unwrap();
    let (between, mut rest) = (format!("--{boundary}"), &received.body[..]);
    let mut fields = BTreeMap::new();
    while let Some(at) = find(rest, between.as_bytes()) {
        let content = &rest[..at];
        rest = &rest[at + between.len()..];
        let Some(head_ends) = find(content, b"\r\n\r\n") else {
            continue;
        };
        let head = std::str::from_utf8(&content[..head_ends]).unwrap();
        let (_, name) = head.split_once(" name=\"").unwrap();
        let name = name.split('"').next().unwrap();
        let body = &content[head_ends + 4..];
        fields.insert(
            name.to_owned(),
            body.strip_suffix(b"\r\n").unwrap().to_vec(),
        );
    }
    assert_eq!(rest, b"--\r\n");
    fields
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|it| it == what)
}
