//! One JSON document, for scripts.

use crate::format::{Format, OfProfile, Place, Write};
use crate::{Content, Document, Shown};

pub const FORMAT: Format = Format {
    name: "json",
    summary: "One document with a versioned schema",
    endings: &[".json"],
    profile: OfProfile::Whole,
    write: Write::Result(documents),
};

fn documents(result: &dyn Shown, _: Place<'_>) -> anyhow::Result<Vec<Document>> {
    Ok(Document::only(Content::Plain(result.json_text()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Selection, SortKey};
    use locktoll_made_up::sample;
    use locktoll_results::profile::Profile;

    #[test]
    fn only_what_was_selected() {
        let profile = sample::job_server();
        let selection = Selection::new(&profile, SortKey::Acquisitions, Some(1));
        let document = Document::text_of(documents(&selection, Place::FILE).unwrap());
        let back: Profile = serde_json::from_str(&document).unwrap();
        assert_eq!(back.locks, [selection.locks[0].clone()]);
        assert_eq!(back.wait_ns, profile.wait_ns);
    }
}
