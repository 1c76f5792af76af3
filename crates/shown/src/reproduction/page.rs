//! A Markdown page and its pictures.

use std::fmt::Write;

use super::picture::{View, picture};

/// A page, and the pictures that it shows.
#[derive(Debug, Default)]
pub struct Page {
    /// The Markdown text.
    pub text: String,
    /// The pictures: the name of each file, and its contents.
    pub pictures: Vec<(String, String)>,
}

impl Page {
    /// Adds the picture of a claim, if there is a folder for it and something to draw.
    pub(super) fn picture(&mut self, folder: Option<&str>, views: &[View<'_>]) -> std::fmt::Result {
        let (Some(folder), Some(first)) = (folder, views.first()) else {
            return Ok(());
        };
        // A saved result may come from anybody, and its ids become names of files.
        let id = &first.claim.id;
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let Some(drawn) = picture(views).filter(|_| is_id) else {
            return Ok(());
        };
        let file = format!("{id}.svg");
        writeln!(
            self.text,
            "![{id}: published and measured]({}/{file})\n",
            encoded(folder)
        )?;
        self.pictures.push((file, drawn));
        Ok(())
    }
}

/// Escapes text for a table cell, so that it is neither markup nor a link.
pub(super) fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // A backslash in the text would otherwise cancel an added one.
            '\\' | '|' | '[' => cell.extend(['\\', character]),
            '<' => cell.push_str("&lt;"),
            '&' => cell.push_str("&amp;"),
            '\n' => cell.push(' '),
            other => cell.push(other),
        }
    }
    cell
}

/// Encodes the name of a folder for a link (RFC 3986, section 2.1).
fn encoded(folder: &str) -> String {
    let mut link = String::new();
    for byte in folder.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                link.push(byte.into());
            }
            other => {
                let _ = write!(link, "%{other:02X}");
            }
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::made_up;

    fn pictures(id: &str, folder: Option<&str>) -> Page {
        let mut claim = made_up::reproduction().claims.remove(0);
        claim.id = id.to_owned();
        let view = View {
            machine: None,
            claim: &claim,
        };
        let mut page = Page::default();
        page.picture(folder, &[view]).unwrap();
        page
    }

    #[test]
    fn a_picture_is_linked_in_its_folder() {
        let page = pictures("A5", Some("my claims)"));
        assert_eq!(
            page.text,
            "![A5: published and measured](my%20claims%29/A5.svg)\n\n"
        );
        assert_eq!(page.pictures[0].0, "A5.svg");
        assert!(page.pictures[0].1.starts_with("<svg "));
        assert!(pictures("A5", None).text.is_empty());
    }

    #[test]
    fn an_id_cannot_name_another_folder() {
        for id in ["../A5", "", "/A5", "a\\b", "A5\0"] {
            assert!(pictures(id, Some("f")).pictures.is_empty(), "{id}");
        }
    }
}
