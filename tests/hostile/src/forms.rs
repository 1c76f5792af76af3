//! What every output keeps to, whatever the names and figures in it are.

use locktoll_results::profile::Profile;
use locktoll_results::saved::Saved;
use locktoll_shown::{
    ComparisonPage, Content, Document, Format, Formats, HTML, Place, Selection, Shown, Side,
    SortKey, Subject, View,
};

/// Of so many inputs one has its page made, which is more than a megabyte whatever is in it, and one its graphs. Which ones, their length says,
/// so that an input does the same whenever it is tried.
const ONE_PAGE_IN: usize = 16;
const ONE_GRAPH_IN: usize = 4;
/// Formats that take many times as long as text.
const GRAPHS: [&str; 2] = ["svg", "pprof"];

/// Wide enough for every table; a document has a folder, not one file.
pub(crate) const PLACE: Place = Place {
    width: 100,
    holds_one: false,
    pictures: Some("pictures"),
};

/// A message is one line, which no terminal obeys.
pub fn check_line(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
}

/// Which formats are made.
#[derive(Clone, Copy, Debug)]
pub struct Forms {
    pages: bool,
    graphs: bool,
}

impl Forms {
    /// All of them.
    pub const ALL: Self = Self {
        pages: true,
        graphs: true,
    };

    /// For an input of `length` bytes.
    pub fn of(length: usize) -> Self {
        Self {
            pages: length.is_multiple_of(ONE_PAGE_IN),
            graphs: length.is_multiple_of(ONE_GRAPH_IN),
        }
    }

    fn has(self, format: &Format) -> bool {
        let is_left_out =
            format.name == HTML && !self.pages || GRAPHS.contains(&format.name) && !self.graphs;
        !is_left_out
    }
}

/// Shows `result` in every format that it has.
pub fn check_result(result: &Saved, forms: Forms) {
    match result {
        Saved::Profile(profile) => check_profile(profile, forms),
        Saved::Compare(comparison) => {
            let page = ComparisonPage {
                comparison,
                top: None,
            };
            check_shown(&page, forms);
        }
        Saved::Reproduce(result) => {
            check(
                Formats::OfReproductions,
                Subject::Reproduction(result),
                forms,
            );
        }
        Saved::Bench(result) => check_shown(&**result, forms),
        Saved::Machine(result) => check_shown(&**result, forms),
        Saved::Tour(result) => check_shown(&**result, forms),
        Saved::Kernel(result) => check_shown(&**result, forms),
        Saved::Hang(result) => check_shown(&**result, forms),
        Saved::WhatIf(result) => check_shown(&**result, forms),
        Saved::Advise(result) => check_shown(&**result, forms),
        Saved::Try(result) => check_shown(&**result, forms),
    }
}

fn check_shown(result: &dyn Shown, forms: Forms) {
    check(Formats::OfResults, Subject::Result(result), forms);
}

/// Shows `profile` in every format and in each of its tables.
pub fn check_profile(profile: &Profile, forms: Forms) {
    let whole = Selection::new(profile, SortKey::Wait, None);
    check(Formats::OfProfiles, Subject::Profile(&whole), forms);
    for view in [View::Sites, View::Blame, View::Stacks, View::Threads] {
        let table = whole.clone().with_view(view).with_side(Some(Side::Holder));
        for format in Formats::OfProfiles.iter().filter(|it| it.has_tables()) {
            check_documents(
                format.name,
                format.documents(Subject::Profile(&table), PLACE),
            );
        }
    }
    if let Some(lock) = profile.locks.first()
        && let Ok(opened) = Selection::open(profile, &lock.id)
    {
        check(Formats::OfProfiles, Subject::Profile(&opened), forms);
    }
}

fn check(formats: Formats, subject: Subject<'_>, forms: Forms) {
    for format in formats.iter().filter(|format| forms.has(format)) {
        check_documents(format.name, format.documents(subject, PLACE));
    }
}

fn check_documents(format: &str, documents: anyhow::Result<Vec<Document>>) {
    // A format may refuse, as a picture without anything to draw.
    for document in documents.unwrap_or_default() {
        match document.content {
            Content::Binary(_) => {}
            Content::Plain(text) => check_text(format, &text),
            Content::Styled(text) => check_text(format, &without_styles(&text)),
        }
    }
}

/// Nothing but text, lines and columns, and no markup or formula that a name has brought.
fn check_text(format: &str, text: &str) {
    let obeyed = text.find(|it: char| it.is_control() && !"\n\t\r".contains(it));
    let around = |at: usize| text[at..].chars().take(40).collect::<String>();
    assert_eq!(obeyed.map(around), None, "{format}");
    match format {
        "html" => check_page(text),
        "csv" => check_table(text),
        "svg" => check_picture(text),
        "markdown" => check_markdown(text),
        "json" => drop(serde_json::from_str::<serde_json::Value>(text).expect("a document")),
        _ => {}
    }
}

/// Our own styles: `ESC [ numbers m`.
fn without_styles(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let numbers = after.trim_start_matches(|it: char| it.is_ascii_digit() || it == ';');
        rest = numbers.strip_prefix('m').unwrap_or("\u{1b}");
    }
    plain.push_str(rest);
    plain
}

/// What names are stays in the title and in the block of data, as text.
fn check_page(page: &str) {
    for (begins, ends) in [("<title>", "</title>"), ("id=\"data\">", "</script>")] {
        let (_, after) = page.split_once(begins).expect("a page has it");
        let (inside, _) = after.split_once(ends).expect("it ends");
        assert!(!inside.contains('<'), "markup in {begins}");
    }
}

/// No cell is a formula. Numbers may have a sign.
fn check_table(table: &str) {
    for cell in cells(table) {
        let is_formula = cell.starts_with(['=', '@', '+', '-']);
        assert!(!is_formula || cell.parse::<f64>().is_ok(), "{cell:?}");
    }
}

/// The cells of a table, as a spreadsheet divides it: a comma and a line's end within quotes are the cell's own.
fn cells(table: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    for character in table.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' | '\n' if !quoted => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    assert!(!quoted, "a cell that does not end");
    cells.push(cell);
    cells
}

/// No markup outside of blocks of code, in which nothing is.
fn check_markdown(page: &str) {
    for text in page.split("\n```").step_by(2) {
        assert!(
            !text.contains("<script") && !text.contains("<img"),
            "{text}"
        );
        let mut links = text.match_indices("[d](");
        // With a backslash before it that is not escaped itself, it is text (CommonMark, 2.4).
        let is_escaped = |at: usize| {
            let before = text[..at].trim_end_matches('\\').len();
            (at - before) % 2 == 1
        };
        assert!(links.all(|(at, _)| is_escaped(at)), "{text}");
    }
}

fn check_picture(picture: &str) {
    // The script of the picture itself comes once, before anything that has a name.
    let scripts = picture.matches("<script").count();
    assert!(scripts <= 1, "{scripts} scripts");
    assert!(!picture.contains(" onerror="), "an attribute out of a name");
}
