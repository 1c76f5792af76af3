use proptest::prelude::*;
use serde_json::{Value, json};

use crate::arguments::InputArgs;
use crate::compare::{Results, between};
use crate::saved::open;
use locktoll_made_up::made_up;
use locktoll_made_up::sample;
use locktoll_results::Kind;
use locktoll_results::saved::{Saved, from_json, safe};
use locktoll_shown::SortKey;
use locktoll_shown::{Formats, Place, Selection, Shown, Side, Subject, View};
use locktoll_terminal::failure::Failure;

/// Returns one document of each kind.
fn documents() -> Vec<Value> {
    let bench = made_up::contended();
    let of = |bench| Results::of("x.json", vec![Saved::Bench(Box::new(bench))]);
    let comparison = between(&of(bench.clone()), &of(bench.clone()), None).unwrap();
    vec![
        bench.json().unwrap(),
        made_up::machine_result().json().unwrap(),
        made_up::reproduction().json().unwrap(),
        super::tour::tour().json().unwrap(),
        serde_json::to_value(sample::job_server()).unwrap(),
        made_up::trial::broken().json().unwrap(),
        comparison.json().unwrap(),
        made_up::kernel().json().unwrap(),
    ]
}

fn read(document: &Value) -> Result<Saved, Failure> {
    from_json("x.json", document.to_string().as_bytes())
}

const PLACE: Place<'_> = Place {
    width: 100,
    holds_one: false,
    pictures: None,
};

/// Shows a result in every format.
fn show(saved: &Saved) {
    match saved {
        Saved::Bench(it) => drop(it.text()),
        Saved::Machine(it) => drop(it.text()),
        Saved::Reproduce(it) => drop(it.text()),
        Saved::Tour(it) => drop(it.text()),
        Saved::Try(it) => drop(it.text()),
        Saved::Compare(it) => drop(it.text()),
        Saved::Kernel(it) => drop(it.text()),
        Saved::Hang(it) => drop(it.text()),
        Saved::WhatIf(it) => drop(it.text()),
        Saved::Advise(it) => drop(it.text()),
        Saved::Profile(it) => {
            let views = [
                View::Locks,
                View::Sites,
                View::Blame,
                View::Stacks,
                View::Threads,
            ];
            let first = it
                .locks
                .first()
                .map(|lock| lock.id.clone())
                .unwrap_or_default();
            let all = Selection::new(it, SortKey::Hold, None);
            let selections = [Some(all), Selection::open(it, &first).ok()];
            for selection in selections.into_iter().flatten() {
                for view in views {
                    let side = Some(Side::Holder);
                    let selection = selection.clone().with_view(view).with_side(side);
                    for format in Formats::OfProfiles.iter() {
                        // A subject with nothing to draw says so.
                        drop(format.documents(Subject::Profile(&selection), PLACE));
                    }
                }
            }
        }
    }
}

#[test]
fn every_kind_is_read_back_as_it_was() {
    for (kind, document) in Kind::ALL.into_iter().zip(documents()) {
        let saved = read(&document).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        assert_eq!(saved.kind(), kind);
        let again = match &saved {
            Saved::Bench(it) => it.json(),
            Saved::Machine(it) => it.json(),
            Saved::Reproduce(it) => it.json(),
            Saved::Tour(it) => it.json(),
            Saved::Try(it) => it.json(),
            Saved::Compare(it) => it.json(),
            Saved::Kernel(it) => it.json(),
            Saved::Hang(it) => it.json(),
            Saved::WhatIf(it) => it.json(),
            Saved::Advise(it) => it.json(),
            Saved::Profile(it) => Ok(serde_json::to_value(it).unwrap()),
        };
        let expected = match kind {
            Kind::Profile => document,
            // One of its names contains control sequences for a terminal.
            _ => safe(document),
        };
        assert_eq!(rounded(&again.unwrap()), rounded(&expected), "{kind:?}");
        show(&saved);
    }
}

/// Returns the document with numbers to nine digits: the last digit of a fraction may change when it is read.
fn rounded(document: &Value) -> String {
    match document {
        Value::Number(number) => format!("{:.9e}", number.as_f64().unwrap()),
        Value::Array(list) => list.iter().map(|it| rounded(it) + ",").collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, it)| format!("{name}:{},", rounded(it)));
            fields.collect()
        }
        other => other.to_string(),
    }
}

/// Characters with which a text could control a terminal.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{9b}2J\r\u{202e}\u{61c}";

/// Finds the places of the texts in a document.
fn texts(document: &Value, at: &str, found: &mut Vec<String>) {
    match document {
        Value::String(_) => found.push(at.to_owned()),
        Value::Array(list) => {
            for (number, it) in list.iter().enumerate() {
                texts(it, &format!("{at}/{number}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, it) in fields {
                texts(
                    it,
                    &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            }
        }
        _ => {}
    }
}

fn poison(document: &mut Value, at: &str) {
    let text = document.pointer_mut(at).unwrap();
    *text = Value::String(text.as_str().unwrap().to_owned() + HOSTILE);
}

#[test]
fn no_text_of_any_kind_of_document_steers_a_terminal() {
    for (kind, document) in Kind::ALL.into_iter().zip(documents()) {
        let mut all = Vec::new();
        texts(&document, "", &mut all);
        let mut hostile = document.clone();
        let mut poisoned = 0;
        let mut shapes = std::collections::HashSet::new();
        for at in &all {
            // A text that is accepted at one place of a list is accepted at all; one place is enough.
            let shape: String = at.chars().filter(|it| !it.is_ascii_digit()).collect();
            if !shapes.insert(shape) {
                continue;
            }
            let before = hostile.clone();
            poison(&mut hostile, at);
            match read(&hostile) {
                Ok(_) => poisoned += 1,
                // A word from a fixed list, such as a verdict; the line that refuses it must be safe to show.
                Err(Failure::Usage(words)) => {
                    assert!(
                        !words.contains(char::is_control),
                        "{kind:?} {at}: {words:?}"
                    );
                    hostile = before;
                }
                Err(other) => panic!("{kind:?} {at}: {other:?}"),
            }
        }
        assert!(poisoned > 5, "{kind:?}: {poisoned} of {}", all.len());
        let saved = read(&hostile).unwrap();
        let pages = match &saved {
            Saved::Bench(it) => vec![it.text(), it.title()],
            Saved::Machine(it) => vec![it.text(), it.title()],
            Saved::Reproduce(it) => vec![it.text(), it.title()],
            Saved::Tour(it) => vec![it.text(), it.title()],
            Saved::Try(it) => vec![it.text(), it.title()],
            Saved::Compare(it) => vec![it.text(), it.title()],
            Saved::Kernel(it) => vec![it.text(), it.title()],
            Saved::Hang(it) => vec![it.text(), it.title()],
            Saved::WhatIf(it) => vec![it.text(), it.title()],
            Saved::Advise(it) => vec![it.text(), it.title()],
            Saved::Profile(it) => {
                let selection = Selection::new(it, SortKey::Wait, None);
                vec![selection.text_within(100), selection.title()]
            }
        };
        for page in pages {
            for part in ["\u{1b}]", "\u{7}", "\u{9b}", "\r", "\u{202e}", "\u{61c}"] {
                assert!(!page.contains(part), "{kind:?}: {part:?} in {page}");
            }
        }
        let side = |saved| Results::of("x", vec![saved]);
        if kind != Kind::Compare {
            let comparison = between(&side(saved), &side(read(&document).unwrap()), None).unwrap();
            let page = comparison.text();
            for part in ["\u{1b}]", "\u{7}", "\u{9b}", "\r", "\u{202e}", "\u{61c}"] {
                assert!(!page.contains(part), "{kind:?}: {part:?} in {page}");
            }
        }
    }
}

#[test]
fn a_shell_may_have_written_it_in_another_encoding() {
    let text = format!("  \n{}", documents()[0]);
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let marked = format!("\u{feff}{text}");
        marked.encode_utf16().flat_map(bytes).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    for bytes in [
        text.clone().into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
    ] {
        std::fs::write(&path, &bytes).unwrap();
        let saved = open(&path, InputArgs::default()).unwrap();
        assert_eq!(saved.kind(), Kind::Bench, "{:?}", &bytes[..8]);
    }
    // Cut off within a character.
    let whole = utf16(u16::to_le_bytes);
    let (code, words) = refused(&whole[..whole.len() / 2 - 1]);
    assert!(code == 2 && words.contains("is incomplete"), "{words}");
}

/// Returns what `open` says about a file that holds `content`.
fn refused(content: &[u8]) -> (u8, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    std::fs::write(&path, content).unwrap();
    match open(&path, InputArgs::default()) {
        Ok(saved) => panic!("{content:?} was taken as {:?}", saved.kind()),
        Err(Failure::Usage(words)) => (2, words),
        Err(Failure::Unsupported(words)) => (3, words),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn what_cannot_be_read_is_one_line_that_says_why() {
    for (text, code, expected) in [
        ("", 2, "is truncated"),
        (" \n\t", 2, "not a locktoll recording or result"),
        ("LOCKT", 2, "is truncated"),
        ("\u{7f}ELF", 2, "not a locktoll recording or result"),
        ("[1, 2]", 2, "not a locktoll recording or result"),
        ("[1, 2]", 2, "or JSON that another verb of locktoll wrote"),
        (" \n{", 2, "is incomplete: it ends in the middle of a value"),
        ("{", 2, "is incomplete"),
        ("{}", 2, "is JSON, but was not written by locktoll"),
        (
            r#"{"schema": 1}"#,
            2,
            "is JSON, but was not written by locktoll",
        ),
        (r#"{"schema": "other.bench/1"}"#, 2, "not one of locktoll's"),
        (
            r#"{"schema": "locktoll.bnech/1"}"#,
            2,
            "not one of locktoll's",
        ),
        (
            r#"{"schema": "locktoll.bench/0"}"#,
            2,
            "not one of locktoll's",
        ),
        (
            r#"{"schema": "locktoll.bench/one"}"#,
            2,
            "not one of locktoll's",
        ),
        (
            r#"{"schema": "locktoll.bench/2"}"#,
            3,
            "(format bench/2; this version reads up to bench/1)",
        ),
        (
            r#"{"schema": "locktoll.profile/99"}"#,
            3,
            "(format profile/99; this version reads up to profile/1); upgrade locktoll",
        ),
        (r#"{"schema": "locktoll.bench/1"}"#, 2, "missing field"),
        (
            r#"{"schema": "locktoll.bench/1", "repeat": NaN}"#,
            2,
            "not valid JSON",
        ),
        (
            r#"{"schema": "locktoll.bench/1", "repeat": 1e999}"#,
            2,
            "not valid JSON",
        ),
        (
            r#"{"schema": "locktoll.bench/1", "repeat": 1e99}"#,
            2,
            "`repeat`",
        ),
        (
            "{\"schema\": \"\\u001b[2Jlocktoll.bench/1\"}",
            2,
            "not one of locktoll's",
        ),
    ] {
        let (found, words) = refused(text.as_bytes());
        assert_eq!(found, code, "{text}: {words}");
        assert!(
            words.contains(expected) && words.contains("x.json"),
            "{words}"
        );
        assert!(!words.chars().any(char::is_control), "{words:?}");
    }
}

/// Puts something else in place of one of the values, or removes it.
fn damage(document: &mut Value, place: usize, other: &Option<Value>) {
    let mut paths = Vec::new();
    walk(document, String::new(), &mut paths);
    let path = &paths[place % paths.len()];
    match (other, path.rsplit_once('/')) {
        (Some(other), _) => *document.pointer_mut(path).unwrap() = other.clone(),
        (None, Some((parent, name))) => match document.pointer_mut(parent).unwrap() {
            Value::Object(fields) => drop(fields.remove(name)),
            Value::Array(list) => drop(list.remove(name.parse().unwrap())),
            _ => {}
        },
        (None, None) => {}
    }
}

/// Collects pointers to all values except the schema.
fn walk(value: &Value, at: String, paths: &mut Vec<String>) {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "schema" && !name.contains(['/', '~']))
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .map(|(at, value)| (at.to_string(), value))
            .collect(),
        _ => Vec::new(),
    };
    for (name, value) in inside {
        let at = format!("{at}/{name}");
        paths.push(at.clone());
        walk(value, at, paths);
    }
}

fn anything() -> impl Strategy<Value = Option<Value>> {
    prop::sample::select(vec![
        None,
        Some(Value::Null),
        Some(json!(0)),
        Some(json!(-1)),
        Some(json!(1)),
        Some(json!(1e-300)),
        Some(json!(99_999_999_999_999_999_u64)),
        Some(json!(-9e16)),
        Some(json!(u64::MAX)),
        Some(json!("")),
        Some(json!("\u{1b}[2J\n")),
        Some(json!([])),
        Some(json!({})),
        Some(json!(true)),
    ])
}

proptest! {
    // Each case is shown in every form; set PROPTEST_CASES for more.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(4), ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_document_is_shown_or_refused_in_one_line(
        kind in 0usize..6,
        damages in prop::collection::vec((any::<usize>(), anything()), 1..4),
    ) {
        let mut document = DOCUMENTS.with(|all| all[kind].clone());
        for (place, other) in &damages {
            damage(&mut document, *place, other);
        }
        match read(&document) {
            Ok(saved) => {
                show(&saved);
                if saved.kind() != Kind::Compare {
                    let whole = read(&DOCUMENTS.with(|all| all[kind].clone())).unwrap();
                    let (a, b) = (Results::of("a", vec![saved]), Results::of("b", vec![whole]));
                    for (a, b) in [(&a, &b), (&b, &a), (&a, &a)] {
                        drop(between(a, b, None).unwrap().text());
                    }
                }
            }
            Err(failure) => {
                let words = failure.to_string();
                prop_assert!(!words.chars().any(char::is_control), "{:?}", words);
            }
        }
    }

    #[test]
    fn any_bytes_are_refused_in_one_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (code, words) = refused(&bytes);
        prop_assert_eq!(code, 2);
        prop_assert!(!words.chars().any(char::is_control), "{:?}", words);
        let words = from_json("x", &bytes).err().map(|failure| failure.to_string());
        prop_assert!(words.is_some_and(|words| !words.chars().any(char::is_control)));
    }
}

thread_local! {
    static DOCUMENTS: Vec<Value> = documents();
}
