//! A Markdown page for a repository: published claims, their evidence and their pictures.

use crate::format::{Claims, Format, OfProfile, Place, Write};
use crate::{Content, Document, Part, merged_markdown, reproduction_markdown};

pub const FORMAT: Format = Format {
    name: "markdown",
    summary: "A page for a repository: a table, and the evidence of each claim; with -o, the pictures are in a folder next to the file",
    endings: &[".md"],
    profile: OfProfile::Whole,
    write: Write::Reproduction(documents),
};

fn documents(claims: Claims<'_>, place: Place<'_>) -> anyhow::Result<Vec<Document>> {
    let page = match claims {
        Claims::OfOne(result) => reproduction_markdown(result, place.pictures),
        Claims::OfSeveral(merged) => merged_markdown(merged, place.pictures),
    };
    let mut documents = Document::only(Content::Plain(page.text));
    let pictures = page.pictures.into_iter().map(|(file, picture)| Document {
        part: Some(Part::Picture(file)),
        content: Content::Plain(picture),
    });
    documents.extend(pictures);
    Ok(documents)
}
