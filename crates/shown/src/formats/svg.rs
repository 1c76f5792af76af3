//! A flame graph of time spent waiting for locks: an SVG that opens in a browser, with zoom and search.

use anyhow::{Context, bail};
use inferno::flamegraph::{self, Options, Palette, TextTruncateDirection, color::BasicPalette};

use super::folded;
use crate::format::{Format, OfProfile, Place, Write};
use crate::profile::words::cut_right;
use crate::profile::{Selection, Side};
use crate::{Content, Document};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::duration;

/// Titles longer than this do not fit the picture.
const TITLE: usize = 80;

pub const FORMAT: Format = Format {
    name: "svg",
    summary: "A flame graph",
    endings: &[".svg"],
    profile: OfProfile::Sides,
    write: Write::Profile(documents),
};

fn documents(selection: &Selection<'_>, _: Place<'_>) -> anyhow::Result<Vec<Document>> {
    let side = selection.side.unwrap_or(Side::Waiter);
    let lines = folded::lines(selection, side);
    if lines.is_empty() {
        bail!("no thread waited for the selected locks, so there is no flame graph to draw");
    }
    let mut picture = Vec::new();
    let mut options = options(selection, side);
    flamegraph::from_lines(&mut options, lines.iter().map(String::as_str), &mut picture)
        .context("the flame graph could not be drawn")?;
    let mut picture = String::from_utf8(picture)?;
    picture.push('\n');
    Ok(Document::only(Content::Plain(picture)))
}

fn options(selection: &Selection<'_>, side: Side) -> Options<'static> {
    let locks = selection.shown().iter();
    let total = locks.fold(0, |sum: u64, lock| sum.saturating_add(lock.wait_ns.total));
    let command = shown_text(&selection.profile.command.join(" "));
    let mut options = Options::default();
    options.title = cut_right(&format!("Waiting for locks: {command}"), TITLE);
    options.subtitle = Some(match side {
        Side::Waiter => format!(
            "{} by the stacks that waited; on top, the lock",
            duration(total as f64)
        ),
        Side::Holder => format!(
            "{} by the places where the holders had acquired the lock; on top, the lock",
            duration(total as f64)
        ),
    });
    // The lines are in nanoseconds, a unit in which 9.12 s would be hard to read.
    options.factor = 1e-3;
    options.count_name = "us".to_owned();
    options.name_type = "Place:".to_owned();
    options.colors = Palette::Basic(BasicPalette::Hot);
    // The same profile gives the same picture.
    options.deterministic = true;
    options.text_truncate_direction = TextTruncateDirection::Left;
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use locktoll_made_up::sample;
    use locktoll_results::profile::Profile;

    fn drawn(profile: &Profile) -> anyhow::Result<String> {
        let selection = Selection::new(profile, SortKey::Wait, None);
        Ok(Document::text_of(documents(&selection, Place::FILE)?))
    }

    /// Returns the titles of all frames, as a browser shows them.
    fn titles(picture: &str) -> Vec<String> {
        let mut reader = quick_xml::Reader::from_str(picture);
        let (mut titles, mut inside) = (Vec::new(), false);
        loop {
            use quick_xml::events::Event;
            match reader.read_event().expect("well-formed XML") {
                Event::Start(tag) if tag.name().as_ref() == b"title" => {
                    inside = true;
                    titles.push(String::new());
                }
                Event::End(tag) if tag.name().as_ref() == b"title" => inside = false,
                Event::Text(text) if inside => {
                    titles.last_mut().unwrap().push_str(&text.decode().unwrap());
                }
                Event::GeneralRef(entity) if inside => {
                    let name = entity.decode().unwrap();
                    let character = match name.as_ref() {
                        "lt" => "<",
                        "gt" => ">",
                        "amp" => "&",
                        "quot" => "\"",
                        "apos" => "'",
                        other => panic!("entity {other}"),
                    };
                    titles.last_mut().unwrap().push_str(character);
                }
                Event::Eof => return titles,
                _ => {}
            }
        }
    }

    #[test]
    fn the_widest_frames_are_where_the_time_went() {
        let titles = titles(&drawn(&sample::job_server()).unwrap());
        let log = titles
            .iter()
            .find(|title| title.starts_with("log_lock ("))
            .unwrap();
        assert!(log.starts_with("log_lock (7,020,000 us, "), "{log}");
    }

    #[test]
    fn names_are_text_never_markup() {
        let mut profile = sample::job_server();
        profile.command = vec!["</title><script>alert(1)</script>".to_owned()];
        profile.locks.truncate(1);
        profile.locks[0].name = "<b>&\"'".to_owned();
        let evil = "<script>alert(2)</script>";
        profile.locks[0].stacks[0].frames[0].function = Some(evil.to_owned());
        let picture = drawn(&profile).unwrap();
        assert!(!picture.contains("alert(1)</script>") && !picture.contains(evil));
        let titles = titles(&picture);
        assert!(
            titles.iter().any(|title| title.starts_with(evil)),
            "{titles:?}"
        );
        assert!(
            titles.iter().any(|title| title.starts_with("<b>&\"'")),
            "{titles:?}"
        );
    }

    #[test]
    fn nothing_to_draw_is_said() {
        let mut profile = sample::job_server();
        profile.locks.retain(|lock| lock.wait_ns.total == 0);
        let error = drawn(&profile).unwrap_err().to_string();
        assert!(error.contains("no thread waited"), "{error}");
    }
}
