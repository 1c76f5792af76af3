//! The page of a program with hostile names.

use serde_json::{Value, json};

use super::browser::Browser;
use super::{everywhere, pages};

/// Names that a program may give its functions to harm the reader of a page.
fn hostile() -> Vec<String> {
    let long = "x".repeat(100_000);
    [
        "</script><img src=x onerror=\"document.title='fallen'\">",
        "<svg onload=\"document.title='fallen'\">${document.title='fallen'}{{title}}",
        "\u{202e}gnirts\u{0}\u{1b}[2J\u{2028}{all|rich}{a|b}",
        "__proto__",
        &long,
        "'\"><script>document.title='fallen'</script>",
    ]
    .map(str::to_owned)
    .into()
}

/// Puts hostile texts wherever a program's own texts stand.
fn poison(value: &mut Value, texts: &[String], number: &mut usize) {
    const OURS: [&str; 7] = ["schema", "kind", "used_as", "mode", "cause", "words", "id"];
    match value {
        Value::String(text) => {
            *number += 1;
            *text = texts[*number % texts.len()].clone();
        }
        Value::Array(items) => items.iter_mut().for_each(|it| poison(it, texts, number)),
        Value::Object(fields) => {
            for (name, field) in fields {
                if !OURS.contains(&name.as_str()) {
                    poison(field, texts, number);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn hostile_names_are_text_and_nothing_else() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("profile");
    document["warnings"] = json!(["a", "b", "c", "d"]);
    poison(&mut document, &hostile(), &mut 0);
    let mut tab = browser.open(&pages::of(&[document]));
    for _ in 0..20 {
        tab.value("document.querySelector('.opener[aria-expanded=false]')?.click(); true");
    }
    tab.value("document.querySelectorAll('details.fold').forEach(it => it.fillNow()); true");
    // The mouse over every chart, for its tooltips.
    let charts = tab.charts().len();
    assert!(charts > 10, "{charts}");
    let mut tips = 0;
    for chart in 0..charts {
        let place = tab.value(&format!(
            "(() => {{ const room = document.querySelectorAll('.chart-room')[{chart}];
                room.scrollIntoView({{ block: 'center' }});
                const box = room.getBoundingClientRect();
                return [box.x, box.y, box.width, box.height]; }})()"
        ));
        let [x, y, width, height] = [0, 1, 2, 3].map(|at| place[at].as_f64().unwrap());
        for (right, down) in [(0.4, 0.4), (0.6, 0.7), (0.8, 0.5)] {
            tab.point_at(x + width * right, y + height * down);
            tips += tab.number("document.querySelectorAll('.tip').length") as u32;
        }
    }
    assert!(tips > 0, "no tooltip was seen");
    assert_eq!(tab.text("document.title"), "locktoll");
    let fallen = "document.images.length + document.querySelectorAll('main script, [onload], [onerror], image').length";
    assert_eq!(tab.number(fallen), 0.0);
    let text = tab.text("document.body.innerText");
    assert!(text.contains("</script><img src=x onerror="));
    for invisible in ['\u{0}', '\u{1b}', '\u{202e}', '\u{2028}'] {
        assert!(!text.contains(invisible), "{invisible:?}");
    }
    let size = tab.number("document.body.innerHTML.length");
    assert!(size < 6_000_000.0, "{size}");
    everywhere::quiet(&mut tab);
}
