//! The common interface of every result.

use std::fmt;

use serde_json::Value;

use crate::html::stand_in_words;
use crate::json::json;
use locktoll_terminal::width::WIDTH_OF_FILES;

/// A result that can be shown in every format.
pub trait Shown {
    /// Returns what it is, in a few words: the title of its page.
    fn title(&self) -> String;

    /// Writes the report as text. Lines have at most `width` characters, unless a word or a table needs more. The text has
    /// styles; if they are not wanted, the printer removes them.
    ///
    /// # Errors
    /// If `page` accepts no more.
    fn write(&self, page: &mut String, width: usize) -> fmt::Result;

    /// Returns the report as a text.
    fn text_within(&self, width: usize) -> String {
        let mut page = String::new();
        self.write(&mut page, width)
            .expect("writing to a string does not fail");
        page
    }

    /// Returns the report as a text with the line length for files.
    fn text(&self) -> String {
        self.text_within(WIDTH_OF_FILES)
    }

    /// Returns the document for scripts, `schema` first.
    ///
    /// # Errors
    /// If a figure cannot be written as JSON.
    fn json(&self) -> anyhow::Result<Value>;

    /// Returns the document that the page is drawn from: the one for scripts, unless a page needs more.
    ///
    /// # Errors
    /// As [`Shown::json`].
    fn page_document(&self) -> anyhow::Result<Value> {
        self.json()
    }

    /// Returns parts of the page that no script draws, as markup; usually none.
    fn page_markup(&self) -> String {
        String::new()
    }

    /// Returns the document for scripts in its written form.
    ///
    /// # Errors
    /// As [`Shown::json`].
    fn json_text(&self) -> anyhow::Result<String> {
        json(&self.json()?)
    }

    /// Says where its figures come from instead of the real thing.
    ///
    /// # Errors
    /// As [`Shown::json`].
    fn stand_in(&self) -> anyhow::Result<Option<String>> {
        Ok(stand_in_words(&self.json()?))
    }
}
