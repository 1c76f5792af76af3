//! The results of all verbs, as plain values: the schemas that `--json` writes. Nothing here measures or prints.
//!
//! - [`advice`] (`advise`), [`mod@bench`], [`machine`], [`kernel`], [`hang`], [`trial`] (`try`), [`whatif`], [`tour`], [`reproduction`], [`comparison`],
//!   [`doctor`]: one schema each.
//! - [`top`], [`watch`] (`machine --watch`): lines, each of an interval.
//! - [`merged`]: results of `reproduce` from several machines.
//! - [`profile`]: `locktoll.profile/1`, which `record`, `attach` and `top` make.
//! - [`Made`]: when, where and by which locktoll a result was made.
//! - [`Kind`]: the kind of a file's result, by its schema.
//! - [`saved`]: reads any of them back.

pub mod advice;
pub mod bench;
pub mod comparison;
pub mod doctor;
pub mod hang;
pub mod kernel;
mod kind;
pub mod machine;
mod made;
pub mod merged;
pub mod profile;
mod published_line;
pub mod reproduction;
pub mod saved;
#[cfg(target_os = "linux")]
pub mod top;
pub mod tour;
pub mod trial;
#[cfg(target_os = "linux")]
pub mod watch;
pub mod whatif;

pub use kind::Kind;
pub use made::{Made, MadeOn, from_utc, utc};
pub use published_line::{PublishedLine, PublishedPoint, number_of};
