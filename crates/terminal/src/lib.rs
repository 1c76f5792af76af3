//! What every part of the program says, and how: the toolkit below its results and reports.
//!
//! - [`failure`]: how a run ends; [`output`]: results on standard output, all other words on standard error.
//! - [`escape`]: text from programs and files, made fit for a terminal.
//! - [`quantity`]: figures with their units; [`width`]: columns of text and of the terminal; [`fold`]: sentences in lines.
//! - [`interrupt`]: the user's wish to stop.
//! - [`system`]: what all of this asks of the operating system.
//! - [`version`]: which locktoll this is.

pub mod escape;
pub mod failure;
pub mod fold;
pub mod interrupt;
pub mod output;
pub mod quantity;
pub mod system;
pub mod version;
pub mod width;
