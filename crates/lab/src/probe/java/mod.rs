//! Java's locks, measured by a small program in one source file that the reader's own JDK compiles and runs.

mod find;
mod output;
mod run;
mod section;

pub(super) use section::measure;
