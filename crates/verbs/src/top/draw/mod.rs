//! From an interval and what is looked at of it to a screen. Everything that comes from programs is made fit to be shown here, or was by
//! the model.
//!
//! - `screen`: what goes where. `head`, `foot`: the lines above and below. `programs`, `locks`: the tables, laid out by `table`; `trend`: bars in them.
//! - `detail`: the lock under the cursor: `histogram` and `places`. `help`: what keys and columns mean.
//! - `palette`: colours, where they are wanted; `figures`: figures and causes as they read.

mod detail;
mod figures;
mod foot;
mod head;
mod help;
mod histogram;
mod locks;
mod palette;
mod places;
mod programs;
mod screen;
#[cfg(test)]
mod snapshots;
mod table;
mod trend;

pub use palette::Palette;
pub use screen::draw;
