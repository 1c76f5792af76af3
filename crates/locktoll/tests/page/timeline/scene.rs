//! A page with a timeline, and where things are in it.

use locktoll_made_up::{made_up, sample};
use locktoll_results::profile::timeline::Timeline;
use locktoll_shown::{Selection, Shown, SortKey, html};

use crate::tab::Tab;

/// The page's rows, in pixels: the axis above them, and the height of each (`assets/timeline/paint.js`).
const AXIS: f64 = 26.0;
const ROW: f64 = 22.0;

/// A made-up timeline.
pub fn made_up_timeline(events: usize) -> Timeline {
    made_up::timeline(events, 7)
}

/// The page of a profile with this timeline.
pub fn page(timeline: Timeline) -> String {
    let mut profile = sample::job_server();
    profile.timeline = Some(Box::new(timeline));
    let selection = Selection::new(&profile, SortKey::Wait, None);
    html::page("a timeline", &[selection.page_document().unwrap()]).unwrap()
}

/// Waits until all events have been read, and puts the timeline into sight.
pub fn read(tab: &mut Tab<'_>) {
    tab.wait("document.querySelector('.timeline').dataset.state === 'read'");
    tab.value("document.querySelector('.timeline-rows').scrollIntoView({ block: 'center' }); true");
    tab.settle();
}

/// The time in sight, nanoseconds.
pub fn sight(tab: &mut Tab<'_>) -> (f64, f64) {
    let view = tab.value("(() => { const { from, to } = document.querySelector('.timeline').timeline.view; return [from, to]; })()");
    (view[0].as_f64().unwrap(), view[1].as_f64().unwrap())
}

/// The place in the window of a thread's row at a time.
pub fn place(tab: &mut Tab<'_>, thread: u32, ns: f64) -> (f64, f64) {
    let found = tab.value(&format!(
        "(() => {{
            const it = document.querySelector('.timeline').timeline;
            const box = it.canvas.getBoundingClientRect();
            return [box.x + it.left + ({ns} - it.view.from) / it.view.step, box.y, it.view.rows.indexOf({thread})];
        }})()"
    ));
    let [x, y, row] = [0, 1, 2].map(|at| found[at].as_f64().unwrap());
    assert!(row >= 0.0, "thread {thread} has no row in sight");
    (x, y + AXIS + row * ROW + ROW / 2.0)
}

/// A place in the middle of the rows.
pub fn middle(tab: &mut Tab<'_>) -> (f64, f64) {
    let (from, to) = sight(tab);
    place(tab, 2, (from + to) / 2.0)
}

/// The number of pixels of the picture that have the colour of a cause.
pub fn pixels(tab: &mut Tab<'_>, cause: &str) -> f64 {
    tab.number(&format!(
        "(() => {{
            const it = document.querySelector('.timeline').timeline;
            const wanted = it.colours.pixels.{cause};
            const {{ width, height }} = it.canvas;
            const copy = new OffscreenCanvas(width, height).getContext('2d', {{ willReadFrequently: true }});
            copy.drawImage(it.canvas, 0, 0);
            const data = copy.getImageData(0, 0, width, height).data;
            return new Uint32Array(data.buffer).reduce((sum, pixel) => sum + (pixel === wanted ? 1 : 0), 0);
        }})()"
    ))
}
