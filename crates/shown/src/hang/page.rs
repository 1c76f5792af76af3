//! The page from top to bottom.

use std::fmt::Write;

use super::{chains, deadlocks, threads, words};
use crate::{Provenance, Shown, sentence};
use locktoll_results::hang::{HangResult, HangThread};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{counted, duration};

/// A look, as selected by the verb's flags.
pub struct HangPage<'a> {
    /// The result to show.
    pub result: &'a HangResult,
    /// Whether threads are listed that merely sleep or wait for work.
    pub all: bool,
    /// Whether only threads are listed that have not moved since the look before.
    pub unmoved: bool,
}

impl HangPage<'_> {
    /// Returns the threads to list.
    pub fn listed(&self) -> impl Iterator<Item = &HangThread> {
        self.chosen().filter(|it| self.all || !it.is_idle)
    }

    /// Returns the threads to count.
    pub fn left_out(&self) -> impl Iterator<Item = &HangThread> {
        self.chosen().filter(|it| !self.all && it.is_idle)
    }

    fn chosen(&self) -> impl Iterator<Item = &HangThread> {
        let threads = self.result.threads.iter();
        threads.filter(|it| !self.unmoved || it.unmoved_ns.is_some())
    }
}

impl Shown for HangResult {
    fn title(&self) -> String {
        "locktoll hang".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        let whole = HangPage {
            result: self,
            all: false,
            unmoved: false,
        };
        whole.write(page, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

impl Shown for HangPage<'_> {
    fn title(&self) -> String {
        self.result.title()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        self.result.json()
    }
}

fn render(page: &mut String, shown: &HangPage<'_>, width: usize) -> std::fmt::Result {
    let result = shown.result;
    sentence::answer(page, &words::answer(result), width)?;
    deadlocks::write(page, result, width)?;
    chains::write(page, result, width)?;
    threads::write(page, shown, width)?;
    writeln!(page)?;
    for note in &result.notes {
        fold::write(page, "Note: ", &shown_text(note), width)?;
    }
    let from = Provenance {
        made: result.made.as_ref(),
        machine: None,
        version: Some(&result.version),
    };
    from.write(page, &looked(result), width)
}

/// Says what was looked at, and what the look cost.
fn looked(result: &HangResult) -> String {
    let threads = counted(result.threads.len() as u64, "thread", "threads");
    let command = shown_text(&result.command.join(" "));
    let of = match (&result.core, result.pid) {
        (Some(core), _) => format!("the core file {}", shown_text(core)),
        (None, Some(pid)) => format!("process {pid}"),
        (None, None) => "a process".to_owned(),
    };
    let mut words = format!("{threads} of {of}");
    if !command.is_empty() {
        words += &format!(" (`{command}`)");
    }
    if let Some(looked) = &result.looked {
        words += &format!(", in {}", duration(looked.duration_ns as f64));
        if let (Some(median), Some(max)) = (looked.stops.median_ns, looked.stops.max_ns) {
            words += &format!(
                "; {} stopped, each for {} (median), at most {}",
                counted(looked.stops.count, "thread was", "threads were"),
                duration(median as f64),
                duration(max as f64)
            );
        }
    }
    words
}
