//! What is measured of a program.

use anyhow::Context;

use super::way::{Place, Way};

/// A program, and how it is put to work.
pub trait Subject {
    fn name(&self) -> &str;

    /// What must be installed for it.
    fn needs(&self) -> &[&str];

    /// Makes what every run needs. Called once, before the first.
    ///
    /// # Errors
    /// If that is not possible here.
    fn prepare(&mut self, place: &Place) -> anyhow::Result<()>;

    /// Runs it once, from a fresh start.
    ///
    /// # Errors
    /// If it fails, or says nothing of its speed.
    fn run(&self, place: &Place, way: Way) -> anyhow::Result<Sample>;
}

/// One run's figures. Both are better when less.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Time for a unit of work, in whatever unit the subject has.
    pub time: f64,
    /// Processor time for the same, of the program alone.
    pub cpu: f64,
}

/// Whether `program` is on `PATH`, or in one of the folders for administrators' programs.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin".into(), "/usr/local/sbin".into()])
        .any(|folder| folder.join(program).is_file())
}

/// The number in `text` that follows the last `before`, spaces in between.
pub fn number_after(text: &str, before: &str) -> anyhow::Result<f64> {
    let number = text.rsplit_once(before).and_then(|(_, rest)| {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        rest[..end.unwrap_or(rest.len())].parse().ok()
    });
    number.with_context(|| {
        let last = text.trim().lines().next_back().unwrap_or_default();
        format!("no number after {before:?}; the last line is {last:?}")
    })
}
