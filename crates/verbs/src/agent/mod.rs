//! `locktoll agent`: the figures of `top` and `attach`, for months and for a fleet.
//!
//! - `flags`, `request`: what is asked for, checked. `run`: the verb. `words`: its messages on standard error.
//! - `selection`: which processes are watched. `labels`, `container`: how a process is named in the metrics.
//! - `recorded`: programs under `locktoll record`. `kernel_side`: other programs, through the kernel. `spinning`: busy waiting. `watching`: all of
//!   them together.
//! - `lock_rows`: the locks of a profile at one moment. `long_waits`: the holders of those for which threads have waited long. `ledger`: counters
//!   made of such moments, which never go backwards.
//! - `figures`: everything that is published. `exposition`: figures in the formats of Prometheus. `own_cost`: what the agent uses.
//! - `published`: where readings go: `server` answers HTTP requests, `text_file` writes the file for node-exporter.
//! - `push`: profiles of recorded programs, sent to servers of profiles.

mod container;
mod exposition;
mod figures;
pub mod flags;
mod kernel_side;
mod labels;
mod ledger;
mod lock_rows;
mod long_waits;
mod own_cost;
mod published;
mod push;
mod recorded;
mod request;
mod run;
mod selection;
mod server;
mod spinning;
mod text_file;
mod watching;
mod words;

pub use run::run;
