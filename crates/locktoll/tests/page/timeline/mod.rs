//! The timeline of a profile, with made-up timelines whose figures are added up here as well.
//!
//! - `moving`: wheel, mouse, fingers and keys; `contents`: every interval as it was written, and one in words;
//! - `interval`: the tables of a chosen time; `everyone`: phones, dark colours, paper, old browsers and those without scripts.
//! - `alerts`: marks at their times. `scene`: the page, and where things are in it.

mod alerts;
mod contents;
mod everyone;
mod interval;
mod moving;
mod scene;
