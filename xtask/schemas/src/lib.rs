//! JSON Schemas of locktoll's results: `docs/schemas/NAME-NUMBER.json` for the schema `locktoll.NAME/NUMBER`.
//!
//! - [`generated`]: the schemas, made from the types of the results.
//! - [`shape`]: what values a schema permits; [`breaks`]: what a change of it would break in a program that reads results.
//! - [`files`]: the stored schemas, compared and written; [`history`]: their earlier versions, from git; [`run`]: the task.
//!
//! A schema may only grow while its number stays. What a schema cannot say (the meaning of a figure, its unit) is not compared.

pub mod breaks;
pub mod files;
pub mod generated;
pub mod history;
pub mod shape;
mod task;

pub use task::run;
