//! Shows results to people and scripts, as text, JSON and a page; profiles also as CSV, pprof, folded stacks and a flame
//! graph.
//!
//! `formats` is the table of formats. One room per result ([`advice`], [`mod@bench`], [`comparison`], [`doctor`], [`hang`], [`kernel`], [`machine`],
//! [`profile`], [`reproduction`], [`tour`], [`trial`], [`watch`], [`whatif`]) shows it as text; [`html`] draws the page of each result
//! from its JSON; `pushed` has profiles as servers of profiles take them.

pub mod advice;
pub mod bench;
mod choice;
pub mod comparison;
pub mod doctor;
mod document;
mod format;
mod formats;
pub mod hang;
pub mod html;
mod json;
pub mod kernel;
pub mod machine;
mod machine_line;
pub mod profile;
mod provenance;
#[cfg(target_os = "linux")]
pub mod pushed;
pub mod reproduction;
mod sentence;
mod shown;
mod slices;
mod stand_in;
pub mod table;
pub mod tour;
pub mod trial;
#[cfg(target_os = "linux")]
pub mod watch;
pub mod whatif;

pub use bench::bench_setting;
pub use choice::{Choice, Formats, HTML, JSON, TEXT, listed, named};
pub use comparison::{Page as ComparisonPage, amount, ratio};
pub use document::{Content, Document, Part};
pub use format::{Claims, Format, OfProfile, Place, Subject};
#[cfg(target_os = "linux")]
pub use hang::{HangPage, answer as hang_answer, holder_words};
#[cfg(target_os = "linux")]
pub use json::{json, line as json_line_of};
#[cfg(target_os = "linux")]
pub use kernel::{KernelPage, kernel_interval_text};
pub use machine_line::machine_line;
pub use profile::timeline::needs_a_timeline;
pub use profile::{Names, Selection, Side, SortKey, View};
#[cfg(target_os = "linux")]
pub use profile::{spinning as spinning_words, words as profile_words};
pub use provenance::Provenance;
pub use reproduction::{merged_markdown, reproduction_markdown, short, verdict_words};
pub use shown::Shown;
#[cfg(target_os = "linux")]
pub use watch::{Block, Room, block_text, has_room_for_notes, json_line, notes_text};
