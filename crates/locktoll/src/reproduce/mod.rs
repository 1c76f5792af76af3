//! Published claims: their descriptions, what a run of them must show, and what follows.
//!
//! Nothing here starts a measurement. [`catalogue`] finds the descriptions (one TOML file a claim, carried by the
//! binary), [`description`] says what they may hold, [`evidence`] is what runs gave, [`shape`] makes one number with
//! an interval of it, and [`judge`] says whether that number lies within its bounds.

pub mod axis;
pub mod bench_run;
pub mod catalogue;
mod curve;
pub mod description;
pub mod elsewhere;
pub mod evidence;
pub mod figure;
pub mod judge;
pub mod kernel_run;
pub mod placeholders;
mod prices;
pub mod select;
pub mod series;
pub mod shape;
pub mod state;

#[cfg(test)]
mod description_tests;
#[cfg(test)]
mod judge_tests;
#[cfg(test)]
mod made_up;
#[cfg(test)]
mod shape_tests;
