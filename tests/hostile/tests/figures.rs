//! Figures that no machine has, in each field of each document: shown in every format, or refused.

#![cfg(target_os = "linux")]

use locktoll_hostile::{Forms, Numbers, check_result, documents};
use locktoll_results::saved::{Saved, from_json};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The limits of a count, a count that a float cannot hold and rounds up, and floats that only a float field accepts.
fn limits() -> [Value; 6] {
    [
        json!(0),
        json!(u64::MAX),
        json!(u64::MAX - 1),
        json!((1_u64 << 53) + 3),
        json!(-1e300),
        json!(1e300),
    ]
}

/// Calls `each` with every number in `value`, and with the names of the fields that lead to it. Elements of a list share one path.
fn numbers(value: &mut Value, path: &str, each: &mut impl FnMut(&str, &mut Value)) {
    match value {
        Value::Number(_) => each(path, value),
        Value::Array(list) => list.iter_mut().for_each(|it| numbers(it, path, each)),
        Value::Object(fields) => {
            for (field, it) in fields.iter_mut() {
                numbers(it, &format!("{path}.{field}"), each);
            }
        }
        _ => {}
    }
}

/// How many sets of fields of each document are changed together.
fn sets() -> usize {
    match locktoll_needs::soak() {
        true => 400,
        false => 50,
    }
}

/// Reads the document with other numbers in the fields for which there is a limit. Returns `None` if it is refused.
fn read<'a>(document: &Value, limit_of: impl Fn(&str) -> Option<&'a Value>) -> Option<Saved> {
    let mut changed = document.clone();
    numbers(&mut changed, "", &mut |path, number| {
        // The schema's version stays as it is.
        if let Some(limit) = limit_of(path).filter(|_| path != ".schema") {
            number.clone_from(limit);
        }
    });
    match document["schema"].as_str() {
        // A recording may have figures with which a document is refused.
        Some("locktoll.profile/1") => serde_json::from_value(changed)
            .ok()
            .map(|profile| Saved::Profile(Box::new(profile))),
        _ => from_json("document", changed.to_string().as_bytes()).ok(),
    }
}

#[test]
fn each_figure_is_shown_at_its_limits_or_refused() {
    let (limits, mut chance) = (limits(), Numbers(2003));
    for (name, document) in documents() {
        let mut fields = BTreeMap::new();
        numbers(&mut document.clone(), "", &mut |path, _| {
            fields.insert(path.to_owned(), Vec::new());
        });
        let names: Vec<_> = fields.keys().cloned().collect();
        let mut held = 0;
        for (turn, field) in names.iter().enumerate() {
            for (number, limit) in limits.iter().enumerate() {
                let only = |path: &str| (path == field).then_some(limit);
                let Some(result) = read(&document, only) else {
                    continue;
                };
                // Each alone takes as long as all the rest.
                if locktoll_needs::soak() || number == turn % limits.len() {
                    check_result(&result, Forms::of(turn));
                }
                fields.get_mut(field).unwrap().push(limit);
                held += 1;
            }
        }
        assert!(held > names.len(), "{name}: {held}");
        // A sum overflows, and a part exceeds its whole, when several fields are at their limits: a third, a half or all of them.
        for turn in 0..sets() {
            let mut changed = BTreeMap::new();
            for (field, limits) in fields.iter().filter(|(_, limits)| !limits.is_empty()) {
                if chance.below(1 + turn % 3) == 0 {
                    changed.insert(field.as_str(), limits[chance.below(limits.len())]);
                }
            }
            if let Some(result) = read(&document, |path| changed.get(path).copied()) {
                check_result(&result, Forms::of(turn));
            }
        }
    }
}
