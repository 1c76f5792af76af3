//! `locktoll licences`: the licences of all parts of the program, with their texts.
//!
//! - `notices`: the carried notices of the Rust packages, which `cargo xtask licences` collects, and their parts.
//! - `text`: the answers.
//! - `run`: the verb.

mod notices;
mod run;
mod text;

pub use run::run;
