//! The live screen, in three layers that depend on each other in one direction only.
//!
//! - `source`: the sources of facts about the machine and its programs, one file per source, all behind one trait. `gatherer`
//!   reads all of them at one moment.
//! - `model`: two such moments become an interval; keys become actions; actions decide what is shown. Pure: no clock, no file, no
//!   terminal.
//! - `draw`: an interval and that decision become a screen. This layer only decides how much fits.
//! - `terminal`: puts the terminal into the state for a screen and, whatever happens, back; `signals` are part of that.
//! - `json_lines`: one line per interval instead of a screen; `blocks`: `machine --watch`, which shows only the facts of `/proc`;
//!   `pace`: the ends of intervals.
//! - `save`: the collected data about one program, as a file that `locktoll report` opens.

pub mod blocks;
mod draw;
pub mod flags;
mod gather_thread;
mod gatherer;
mod json_lines;
mod model;
mod pace;
mod run;
mod save;
mod screen_loop;
mod signals;
mod source;
mod terminal;

pub use draw::{Palette, draw};
pub use gatherer::{Gatherer, Trouble};
pub use model::{Order, State, key_action};
pub use run::run;
pub use save::save;
pub use signals::{Signals, is_hung_up};
pub use terminal::{Screen, suspended};
