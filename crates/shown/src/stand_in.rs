//! The line about figures from a replacement of the system or the processor, which no reader can overlook.

use anstyle::{AnsiColor, Effects, Style};
const LOUD: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);

/// Says where a result's figures come from, as the first line of a text, followed by an empty line. Returns an empty text if
/// everything is real.
pub fn stand_in_line(stand_in: Option<String>) -> String {
    stand_in.map_or_else(String::new, |words| {
        format!("{LOUD}*** {words} ***{LOUD:#}\n\n")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::stand_in_words;
    use serde_json::{Value, json};

    #[test]
    fn the_line_stands_by_itself_and_only_where_it_is_needed() {
        let of = |stand_in: Value| {
            stand_in_line(stand_in_words(
                &json!({ "machine": { "stand_in": stand_in } }),
            ))
        };
        let line = of(json!("Wine 8.0, not Windows"));
        assert!(
            line.contains("*** Wine 8.0, not Windows: the figures say nothing about Windows ***")
        );
        assert!(line.ends_with("\n\n"));
        assert_eq!(of(Value::Null), "");
    }
}
