//! A profile in the forms that people, scripts and other programs read: one file or folder a form.
//!
//! All stand behind one trait, [`Form`]: what was selected of a profile goes in, documents come out. Whether those go to
//! a terminal or to files is the verb's affair.

mod csv;
mod folded;
mod form;
mod html;
mod json;
mod names;
mod pprof;
mod preempted;
mod selection;
mod spent;
mod svg;
pub mod text;
mod view;
mod waits;
pub mod words;

pub use self::csv::Csv;
pub use folded::Folded;
pub use form::{Content, Document, Form};
pub use html::{Html, page_document};
pub use json::Json;
#[cfg(target_os = "linux")]
pub use json::json;
pub use names::Names;
pub use pprof::Pprof;
pub use selection::Selection;
pub use svg::Svg;
pub use text::{Text, TextOptions, text_within};
pub use view::{Side, View};
