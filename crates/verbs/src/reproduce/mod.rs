//! Published claims: their descriptions, their runs, and the verdicts.
//!
//! Nothing here starts a measurement. [`catalogue`] finds the descriptions (one TOML file per claim, contained in the binary),
//! [`description`] defines their contents, [`evidence`] has the results of runs, [`shape`] turns them into one number with an
//! interval, and [`judge`] decides whether that number lies within its bounds. [`means`]
//! says what that means to a reader.

mod attempt;
pub mod axis;
mod bench_figures;
pub mod bench_run;
mod budget;
mod carry_out;
pub mod catalogue;
mod checks;
mod curve;
pub mod description;
pub mod earlier_results;
pub mod evidence;
pub mod figure;
mod figure_source;
pub mod flags;
mod guest;
mod guest_plan;
pub mod guest_run;
pub mod judge;
mod kernel_plan;
pub mod kernel_run;
mod list;
pub mod means;
mod merge;
pub mod other_systems;
pub mod placeholders;
mod plan;
mod prices;
mod progress;
mod run;
pub mod selection;
pub mod series;
pub mod shape;
mod spread;
mod system_watch;

#[cfg(test)]
mod description_tests;
#[cfg(test)]
mod judge_tests;
#[cfg(test)]
mod made_up;
#[cfg(test)]
mod means_tests;
#[cfg(test)]
mod shape_tests;
pub use catalogue::claim_ids;
#[cfg(target_os = "linux")]
pub use guest::serve as serve_guest;
pub use run::run;
