//! Documents as `--json` writes them, of which tests change a name or a figure.

use std::fs;
use std::path::Path;

use locktoll_made_up::sample;
use locktoll_results::profile::Profile;
use locktoll_results::saved::from_json;
use locktoll_shown::{Content, Formats, Selection, SortKey, Subject};
use serde_json::Value;

use crate::forms::PLACE;

/// Pages are made of these. Profiles are packed in theirs, so they are made anew here.
const RESULTS: &str = "../../crates/locktoll/tests/page/documents";

/// Returns documents of every kind by name, each of which `report` reads.
pub fn documents() -> Vec<(String, Value)> {
    let mut all = results();
    assert!(all.len() > 6, "{} results", all.len());
    for (name, made) in [
        ("profile", sample::job_server()),
        ("attach", sample::attached_server()),
    ] {
        let document = profile(&made);
        from_json(name, document.to_string().as_bytes()).expect("a document");
        all.push((name.to_owned(), document));
    }
    all
}

fn results() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(RESULTS);
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder of the repository")
        .map(|entry| entry.expect("a file of it").path())
        .collect();
    files.sort();
    let read = files.iter().filter_map(|file| {
        let name = file.file_name()?.to_string_lossy().into_owned();
        let text = fs::read(file).ok()?;
        from_json(&name, &text).ok()?;
        Some((name, serde_json::from_slice(&text).ok()?))
    });
    read.collect()
}

fn profile(profile: &Profile) -> Value {
    let whole = Selection::new(profile, SortKey::Wait, None);
    let json = Formats::OfProfiles.iter().find(|it| it.name == "json");
    let documents = json
        .expect("a format of profiles")
        .documents(Subject::Profile(&whole), PLACE)
        .expect("a document");
    match &documents[0].content {
        Content::Plain(text) => serde_json::from_str(text).expect("JSON"),
        _ => unreachable!("JSON has no styles"),
    }
}
