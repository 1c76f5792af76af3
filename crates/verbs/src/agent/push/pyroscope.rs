//! Requests to Pyroscope's HTTP ingest.
//!
//! As in Go, `block` profiles are by the stack that waited, and `mutex` profiles by the place of the holder. They are two types of profiles,
//! so a sum over one of them counts each wait once. Pyroscope recognises them by the names in `sample_type_config`, which only a form
//! can contain. Labels of samples (`lock`, `kind`) become labels of series there.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use super::item::{Head, Item};
use crate::agent::labels::{ProcessLabels, label};
use locktoll_shown::Side;
use locktoll_shown::pushed::Interval;

/// Returns the requests with what a program did in an interval: by waiter and by holder, as far as there were waits.
///
/// # Errors
/// Never: memory has room for them.
pub fn items(labels: &ProcessLabels, interval: &Interval) -> std::io::Result<Vec<Item>> {
    let mut items = Vec::new();
    for (side, kind) in [(Side::Waiter, "block"), (Side::Holder, "mutex")] {
        if let Some(profile) = interval.pprof(side, &|lock| label(&lock.id))? {
            let (media_type, body) = form(&profile, kind);
            let head = Head {
                path: path(labels, interval),
                media_type,
                encoding: None,
            };
            items.push(Item { head, body });
        }
    }
    Ok(items)
}

/// Returns the path of a request, with its query.
fn path(labels: &ProcessLabels, interval: &Interval) -> String {
    const SECOND_NS: u64 = 1_000_000_000;
    let name = name(labels);
    let name = utf8_percent_encode(&name, NON_ALPHANUMERIC);
    let from = interval.began_unix_ns / SECOND_NS;
    let until = interval.ended_unix_ns.div_ceil(SECOND_NS);
    format!("/ingest?name={name}&from={from}&until={until}&spyName=locktoll")
}

/// Returns a service name, and the labels in braces. Empty ones are left out.
fn name(labels: &ProcessLabels) -> String {
    let is_accepted = |c: char| c.is_ascii_alphanumeric() || "-._/".contains(c);
    let service = labels.process.chars();
    let mut name: String = service
        .map(|c| if is_accepted(c) { c } else { '_' })
        .collect();
    if name.is_empty() {
        name.push_str("unknown");
    }
    let all = [
        ("process", &labels.process),
        ("container", &labels.container),
        ("pod", &labels.pod),
    ];
    let all = all.iter().filter(|(_, value)| !value.is_empty());
    let all: Vec<String> = all
        .map(|(key, value)| format!("{key}={}", escaped(value)))
        .collect();
    format!("{name}{{{}}}", all.join(","))
}

/// Escapes the characters that end a value in Pyroscope's notation, which has no escapes of its own.
fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for c in value.chars() {
        match c {
            '%' | ',' | '{' | '}' | '=' => escaped.push_str(&format!("%{:02X}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns the media type and the body of a form with the profile.
fn form(profile: &[u8], kind: &str) -> (String, Vec<u8>) {
    let config = json!({
        "contentions": {"units": "lock_samples", "display-name": format!("{kind}_count")},
        "delay": {"units": "lock_nanoseconds", "display-name": format!("{kind}_duration")},
    });
    let config = config.to_string().into_bytes();
    let boundaries = (0_u32..).map(|number| format!("locktoll-{number}"));
    let is_free = |boundary: &String| {
        let mut windows = profile.windows(boundary.len());
        !windows.any(|window| window == boundary.as_bytes())
    };
    let boundary = boundaries.into_iter().find(is_free).unwrap_or_default();
    let mut body = Vec::with_capacity(profile.len() + 1024);
    for (field, file, content) in [
        ("profile", "profile.pprof", profile),
        ("sample_type_config", "sample_type_config.json", &config),
    ] {
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{file}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(process: &str) -> ProcessLabels {
        ProcessLabels {
            process: process.to_owned(),
            container: "c1".to_owned(),
            pod: String::new(),
        }
    }

    #[test]
    fn the_labels_are_those_of_the_metrics() {
        assert_eq!(name(&of("server")), "server{process=server,container=c1}");
        assert_eq!(
            name(&of("a b{},x=\u{e9}")),
            "a_b___x__{process=a b%7B%7D%2Cx%3D\u{e9},container=c1}"
        );
        assert_eq!(name(&of("")), "unknown{container=c1}");
    }

    #[test]
    fn a_boundary_is_never_in_the_profile() {
        let (media_type, body) = form(b"--locktoll-0 locktoll-1", "mutex");
        assert_eq!(media_type, "multipart/form-data; boundary=locktoll-2");
        assert!(body.ends_with(b"\r\n--locktoll-2--\r\n"));
    }

    proptest! {
        #[test]
        fn no_name_ends_its_label_or_the_query(process in ".*") {
            let labels = of(&label(&process));
            let name = name(&labels);
            prop_assert_eq!(name.matches(['{', '}', ',']).count(), if labels.process.is_empty() { 2 } else { 3 });
            let interval = Interval::of(locktoll_made_up::sample::job_server(), 1_500_000_000, 2_500_000_000);
            let path = path(&labels, &interval);
            prop_assert_eq!(path.matches('&').count(), 3);
            prop_assert!(path.bytes().all(|it| it.is_ascii_graphic() && it != b'#'));
            prop_assert!(path.ends_with("&from=1&until=3&spyName=locktoll"));
        }
    }
}
