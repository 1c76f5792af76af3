//! The table of formats: one row for each file or folder below `formats`, in the order of `--help`.

mod csv;
mod firefox;
mod folded;
mod html;
mod json;
mod markdown;
mod perfetto;
pub mod pprof;
mod svg;
mod text;

use crate::Format;

/// All formats.
pub static FORMATS: [&Format; 10] = [
    &text::FORMAT,
    &html::FORMAT,
    &json::FORMAT,
    &csv::FORMAT,
    &pprof::FORMAT,
    &folded::FORMAT,
    &svg::FORMAT,
    &perfetto::FORMAT,
    &firefox::FORMAT,
    &markdown::FORMAT,
];
