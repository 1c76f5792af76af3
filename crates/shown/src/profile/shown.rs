//! The selected parts of a profile, shown as a result.

use serde_json::Value;

use super::html::{drawn, page_document};
use super::selection::Selection;
use super::text;
use super::words::cut_right;
use crate::Shown;
use crate::json::json;
use locktoll_terminal::escape::shown_text;

impl Shown for Selection<'_> {
    fn title(&self) -> String {
        let command = shown_text(&self.profile.command.join(" "));
        format!("Locks of {}", cut_right(&command, 120))
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        text::write(page, self, width)
    }

    fn json(&self) -> anyhow::Result<Value> {
        Ok(serde_json::to_value(self.cut())?)
    }

    fn page_document(&self) -> anyhow::Result<Value> {
        page_document(self)
    }

    fn page_markup(&self) -> String {
        drawn(self)
    }

    /// Written from the profile itself: a profile with millions of stacks should not be in memory twice.
    fn json_text(&self) -> anyhow::Result<String> {
        json(&self.cut())
    }

    /// A profile does not describe its machine.
    fn stand_in(&self) -> anyhow::Result<Option<String>> {
        Ok(None)
    }
}
