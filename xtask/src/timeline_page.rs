//! Measures pages with timelines in Chromium: their size, how long they take to open, and how smoothly they move.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::build;
use crate::chromium::browser::Browser;
use crate::chromium::tab::Tab;
use crate::table::lay_out;

/// The numbers of events if none is given.
const EVENTS: [usize; 2] = [1_000_000, 10_000_000];

/// The goals of the page with the most events.
const GOALS: &str =
    "Goals with 10,000,000 events: at most 60 MiB, shown within 3 s, at least 30 frames per second";

/// The parts of the whole time that are in sight while the timeline moves.
const ZOOMS: [f64; 4] = [0.5, 0.05, 0.001, 0.000_01];

const HEAD: [&str; 11] = [
    "events",
    "MiB",
    "written",
    "drawn",
    "timeline shown",
    "all read",
    "frames/s at 1/2",
    "1/20",
    "1/1000",
    "1/100,000",
    "longest frame",
];

/// Measures a page for each number of events, or a page that is there already.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    if let ["--page", file] = words {
        let mut browser = Browser::start().context("pages need Chromium")?;
        let figures = measure(&mut browser, Path::new(file))?;
        let mut row = vec![(*file).to_owned()];
        row.extend(figures);
        // It was written before.
        row.insert(2, "-".to_owned());
        let mut page = String::new();
        lay_out(&mut page, &HEAD, std::iter::once(row), &[]);
        println!("{page}{GOALS}");
        return Ok(());
    }
    let (kept, events) = match words {
        ["--keep", folder, events @ ..] => (Some(Path::new(folder)), events),
        events => (None, events),
    };
    let events: Vec<usize> = match events {
        [] => EVENTS.to_vec(),
        _ => events
            .iter()
            .map(|it| {
                it.replace(',', "")
                    .parse()
                    .with_context(|| format!("{it} is not a number of events"))
            })
            .collect::<anyhow::Result<_>>()?,
    };
    let example = build::example("locktoll-shown", "timeline_page")?;
    let mut browser = Browser::start().context("pages need Chromium")?;
    let mut lines = Vec::new();
    let folder = tempfile::tempdir()?;
    for events in events {
        let folder = kept.unwrap_or(folder.path());
        let file = folder.join(format!("timeline-{events}.html"));
        let written = write(&example, events, &file)?;
        let mut row = vec![events.to_string()];
        row.extend(measure(&mut browser, &file)?);
        row.insert(2, written);
        lines.push(row);
    }
    let mut page = String::new();
    lay_out(&mut page, &HEAD, lines.into_iter(), &[]);
    println!("{page}{GOALS}");
    Ok(())
}

/// Opens a page, and moves its timeline. Returns its figures, without the number of events and the time to write it.
fn measure(browser: &mut Browser, file: &Path) -> anyhow::Result<Vec<String>> {
    let bytes = std::fs::metadata(file)?.len();
    let mut tab = browser.open_file(file);
    let drawn = tab.opened_in;
    tab.wait("document.querySelector('.timeline').dataset.state === 'read'");
    let shown = since_navigation(&mut tab, "overview");
    let read = since_navigation(&mut tab, "read");
    let moved: Vec<(f64, f64)> = ZOOMS.iter().map(|&zoom| frames(&mut tab, zoom)).collect();
    let complaints = tab.complaints();
    ensure!(
        complaints.is_empty(),
        "the browser complains: {complaints:?}"
    );
    let mut row = vec![
        format!("{:.1}", bytes as f64 / (1 << 20) as f64),
        seconds(drawn),
        seconds(shown),
        seconds(read),
    ];
    row.extend(moved.iter().map(|(rate, _)| format!("{rate:.0}")));
    let longest = moved
        .iter()
        .map(|&(_, longest)| longest)
        .fold(0.0, f64::max);
    row.push(format!("{longest:.0} ms"));
    Ok(row)
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// Writes a page with a made-up timeline. Returns the seconds that it took, without the time to make up the timeline.
fn write(example: &Path, events: usize, file: &Path) -> anyhow::Result<String> {
    let output = Command::new(example)
        .arg(events.to_string())
        .arg(file)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the page was not written: {said}");
    Ok(String::from_utf8(output.stdout)?.trim().to_owned() + " s")
}

/// Returns the time from the beginning of loading to a mark that the page has set.
fn since_navigation(tab: &mut Tab<'_>, mark: &str) -> Duration {
    let ms = tab.number(&format!(
        "performance.getEntriesByName('locktoll-timeline-{mark}')[0].startTime"
    ));
    Duration::from_secs_f64(ms / 1_000.0)
}

/// Moves the timeline for two seconds, a few pixels per frame, while a part of the whole is in sight. Returns the frames per
/// second, and the longest time between two frames in milliseconds.
fn frames(tab: &mut Tab<'_>, zoom: f64) -> (f64, f64) {
    let measured = tab.value(&format!(
        "(async () => {{
            const canvas = document.querySelector('.timeline-rows');
            canvas.scrollIntoView({{ block: 'center' }});
            const box = canvas.getBoundingClientRect();
            const frame = () => new Promise(requestAnimationFrame);
            const turn = (deltaX, deltaY) => canvas.dispatchEvent(new WheelEvent('wheel', {{
                deltaX, deltaY, clientX: box.x + box.width * 0.4, clientY: box.y + 60, bubbles: true, cancelable: true }}));
            const whole = document.querySelector('.timeline button[aria-label=\"Zoom out\"]').nextElementSibling;
            whole.click();
            await frame();
            for (let left = Math.log({zoom}) / 0.003; left < 0; left += 200) {{
                turn(0, Math.max(left, -200));
                await frame();
            }}
            const times = [];
            const until = performance.now() + 2000;
            for (let at = 0; performance.now() < until; at++) {{
                turn(at % 200 < 100 ? 5 : -5, 0);
                times.push(await frame());
            }}
            const gaps = times.slice(1).map((time, at) => time - times[at]);
            return [gaps.length / ((times.at(-1) - times[0]) / 1000), Math.max(...gaps)];
        }})()"
    ));
    let number = |at: usize| measured[at].as_f64().unwrap_or(f64::NAN);
    (number(0), number(1))
}
