//! The picture of a claim, as SVG: the measured curves with the published ones, and below them each check with its bounds.
//!
//! - `overlay`: which published line answers which measured one, and by what factor it is drawn.
//! - `scale`: from values to places. `ink`: the elements of SVG, and the colours.
//! - `curves`, `ratios`: the two kinds of panels. `draw`: the whole picture.

mod curves;
mod draw;
mod ink;
mod overlay;
mod ratios;
mod scale;
#[cfg(test)]
mod tests;

pub use draw::{View, picture};
#[cfg(test)]
use overlay::overlay;
