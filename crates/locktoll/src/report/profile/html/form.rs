//! A profile as a page.

use super::page_document;
use crate::profile::shown_text;
use crate::report::html::page;
use crate::report::profile::words::cut_right;
use crate::report::profile::{Content, Document, Form, Selection};

/// A page for a browser.
pub struct Html;

impl Form for Html {
    fn documents(&self, selection: &Selection<'_>) -> anyhow::Result<Vec<Document>> {
        let profile = selection.profile;
        let command = shown_text(&profile.command.join(" "));
        let title = format!("Locks of {}", cut_right(&command, 120));
        let page = page(&title, &[page_document(selection)?])?;
        Ok(Document::only(Content::Plain(page)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::SortKey;
    use crate::profile::sample;

    #[test]
    fn a_page_has_the_locks_that_were_selected() {
        let profile = sample::job_server();
        let selection = Selection::new(&profile, SortKey::Wait, Some(1));
        let document = Html.documents(&selection).unwrap().remove(0);
        let Content::Plain(page) = document.content else {
            panic!("a page is plain text");
        };
        assert!(page.contains("locktoll.profile/1"), "{page}");
        assert!(page.contains(&profile.locks[0].id));
        assert!(!page.contains(&profile.locks[1].id));
    }
}
