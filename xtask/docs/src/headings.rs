//! The anchors of a page: GitHub and mdBook make the same ones of headings.

use std::collections::{HashMap, HashSet};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The extensions of Markdown that our pages use.
pub fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH
}

/// Returns the anchors of a page: of its headings, and those written as HTML.
pub fn anchors(text: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    let mut times: HashMap<String, u32> = HashMap::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let seen = times.entry(slug.clone()).or_default();
                anchors.insert(match *seen {
                    0 => slug,
                    times => format!("{slug}-{times}"),
                });
                *seen += 1;
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => anchors.extend(ids(&html)),
            _ => {}
        }
    }
    anchors
}

/// Returns the anchor of a heading.
pub fn slug(heading: &str) -> String {
    let kept = heading
        .trim()
        .chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            '-' | '_' => Some(character),
            character if character.is_alphanumeric() => Some(character),
            _ => None,
        });
    kept.flat_map(char::to_lowercase).collect()
}

/// Returns the values of `id="..."` and `name="..."`.
fn ids(html: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for attribute in ["id=\"", "name=\""] {
        let mut rest = html;
        while let Some((_, behind)) = rest.split_once(attribute) {
            let end = behind.find('"').unwrap_or(behind.len());
            ids.push(behind[..end].to_owned());
            rest = &behind[end..];
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_anchors_that_github_gives_them() {
        assert_eq!(
            slug("What `record` does, and why"),
            "what-record-does-and-why"
        );
        assert_eq!(
            slug("A1 Kernel lock against user-first lock"),
            "a1-kernel-lock-against-user-first-lock"
        );
        assert_eq!(slug("rseq(2): 30 % faster?"), "rseq2-30--faster");
        let text = "# One\n\n# One\n\n<a id=\"here\"></a>\n\n```\n# not one\n```\n";
        let anchors = anchors(text);
        assert_eq!(
            anchors,
            HashSet::from(["one", "one-1", "here"].map(str::to_owned))
        );
    }
}
