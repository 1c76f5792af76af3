//! Writes a page with a made-up timeline, and prints how long that took in seconds: `cargo xtask timeline-page` opens it.
//!
//! `cargo run --release -p locktoll-shown --example timeline_page 1000000 page.html`

use std::time::Instant;

use anyhow::{Context, bail};
use locktoll_made_up::{made_up, sample};
use locktoll_shown::{Selection, Shown, SortKey, html};

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [events, file] = &words[..] else {
        bail!("takes a number of events and a file, as in: 1000000 page.html");
    };
    let events = events
        .parse()
        .with_context(|| format!("{events} is not a number of events"))?;
    let mut profile = sample::job_server();
    profile.timeline = Some(Box::new(made_up::timeline(events, 1)));
    let begin = Instant::now();
    let selection = Selection::new(&profile, SortKey::Wait, None);
    let page = html::page("A made-up timeline", &[selection.page_document()?])?;
    std::fs::write(file, page).with_context(|| format!("cannot write {file}"))?;
    println!("{:.2}", begin.elapsed().as_secs_f64());
    Ok(())
}
