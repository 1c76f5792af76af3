//! From an interval and the chosen view of it to a screen. All text from programs is escaped here, or was escaped by the model.
//!
//! - `screen`: the layout. `head`, `foot`: the top and bottom lines. `programs`, `locks`: the tables, laid out by `table`;
//!   `trend`: bars in them.
//! - `detail`: the lock under the cursor, with `histogram` and `places`. `help`: the meaning of keys and columns.
//! - `palette`: colours, if they are wanted; `figures`: figures and causes in words.

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
mod spinning;
mod table;
mod trend;

pub use palette::Palette;
pub use screen::draw;
