//! The label of figures that do not come from the real thing, but from a program that replaces the system or the processor.

use serde_json::Value;

/// Says where a document's figures come from instead of the real thing, and what they do not show. Returns `None` if all are
/// from the real thing. A document has a `stand_in` wherever it has a machine.
pub fn stand_in_words(document: &Value) -> Option<String> {
    let mut found: Vec<&str> = Vec::new();
    gather(document, &mut found);
    let said: Vec<String> = found.iter().map(|it| words(it)).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Adds to `Wine 8.0, not Windows` what that means for the figures.
fn words(stand_in: &str) -> String {
    match stand_in.split_once(", not ") {
        Some((_, real)) => format!("{stand_in}: the figures say nothing about {real}"),
        None => format!("{stand_in}: the figures say nothing about what it stands in for"),
    }
}

/// Collects each only once, in order of appearance.
fn gather<'d>(value: &'d Value, found: &mut Vec<&'d str>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "stand_in" => {
                        if !found.contains(&text.as_str()) {
                            found.push(text);
                        }
                    }
                    other => gather(other, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_stand_in_is_told_once_wherever_its_machine_stands() {
        let document = json!({
            "machine": { "stand_in": "Wine 8.0, not Windows" },
            "b": [{ "machine": { "stand_in": "Wine 8.0, not Windows" } }, { "stand_in": "a model" }],
        });
        assert_eq!(
            stand_in_words(&document).unwrap(),
            "Wine 8.0, not Windows: the figures say nothing about Windows; a model: the figures say nothing about what it \
             stands in for"
        );
    }

    #[test]
    fn the_real_thing_needs_no_word() {
        let document = json!({ "machine": { "kernel": "6.1", "stand_in": null } });
        assert_eq!(stand_in_words(&document), None);
    }
}
