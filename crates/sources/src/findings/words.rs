//! Names and figures in sentences.

use super::scene::Scene;
use locktoll_terminal::quantity::duration;

/// The most characters of a name.
const LONGEST: usize = 60;

/// Returns the name of a lock.
pub fn lock(scene: &Scene<'_>, lock: u32) -> String {
    cut(&scene.timeline.locks[lock as usize].name)
}

/// Returns the name of a thread with its id.
pub fn thread(scene: &Scene<'_>, thread: u32) -> String {
    let thread = &scene.timeline.threads[thread as usize];
    match thread.name.as_str() {
        "" => format!("thread {}", thread.tid),
        name => format!("{} {}", cut(name), thread.tid),
    }
}

/// Returns a length of time.
pub fn lasting(ns: u64) -> String {
    duration(ns as f64)
}

/// Returns a moment of the run.
pub fn at(ns: u64) -> String {
    format!("{:.6} s", ns as f64 / 1e9)
}

fn cut(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}...", &name[..end]),
    }
}
