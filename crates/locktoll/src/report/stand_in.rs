//! The line that nobody can overlook: figures from something that only plays the system, or the processor.

use anstyle::{AnsiColor, Effects, Style};
use serde_json::Value;

use super::html::stand_in_words;

const LOUD: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);

/// What a document's figures come from, as the first line of a text, with an empty line behind it; nothing where all is real.
pub fn stand_in_line(document: &Value) -> String {
    stand_in_words(document).map_or_else(String::new, |words| {
        format!("{LOUD}*** {words} ***{LOUD:#}\n\n")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_line_stands_by_itself_and_only_where_it_is_needed() {
        let of = |stand_in: Value| stand_in_line(&json!({ "machine": { "stand_in": stand_in } }));
        let line = of(json!("Wine 8.0, not Windows"));
        assert!(
            line.contains("*** Wine 8.0, not Windows: the figures say nothing about Windows ***")
        );
        assert!(line.ends_with("\n\n"));
        assert_eq!(of(Value::Null), "");
    }
}
