//! The common parts of all pages.

use serde_json::json;

use super::browser::Browser;
use super::{everywhere, pages};

#[test]
fn a_document_without_a_drawing_is_shown_as_it_is() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let hostile = "</pre><img src=x onerror=\"document.title='fallen'\">";
    let page = pages::of(&[json!({ "schema": "locktoll.none/1", "name": hostile })]);
    let mut tab = browser.open(&page);
    let title = tab.text("document.querySelector('h1').textContent");
    assert_eq!(title, "locktoll.none/1");
    let shown = tab.text("document.querySelector('pre').textContent");
    assert!(shown.contains("<img src=x"), "{shown}");
    assert_eq!(tab.number("document.images.length"), 0.0);
    assert_eq!(tab.text("document.title"), "locktoll");
    assert_eq!(tab.complaints(), [""; 0]);
    assert_eq!(tab.requests(), [""; 0]);
}

#[test]
fn the_policy_refuses_what_is_not_the_pages_own() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = pages::of(&[]);
    // As if some text had been put in as markup, after all.
    let fallen = "<script>document.title = 'fallen'</script><img src=\"data:,\" onerror=\"document.title = 'fallen'\">\
        <img src=\"http://127.0.0.1:9/x\"></body>";
    let mut tab = browser.open(&page.replace("</body>", fallen));
    assert_eq!(tab.text("document.title"), "locktoll");
    let complaints = tab.complaints();
    assert!(complaints.len() >= 3, "{complaints:?}");
}

#[test]
fn figures_read_as_in_the_terminal() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[]));
    for (expression, text) in [
        ("duration(812)", "812 ns"),
        ("duration(999.6)", "1.00 us"),
        ("duration(17610)", "17.6 us"),
        ("duration(3e9)", "3.00 s"),
        ("duration(0)", "0"),
        ("duration(null)", "–"),
        ("price(8.412)", "8.41 ns"),
        ("price(0.123)", "0.12 ns"),
        ("price(170000)", "170 us"),
        ("rate(19230000)", "19.2 M"),
        ("rate(12.34)", "12.3"),
        ("count(1234567)", "1,234,567"),
        ("count(undefined)", "–"),
        ("share(1, 1000000)", "<0.1 %"),
        ("share(1, 0)", "–"),
        ("share(1, 3)", "33.3 %"),
        ("counted(1, 'thread', 'threads')", "1 thread"),
        (
            "interval({median: 8.4, low: 8, high: 9, n: 5}, locktoll.kit.price)",
            "8.40 ns (8.00 ns to 9.00 ns)",
        ),
        ("shown('a\\u001b[2J\\u202e\\0')", r"a\u{1b}[2J\u{202e}\u{0}"),
    ] {
        let shown = tab.text(&format!("locktoll.kit.{expression}"));
        assert_eq!(shown, text, "{expression}");
    }
}

/// A table of three rows, one without a figure, put into an empty page.
const TABLE: &str = "
    const row = (name, ns) => ({ name, ns });
    window.table = locktoll.kit.table(document.getElementById('page'), {
        label: 'Locks',
        columns: [
            { title: 'lock', left: true, value: row => row.name, text: row => locktoll.kit.shown(row.name) },
            { title: 'waited', value: row => row.ns, text: row => locktoll.kit.duration(row.ns), share: row => row.ns / 30 },
        ],
        rows: [row('alpha', 10), row('<b>beta</b>', null), row('gamma', 30)],
        filter: row => row.name,
        open: (row, panel) => locktoll.kit.note(panel, 'opened ' + row.name),
        rest: ['... 12 more', '5 ns'],
    });
    true";

const NAMES: &str =
    "[...document.querySelectorAll('tbody tr:not(.opened) th .name')].map(it => it.textContent)";

#[test]
fn tables_are_sorted_filtered_and_opened_by_mouse_and_keyboard() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[]));
    tab.value(TABLE);
    assert_eq!(tab.texts(NAMES), ["alpha", "<b>beta</b>", "gamma"]);
    let sorted = "document.querySelector('thead th:nth-child(2)').getAttribute('aria-sort')";
    tab.click("thead th:nth-child(2) button");
    assert_eq!(tab.texts(NAMES), ["gamma", "alpha", "<b>beta</b>"]);
    assert_eq!(tab.text(sorted), "descending");
    tab.click("thead th:nth-child(2) button");
    assert_eq!(
        tab.texts(NAMES),
        ["alpha", "gamma", "<b>beta</b>"],
        "nothing measured stays last"
    );
    assert_eq!(tab.text(sorted), "ascending");

    tab.click("input[type=search]");
    tab.type_text("MM");
    assert_eq!(tab.texts(NAMES), ["gamma"]);
    assert_eq!(
        tab.text("document.querySelector('[role=status]').textContent"),
        "1 of 3"
    );
    assert_eq!(
        tab.number("document.querySelectorAll('tr.rest').length"),
        0.0
    );

    // From the field over the two headers to the row.
    for _ in 0..3 {
        tab.press("Tab");
    }
    tab.press("Enter");
    let opened = "[...document.querySelectorAll('.panel')].map(it => it.textContent)";
    assert_eq!(tab.texts(opened), ["opened gamma"]);
    let focus = "document.activeElement.getAttribute('aria-expanded')";
    assert_eq!(tab.text(focus), "true");
    tab.press("Enter");
    assert_eq!(tab.texts(opened), [""; 0]);
    assert_eq!(tab.text(focus), "false");
    assert_eq!(tab.complaints(), [""; 0]);
}

#[test]
fn more_rows_take_the_keyboard_along() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[]));
    for opens in [true, false] {
        tab.value(&format!(
            "document.getElementById('page').replaceChildren();
            locktoll.kit.table(document.getElementById('page'), {{
                label: 'Numbers',
                columns: [{{ title: 'number', value: row => row.at }}],
                rows: [1, 2, 3, 4, 5].map(at => ({{ at }})),
                limit: 3,
                open: (row, panel) => {{}},
                opens: () => {opens},
            }});
            document.querySelector('.more').focus(); true"
        ));
        tab.press("Enter");
        assert_eq!(
            tab.number("document.querySelectorAll('tbody tr').length"),
            5.0
        );
        let row = tab.text("document.activeElement.closest('tr').textContent");
        assert!(row.ends_with('4'), "{row}");
        let opener = tab.value("document.activeElement.matches('.opener')");
        assert_eq!(opener, opens);
    }
    everywhere::quiet(&mut tab);
}

#[test]
fn what_columns_mean_is_there_without_a_mouse() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[]));
    tab.value(
        "locktoll.kit.table(document.getElementById('page'), {
            label: 'Locks',
            columns: [
                { title: 'lock', left: true, value: row => 'a' },
                { title: 'share', note: 'of all waiting', value: row => 1 },
            ],
            rows: [{}],
        }); true",
    );
    let described = "(() => {
        const head = document.querySelector('thead th:nth-child(2) button');
        return document.getElementById(head.getAttribute('aria-describedby')).textContent; })()";
    assert_eq!(tab.text(described), "of all waiting");
    let plain =
        "document.querySelector('thead th:first-child button').hasAttribute('aria-describedby')";
    assert_eq!(tab.value(plain), false);
    tab.value("document.querySelector('.column-notes summary').focus(); true");
    tab.press("Enter");
    let height = "document.querySelector('.column-notes dd').clientHeight";
    assert!(tab.number(height) > 0.0);
    assert_eq!(
        tab.text(
            "document.querySelector('.column-notes dl').innerText.replace(/\\s+/g, ' ').trim()"
        ),
        "share of all waiting"
    );
    everywhere::quiet(&mut tab);
}

/// Charts of lengths, put into an empty page.
const CHARTS: &str = "
    const page = document.getElementById('page');
    const series = [{ name: 'waits', log2: [0, 0, 0, 0, 0, 0, 12, 30, 7] }, { name: 'holds', log2: [0, 0, 0, 0, 5] }];
    locktoll.kit.histogram(page, { label: 'lengths', series });
    locktoll.kit.cumulative(page, { label: 'shares', series });
    true";

#[test]
fn charts_are_drawn_in_the_colours_of_the_moment_and_in_the_room_there_is() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[]));
    tab.value(CHARTS);
    tab.settle();
    for dark in [false, true] {
        tab.dark(dark);
        for width in [360, 1280, 2560] {
            tab.size(width, 900);
            tab.wait(
                "[...document.querySelectorAll('.chart-room')].every(it =>
                Math.abs(it.querySelector('svg').clientWidth - it.clientWidth) <= 1)",
            );
            let charts = tab.charts();
            assert_eq!(charts.len(), 2);
            for (label, shapes) in charts {
                assert!(shapes > 12, "{label} at {width}: {shapes} shapes");
            }
            let overflow = tab.number("document.documentElement.scrollWidth - innerWidth");
            assert!(overflow <= 0.0, "{width}: {overflow} pixels too wide");
            let text =
                tab.text("document.querySelector('.chart-room svg text').getAttribute('fill')");
            let is_light = u32::from_str_radix(&text[1..3], 16).unwrap() > 128;
            assert_eq!(is_light, dark, "text is {text}");
        }
    }
    assert_eq!(tab.complaints(), [""; 0]);
    assert_eq!(tab.requests(), [""; 0]);
}

#[test]
fn on_paper_all_is_opened_and_light() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[]));
    tab.value(CHARTS);
    tab.value(
        "locktoll.kit.fold(document.getElementById('page'), 'more', it => locktoll.kit.note(it, 'inside')); true",
    );
    tab.dark(true);
    tab.value(
        "addEventListener('beforeprint', () => { window.seen = [
        document.querySelector('details.fold').open,
        getComputedStyle(document.documentElement).getPropertyValue('--dark').trim(),
        document.querySelectorAll('.chart-room svg').length,
        Math.max(...[...document.querySelectorAll('svg')].map(it => it.clientWidth)),
    ]; }); true",
    );
    let pdf = tab.printed();
    assert!(
        pdf.starts_with(b"%PDF-") && pdf.len() > 10_000,
        "{} bytes",
        pdf.len()
    );
    let seen = tab.value("window.seen");
    assert_eq!(seen[0], true);
    assert_eq!(seen[1], "0");
    assert_eq!(seen[2], 2);
    assert!(seen[3].as_f64().unwrap() <= 720.0, "{seen}");
    tab.settle();
    assert_eq!(
        tab.value("document.querySelector('details.fold').open"),
        false
    );
    assert_eq!(tab.charts().len(), 2);
    assert_eq!(tab.complaints(), [""; 0]);
}

#[test]
fn caveats_are_one_badge_flags_stay_whole_and_hints_open_by_keyboard() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[]));
    tab.value(
        "locktoll.kit.doubts(document.getElementById('page'), { warnings: ['no core (try --duration 2s or --no-children)', 'b', 'c'] });
        locktoll.kit.chart(document.getElementById('page'), { title: 'What it shows', label: 'x', caption: 'How to read it' }, () => ({})); true",
    );
    assert_eq!(
        tab.text("document.querySelector('.caveats summary').textContent"),
        "3 caveats"
    );
    let is_seen = "document.querySelector('.caveats li').checkVisibility()";
    assert_eq!(tab.value(is_seen), false);
    tab.click(".caveats summary");
    assert_eq!(tab.value(is_seen), true);
    assert_eq!(
        tab.text("document.querySelector('.caveats li').textContent"),
        "No core (try --duration 2s or --no-children)."
    );
    for width in [200, 260, 390] {
        tab.size(width, 800);
        let lines = tab
            .value("[...document.querySelectorAll('.flag')].map(it => it.getClientRects().length)");
        assert_eq!(lines, json!([1, 1]), "at {width}");
    }
    assert_eq!(
        tab.text("document.querySelector('.chart-title').textContent"),
        "What it shows"
    );
    tab.value("document.querySelector('.hint summary').focus(); true");
    let is_seen = "document.querySelector('.hint p').checkVisibility()";
    assert_eq!(tab.value(is_seen), false);
    tab.press("Enter");
    assert_eq!(tab.value(is_seen), true);
    everywhere::quiet(&mut tab);
}

#[test]
fn a_long_page_has_its_parts_in_sight_while_it_is_read() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("machine")]));
    let parts =
        tab.texts("[...document.querySelectorAll('.page-contents a')].map(it => it.textContent)");
    assert_eq!(
        parts,
        [
            "Hand-over",
            "Prices",
            "Cache lines",
            "Cold caches",
            "Free locks",
            "Others"
        ]
    );
    for width in [390, 1280] {
        tab.size(width, 800);
        tab.click(".page-contents a:nth-child(2)");
        tab.wait(
            "Math.abs(document.querySelector('.page-contents').getBoundingClientRect().top) < 1",
        );
        let below = "[...document.querySelectorAll('h2')].find(it => it.textContent === 'The price list').getBoundingClientRect().top -
            document.querySelector('.page-contents').getBoundingClientRect().bottom";
        tab.wait(&format!("{below} >= 0 && {below} < 60"));
    }
    everywhere::quiet(&mut tab);
}

#[test]
fn on_a_phone_names_are_whole_and_a_tables_names_stay_in_sight() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("machine")]));
    tab.size(390, 900);
    tab.settle();
    let inside = "[...document.querySelectorAll('.chart-room svg text')].map(it => it.textContent)";
    let inside = tab.texts(inside);
    for name in [
        "compare and exchange, line in own cache",
        "condition variable, two CPUs",
    ] {
        assert!(inside.iter().any(|it| it == name), "{name}: {inside:?}");
    }
    drop(tab);
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    tab.size(390, 900);
    tab.value(
        "document.querySelector('table[aria-label=Locks]').parentElement.scrollLeft = 300; true",
    );
    let name = "document.querySelector('table[aria-label=Locks] tbody th').getBoundingClientRect().left -
        document.querySelector('table[aria-label=Locks]').parentElement.getBoundingClientRect().left";
    let left = tab.number(name);
    assert!((0.0..4.0).contains(&left), "{left}");
    everywhere::quiet(&mut tab);
}
