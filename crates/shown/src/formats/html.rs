//! An HTML page for a browser.

use crate::format::{Format, OfProfile, Place, Write};
use crate::{Content, Document, Shown, html};

pub const FORMAT: Format = Format {
    name: "html",
    summary: "A page for a browser: one file, which needs no network",
    endings: &[".html", ".htm"],
    profile: OfProfile::Whole,
    write: Write::Result(documents),
};

fn documents(result: &dyn Shown, _: Place<'_>) -> anyhow::Result<Vec<Document>> {
    let documents = [result.page_document()?];
    let page = html::page_with(&result.title(), &documents, &result.page_markup())?;
    Ok(Document::only(Content::Plain(page)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Selection, SortKey};
    use locktoll_made_up::sample;

    #[test]
    fn a_page_has_the_locks_that_were_selected() {
        let profile = sample::job_server();
        let selection = Selection::new(&profile, SortKey::Wait, Some(1));
        let page = Document::text_of(documents(&selection, Place::FILE).unwrap());
        assert!(page.contains("locktoll.profile/1"), "{page}");
        assert!(page.contains(&profile.locks[0].id));
        assert!(!page.contains(&profile.locks[1].id));
    }
}
