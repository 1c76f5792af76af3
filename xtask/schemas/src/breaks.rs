//! What a change of a schema breaks in a program that was written for the old one and reads results of the new one.
//!
//! Additions are free: new fields, new words, new forms of an object. A field that disappears, has another name, another type, or
//! is optional now, is a break, and so is a word that disappears.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::shape::{Alternative, Fields, alternatives};

/// One thing that readers of the old schema relied on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The field, as in `locks[].wait_ns`; empty for the document itself.
    pub place: String,
    /// What happened to it.
    pub what: String,
}

impl fmt::Display for Break {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(to, "the document: {}", self.what),
            place => write!(to, "`{place}`: {}", self.what),
        }
    }
}

/// Returns everything that the change from `old` to `new` breaks; both are whole documents.
pub fn breaks(old: &Value, new: &Value) -> Vec<Break> {
    Comparison {
        old,
        new,
        seen: BTreeSet::new(),
    }
    .of("", old, new)
}

struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Pairs of references that are being compared further out, so that a type may contain itself.
    seen: BTreeSet<(String, String)>,
}

impl Comparison<'_> {
    fn of(&mut self, place: &str, old: &Value, new: &Value) -> Vec<Break> {
        let reference = |schema: &Value| schema["$ref"].as_str().map(str::to_owned);
        let pair = reference(old).zip(reference(new));
        if let Some(pair) = &pair
            && !self.seen.insert(pair.clone())
        {
            return Vec::new();
        }
        let found = self.of_alternatives(
            place,
            &alternatives(self.old, old),
            &alternatives(self.new, new),
        );
        if let Some(pair) = pair {
            self.seen.remove(&pair);
        }
        found
    }

    fn of_alternatives(
        &mut self,
        place: &str,
        old: &[Alternative],
        new: &[Alternative],
    ) -> Vec<Break> {
        let at = |what: String| Break {
            place: place.to_owned(),
            what,
        };
        if old.contains(&Alternative::Any) {
            return Vec::new();
        }
        let unknown = new
            .iter()
            .filter(|new| !old.iter().any(|old| admits(old, new)));
        let nouns: BTreeSet<&str> = unknown.map(Alternative::noun).collect();
        let mut found: Vec<Break> = nouns
            .into_iter()
            .map(|noun| at(format!("may now be {noun}, and was {}", listed(old))))
            .collect();
        if !found.is_empty() {
            return found;
        }
        let has_value = |all: &[Alternative]| all.iter().any(|it| *it != Alternative::Null);
        if has_value(old) && !has_value(new) {
            found.push(at("is now always null".to_owned()));
            return found;
        }
        for before in old {
            // The form of an object that lost least is what became of it.
            let candidates = new.iter().filter(|after| admits(before, after));
            let lost = candidates.map(|after| self.of_one(place, before, after));
            found.extend(lost.min_by_key(Vec::len).unwrap_or_default());
        }
        found
    }

    fn of_one(&mut self, place: &str, old: &Alternative, new: &Alternative) -> Vec<Break> {
        match (old, new) {
            (Alternative::Text(Some(old)), Alternative::Text(Some(new))) => old
                .difference(new)
                .map(|word| Break {
                    place: place.to_owned(),
                    what: format!("the word \"{word}\" is gone"),
                })
                .collect(),
            (Alternative::List(Some(old)), Alternative::List(new)) => {
                let any = Value::Bool(true);
                self.of(&format!("{place}[]"), old, new.unwrap_or(&any))
            }
            (Alternative::Object(old), Alternative::Object(new)) => self.of_fields(place, old, new),
            _ => Vec::new(),
        }
    }

    fn of_fields(&mut self, place: &str, old: &Fields, new: &Fields) -> Vec<Break> {
        let below = |name: &str| match place {
            "" => name.to_owned(),
            place => format!("{place}.{name}"),
        };
        let mut found = Vec::new();
        for (name, before) in &old.named {
            let place = below(name);
            let Some(after) = new.named.get(name) else {
                let what = "is gone, or has another name".to_owned();
                found.push(Break { place, what });
                continue;
            };
            if old.required.contains(name) && !new.required.contains(name) {
                found.push(Break {
                    place: place.clone(),
                    what: "is optional now".to_owned(),
                });
            }
            found.extend(self.of(&place, before, after));
        }
        if let Some(before) = old.others {
            let place = below("*");
            match new.others {
                Some(after) => found.extend(self.of(&place, before, after)),
                None => found.push(Break {
                    place,
                    what: "the object no longer takes any name".to_owned(),
                }),
            }
        }
        found
    }
}

/// Whether a reader that expects `old` can read a value of the kind `new`.
fn admits(old: &Alternative, new: &Alternative) -> bool {
    matches!(
        (old, new),
        (Alternative::Any, _)
            | (Alternative::Null, Alternative::Null)
            | (Alternative::Boolean, Alternative::Boolean)
            | (Alternative::Integer, Alternative::Integer)
            | (
                Alternative::Number,
                Alternative::Number | Alternative::Integer
            )
            | (Alternative::Text(_), Alternative::Text(_))
            | (Alternative::List(_), Alternative::List(_))
            | (Alternative::Object(_), Alternative::Object(_))
    )
}

fn listed(all: &[Alternative]) -> String {
    let mut nouns: Vec<&str> = all.iter().map(Alternative::noun).collect();
    nouns.dedup();
    nouns.join(" or ")
}
