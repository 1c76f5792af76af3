//! The blocks of a timeline, each in an element of its own: a browser reads many elements of some hundred kilobytes about five
//! times as fast as one element with all of them.

use serde_json::{Map, Value, json};

use super::plain_tables::timeline;

/// Returns the document without the data of its timeline's blocks, which get the ids of their elements instead, and the
/// elements. `number` distinguishes the documents of a page.
pub fn apart(document: &Value, number: usize) -> (Value, String) {
    let blocks = timeline(document).and_then(|it| it["blocks"].as_array());
    let Some(blocks) = blocks else {
        return (document.clone(), String::new());
    };
    let mut elements = String::new();
    let mut left = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let id = format!("timeline-{number}-{at}");
        let data = block["data"].as_str().unwrap_or_default();
        // A document from elsewhere may have anything there.
        let is_base64 = |it: char| it.is_ascii_alphanumeric() || "+/=".contains(it);
        if data.chars().all(is_base64) {
            for part in [
                "<script type=\"text/plain\" id=\"",
                &id,
                "\">",
                data,
                "</script>\n",
            ] {
                elements.push_str(part);
            }
        }
        left.push(json!({ "n": block["n"], "id": id }));
    }
    let left = Value::from(left);
    let path = ["page", "timeline", "blocks"];
    (with(document, &path, &left), elements)
}

/// Returns a copy with another value at a path. The value there is not copied.
fn with(document: &Value, path: &[&str], value: &Value) -> Value {
    let [first, rest @ ..] = path else {
        return value.clone();
    };
    let fields = document.as_object().into_iter().flatten();
    let copied = fields.map(|(name, field)| {
        let field = match name == first {
            true => with(field, rest, value),
            false => field.clone(),
        };
        (name.clone(), field)
    });
    copied.collect::<Map<String, Value>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_data_of_blocks_moves() {
        let blocks = json!([{ "n": 2, "data": "QUJD" }, { "n": 1, "data": "</script><img>" }]);
        let document =
            json!({ "a": 1, "page": { "b": 2, "timeline": { "c": 3, "blocks": blocks } } });
        let (left, elements) = apart(&document, 4);
        let blocks = json!([{ "n": 2, "id": "timeline-4-0" }, { "n": 1, "id": "timeline-4-1" }]);
        let expected =
            json!({ "a": 1, "page": { "b": 2, "timeline": { "c": 3, "blocks": blocks } } });
        assert_eq!(left, expected);
        assert_eq!(
            elements,
            "<script type=\"text/plain\" id=\"timeline-4-0\">QUJD</script>\n"
        );
        let plain = json!({ "a": [1] });
        assert_eq!(apart(&plain, 0), (plain.clone(), String::new()));
    }
}
