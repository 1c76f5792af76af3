//! A Markdown page for a repository: published claims and their evidence.

use crate::format::{Format, OfProfile, Place, Write};
use crate::{Content, Document, reproduction_markdown};
use locktoll_results::reproduction::Reproduction;

pub const FORMAT: Format = Format {
    name: "markdown",
    summary: "A page for a repository: a table and the evidence of each claim",
    endings: &[".md"],
    profile: OfProfile::Whole,
    write: Write::Reproduction(documents),
};

fn documents(result: &Reproduction, _: Place) -> anyhow::Result<Vec<Document>> {
    let page = reproduction_markdown(result);
    Ok(Document::only(Content::Plain(page)))
}
