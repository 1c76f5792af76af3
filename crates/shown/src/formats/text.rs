//! A text page for a terminal.

use crate::format::{Format, OfProfile, Place, Write};
use crate::stand_in::stand_in_line;
use crate::{Content, Document, Shown};

pub const FORMAT: Format = Format {
    name: "text",
    summary: "A page for a terminal",
    endings: &[],
    profile: OfProfile::Tables,
    write: Write::Result(documents),
};

fn documents(result: &dyn Shown, place: Place<'_>) -> anyhow::Result<Vec<Document>> {
    let stand_in = stand_in_line(result.stand_in()?);
    let text = result.text_within(place.width);
    Ok(Document::only(Content::Styled(stand_in + &text)))
}
