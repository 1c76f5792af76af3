//! What values a JSON Schema permits, as a list of alternatives: references followed, `oneOf` and `anyOf` unfolded.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// One kind of value that is permitted.
#[derive(Clone, Debug, PartialEq)]
pub enum Alternative<'a> {
    /// Any value at all.
    Any,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// A text. With a list, only a text of that list.
    Text(Option<BTreeSet<&'a str>>),
    /// A list of such values; `None` for any.
    List(Option<&'a Value>),
    /// An object.
    Object(Fields<'a>),
}

/// The fields of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields<'a> {
    /// The schema of each named field.
    pub named: BTreeMap<&'a str, &'a Value>,
    /// The fields that are always there.
    pub required: BTreeSet<&'a str>,
    /// The schema of the values of a map.
    pub others: Option<&'a Value>,
}

impl Alternative<'_> {
    /// A word for messages.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Null => "null",
            Self::Boolean => "a truth value",
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Returns the alternatives of `schema`, a part of the document `root`. Texts are one alternative with all of their words.
pub fn alternatives<'a>(root: &'a Value, schema: &'a Value) -> Vec<Alternative<'a>> {
    let mut all = Vec::new();
    collect(root, schema, &Fields::default(), &mut all);
    united(all)
}

/// Adds the alternatives of `schema`, whose objects also have the fields `around` it.
fn collect<'a>(
    root: &'a Value,
    schema: &'a Value,
    around: &Fields<'a>,
    all: &mut Vec<Alternative<'a>>,
) {
    let Value::Object(parts) = schema else {
        all.push(Alternative::Any);
        return;
    };
    let mut fields = around.clone();
    add_fields(parts, &mut fields);
    if let Some(Value::String(reference)) = parts.get("$ref") {
        let pointer = reference.trim_start_matches('#');
        return match root.pointer(pointer) {
            Some(target) => collect(root, target, &fields, all),
            None => all.push(Alternative::Any),
        };
    }
    let choices = ["oneOf", "anyOf"].iter().filter_map(|key| parts.get(*key));
    let choices: Vec<&Value> = choices.filter_map(Value::as_array).flatten().collect();
    if !choices.is_empty() {
        for choice in choices {
            collect(root, choice, &fields, all);
        }
        return;
    }
    if let Some(Value::Array(parts)) = parts.get("allOf") {
        // Each part adds fields to the same object.
        for part in parts {
            let target = part["$ref"].as_str();
            let target = target.and_then(|it| root.pointer(it.trim_start_matches('#')));
            if let Some(Value::Object(parts)) = target.or(Some(part)) {
                add_fields(parts, &mut fields);
            }
        }
        all.push(Alternative::Object(fields));
        return;
    }
    let words = parts.get("const").into_iter();
    let listed = parts.get("enum").and_then(Value::as_array);
    let words: Vec<&Value> = words.chain(listed.into_iter().flatten()).collect();
    if !words.is_empty() {
        all.extend(words.into_iter().map(of_value));
        return;
    }
    let kinds: Vec<&str> = match parts.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        // A flattened part has fields, and sometimes no type.
        _ if !fields.named.is_empty() => vec!["object"],
        _ => vec![""],
    };
    for kind in kinds {
        all.push(match kind {
            "null" => Alternative::Null,
            "boolean" => Alternative::Boolean,
            "integer" => Alternative::Integer,
            "number" => Alternative::Number,
            "string" => Alternative::Text(None),
            "array" => Alternative::List(parts.get("items")),
            "object" => Alternative::Object(fields.clone()),
            _ => Alternative::Any,
        });
    }
}

fn add_fields<'a>(parts: &'a Map<String, Value>, fields: &mut Fields<'a>) {
    if let Some(Value::Object(named)) = parts.get("properties") {
        fields
            .named
            .extend(named.iter().map(|(name, schema)| (name.as_str(), schema)));
    }
    if let Some(Value::Array(required)) = parts.get("required") {
        fields
            .required
            .extend(required.iter().filter_map(Value::as_str));
    }
    let others = parts.get("additionalProperties");
    if let Some(others) = others.filter(|it| it.is_object() || **it == Value::Bool(true)) {
        fields.others = Some(others);
    }
}

/// Returns the kind of one permitted value.
fn of_value(value: &Value) -> Alternative<'_> {
    match value {
        Value::Null => Alternative::Null,
        Value::Bool(_) => Alternative::Boolean,
        Value::Number(number) if number.is_f64() => Alternative::Number,
        Value::Number(_) => Alternative::Integer,
        Value::String(word) => Alternative::Text(Some(BTreeSet::from([word.as_str()]))),
        Value::Array(_) => Alternative::List(None),
        Value::Object(_) => Alternative::Object(Fields::default()),
    }
}

/// Makes one alternative of all texts, and leaves out repetitions.
fn united(all: Vec<Alternative<'_>>) -> Vec<Alternative<'_>> {
    let mut united: Vec<Alternative> = Vec::new();
    let mut words: Option<Option<BTreeSet<&str>>> = None;
    for alternative in all {
        match alternative {
            Alternative::Text(these) => {
                words = Some(match (words.take(), these) {
                    (None, these) => these,
                    (Some(Some(mut words)), Some(these)) => {
                        words.extend(these);
                        Some(words)
                    }
                    _ => None,
                });
            }
            other if united.contains(&other) => {}
            other => united.push(other),
        }
    }
    united.extend(words.map(Alternative::Text));
    united
}
