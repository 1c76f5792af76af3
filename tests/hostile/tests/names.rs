//! Names that a spreadsheet, a terminal, a browser or a table would obey, wherever a document has a name: inert in every format.

#![cfg(target_os = "linux")]

use locktoll_hostile::{Forms, check_result, documents};
use locktoll_results::saved::from_json;
use serde_json::Value;

const NAMES: [&str; 8] = [
    "=HYPERLINK(\"http://x\",\"a\")",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3\",=1+1,\"",
    "\u{1b}]0;owned\u{7}\u{1b}[1A\r\nb",
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "\" onload=\"alert(1)\"><![CDATA[<!--</title></svg>",
    "a;b 7\n|`c`|[d](javascript:alert(1))",
    "\u{202e}\u{2028}\u{200b}{{data}}",
];

/// Fields whose texts are words of ours: a document with another word in them is refused, or they choose what is drawn.
const WORDS: [&str; 4] = ["schema", "kind", "verdict", "quality"];

/// Every text in `value` but for words of ours becomes `name`, one field at a time: `left` counts down to it.
fn rename(value: &mut Value, name: &str, left: &mut isize) {
    match value {
        Value::String(text) => {
            if *left == 0 {
                name.clone_into(text);
            }
            *left -= 1;
        }
        Value::Array(list) => list.iter_mut().for_each(|it| rename(it, name, left)),
        Value::Object(fields) => {
            for (field, it) in fields.iter_mut() {
                if !WORDS.contains(&field.as_str()) {
                    rename(it, name, left);
                }
            }
        }
        _ => {}
    }
}

/// How many texts of each document are tried, spread over all of it.
const TRIED: isize = 16;

#[test]
fn a_name_is_text_in_every_format_whatever_it_is() {
    let mut shown = 0;
    for (name, document) in documents() {
        let mut texts = 0;
        rename(&mut document.clone(), "", &mut texts);
        let step = (-texts / TRIED).max(1);
        for (number, left) in (0..-texts).step_by(step as usize).enumerate() {
            let mut changed = document.clone();
            let bad_name = NAMES[number % NAMES.len()];
            rename(&mut changed, bad_name, &mut left.clone());
            // Some texts are words of ours after all: then the document is refused.
            if let Ok(result) = from_json("document", changed.to_string().as_bytes()) {
                check_result(&result, Forms::ALL);
                shown += 1;
            }
        }
        assert!(texts < -5, "{} has names", name);
    }
    assert!(shown > 100, "{shown} documents were shown");
}
