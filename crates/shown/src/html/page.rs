//! The page around the data.

use serde_json::Value;

use super::assets::{SCRIPTS, STYLES, TEMPLATE, TIMELINE_SCRIPTS, TIMELINE_STYLE, WHATIF_SCRIPTS};
use super::lean;
use super::plain_tables::{plain_tables, timeline};
use super::policy::policy;
use super::stand_in_words;
use super::timeline_blocks::apart;
use super::vendored::{ECHARTS, licences};
use crate::json::visible;
use locktoll_results::whatif::WhatIfResult;

/// Returns a page that shows `documents`, each drawn according to its schema.
///
/// # Errors
/// If a document cannot be written as JSON.
pub fn page(title: &str, documents: &[Value]) -> anyhow::Result<String> {
    page_with(title, documents, "")
}

/// Returns the same with `drawn` below the documents, which is markup.
///
/// # Errors
/// As [`page`].
pub fn page_with(title: &str, documents: &[Value], drawn: &str) -> anyhow::Result<String> {
    let (apart, blocks): (Vec<Value>, Vec<String>) = documents
        .iter()
        .enumerate()
        .map(|(number, document)| apart(document, number))
        .unzip();
    let data = as_script_data(&serde_json::to_string(&apart)?);
    let blocks = blocks.concat();
    let title = as_text(title);
    // One element: the policy would hold a hash for each.
    let has_timeline = documents.iter().any(|it| timeline(it).is_some());
    let (more_scripts, more_style) = match has_timeline {
        true => (TIMELINE_SCRIPTS, TIMELINE_STYLE),
        false => (&[][..], ""),
    };
    let has_whatif = documents
        .iter()
        .any(|it| it["schema"] == WhatIfResult::SCHEMA);
    let of_whatif = if has_whatif { WHATIF_SCRIPTS } else { &[] };
    let own = SCRIPTS.iter().chain(more_scripts).chain(of_whatif);
    let own: Vec<String> = own.map(|it| lean::script(it)).collect();
    let own = own.join("\n");
    let scripts = [ECHARTS, own.as_str()];
    let stand_ins: Vec<String> = documents.iter().filter_map(stand_in_words).collect();
    let stand_in = match stand_ins.is_empty() {
        true => String::new(),
        false => format!(
            "<header><p class=\"problem stand-in\" role=\"alert\"><strong>{}</strong></p></header>\n",
            as_text(&stand_ins.join("; "))
        ),
    };
    let style = lean::style(&(STYLES.concat() + more_style));
    let tables: String = documents.iter().map(plain_tables).collect();
    let section = match drawn {
        "" => String::new(),
        drawn => format!("<aside>\n{drawn}</aside>\n"),
    };
    let licences = as_markup(&licences());
    let policy = policy(scripts.iter().copied());
    let elements: String = scripts
        .iter()
        .flat_map(|script| ["<script>", script, "</script>\n"])
        .collect();
    Ok(filled(TEMPLATE, |slot| match slot {
        "title" => &title,
        "policy" => &policy,
        "style" => &style,
        "stand-in" => &stand_in,
        "tables" => &tables,
        "drawn" => &section,
        "data" => &data,
        "blocks" => &blocks,
        "scripts" => &elements,
        "licences" => &licences,
        "version" => locktoll_terminal::version::version(),
        _ => panic!("the template has a slot {slot} that nothing goes into"),
    }))
}

/// Replaces each `{{slot}}` of the template. The inserted text is not searched for slots again.
fn filled<'a>(template: &'a str, content: impl Fn(&str) -> &'a str) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (slot, after) = behind.split_once("}}").expect("a slot is closed");
        page.push_str(before);
        page.push_str(content(slot));
        rest = after;
    }
    page.push_str(rest);
    page
}

/// Makes JSON that cannot end its block: `<` could begin the block's end (`</script>`) or a comment. In JSON it occurs only in
/// strings, where an escape means the same. A page may also be written to a terminal.
fn as_script_data(json: &str) -> String {
    visible(json, |character| character == '<')
}

/// Escapes text, so that it stays text in the template.
pub fn as_text(text: &str) -> String {
    let visible = text
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it });
    let text: String = visible.collect();
    as_markup(&text)
}

fn as_markup(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whatever_a_program_calls_itself_stays_data() {
        let hostile = "</script><img src=x onerror=alert(1)><!--\u{2028}{{data}}\0\u{202e}";
        let document = json!({ "schema": "locktoll.none/1", "name": hostile });
        let page = page(hostile, std::slice::from_ref(&document)).unwrap();
        let (before, block) = page.split_once("id=\"data\">").unwrap();
        let (block, _) = block.split_once("</script>").unwrap();
        assert!(!before.contains("<img") && !before.contains('\0'));
        assert!(!block.contains('<') && !block.contains('\u{2028}'));
        let read: Vec<Value> = serde_json::from_str(block).unwrap();
        assert_eq!(read, [document]);
    }

    #[test]
    fn a_page_asks_for_nothing_and_has_room_for_data() {
        let page = page("empty", &[]).unwrap();
        assert!(page.len() < 1_370_000, "{} bytes", page.len());
        for (slot, _) in page.match_indices("{{") {
            let around = &page[slot..page.len().min(slot + 20)];
            assert!(!around.contains("}}") || around.contains('\\'), "{around}");
        }
        let template = TEMPLATE.to_owned() + &STYLES.concat();
        for word in ["http:", "https:", "@import", "url(", "src="] {
            assert!(!template.contains(word), "{word}");
        }
    }

    #[test]
    fn only_a_page_with_a_timeline_has_its_scripts_and_its_tables() {
        let plain = json!({ "schema": "locktoll.profile/1", "page": {} });
        let tables =
            json!([{ "label": "Longest waits", "columns": ["wait"], "rows": [["1.00 s"]] }]);
        let with =
            json!({ "schema": "locktoll.profile/1", "page": { "timeline": { "tables": tables } } });
        let plain = page("plain", &[plain]).unwrap();
        let with = page("with", &[with]).unwrap();
        for part in [
            ".timeline-rows{",
            "locktoll.timeline={",
            "<td class=\"left\">1.00 s</td>",
        ] {
            assert!(!plain.contains(part) && with.contains(part), "{part}");
        }
    }

    #[test]
    fn the_licences_of_what_is_in_the_page_are_in_it() {
        let page = page("empty", &[]).unwrap();
        for words in [
            "Copyright 2017-2026 The Apache Software Foundation",
            "END OF TERMS AND CONDITIONS",
            "Copyright 2010-2016 Mike Bostock",
            "Copyright (c) 2017, Baidu Inc.",
            "Copyright (c) Microsoft Corporation.",
            "Copyright (c) 2015 Simon Friis Vindum",
        ] {
            let (_, licences) = page.split_once("class=\"licences\">").unwrap();
            let (licences, _) = licences.split_once("</pre>").unwrap();
            assert!(licences.contains(words), "{words}");
        }
    }

    #[test]
    fn no_script_ends_its_own_element() {
        let own = SCRIPTS.iter().chain(TIMELINE_SCRIPTS).chain(WHATIF_SCRIPTS);
        for script in own.chain([&ECHARTS]) {
            assert!(!script.to_lowercase().contains("</script"));
            assert!(!script.contains("<!--"));
        }
    }
}
