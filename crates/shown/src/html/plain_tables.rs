//! The tables of a timeline as markup, for browsers that do not run scripts.

use serde_json::Value;

use super::page::as_text;

/// Returns the timeline of a page's document.
pub fn timeline(document: &Value) -> Option<&Value> {
    Some(&document["page"]["timeline"]).filter(|it| it.is_object())
}

/// Returns the tables `{label, columns, rows}` of a page's timeline, all of whose contents are texts.
pub fn plain_tables(document: &Value) -> String {
    let tables = timeline(document).and_then(|it| it["tables"].as_array());
    tables.into_iter().flatten().map(table).collect()
}

fn table(table: &Value) -> String {
    let rows = texts(&table["rows"], |row| {
        format!("<tr>{}</tr>\n", cells(row, "td"))
    });
    let head = cells(&table["columns"], "th");
    let label = as_text(table["label"].as_str().unwrap_or_default());
    format!(
        "<h2>{label}</h2>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )
}

fn cells(list: &Value, element: &str) -> String {
    texts(list, |cell| {
        let text = as_text(cell.as_str().unwrap_or_default());
        format!("<{element} class=\"left\">{text}</{element}>")
    })
}

fn texts(list: &Value, text: impl Fn(&Value) -> String) -> String {
    list.as_array().into_iter().flatten().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn contents_stay_text() {
        let table =
            json!({ "label": "a <b>", "columns": ["x"], "rows": [["<img src=x>"], ["\u{1b}[2J"]] });
        let markup = plain_tables(&json!({ "page": { "timeline": { "tables": [table] } } }));
        assert!(
            !markup.contains("<img") && !markup.contains('\u{1b}'),
            "{markup}"
        );
        assert!(
            markup.contains("<td class=\"left\">&lt;img src=x></td>"),
            "{markup}"
        );
        assert_eq!(plain_tables(&json!({ "schema": "locktoll.none/1" })), "");
    }
}
