//! The page from top to bottom: the answer, the table, what to know about it, and the command.

use std::fmt::{self, Write};

use super::{notes, table};
use crate::profile::text::styles::STRONG;
use crate::trial::metric_words;
use crate::{Provenance, Shown};
use locktoll_results::whatif::WhatIfResult;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{counted, duration};

impl Shown for WhatIfResult {
    fn title(&self) -> String {
        format!("locktoll whatif {}", self.command.join(" "))
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &WhatIfResult, width: usize) -> fmt::Result {
    let mut conclusion = String::new();
    fold::write(&mut conclusion, "", &shown_text(&result.conclusion), width)?;
    for line in conclusion.lines() {
        writeln!(page, "{STRONG}{line}{STRONG:#}")?;
    }
    writeln!(page)?;
    table::write(page, result, width)?;
    writeln!(page)?;
    table::measured(page, result)?;
    writeln!(page)?;
    notes::write(page, result, width)?;
    writeln!(page)?;
    head(page, result, width)
}

/// Writes the command, the load, the metric, and how long it took.
fn head(page: &mut String, result: &WhatIfResult, width: usize) -> fmt::Result {
    let program = shown_text(&result.command.join(" "));
    fold::write(page, "Program: ", &program, width)?;
    if let Some(load) = &result.load {
        fold::write(page, "Load:    ", &shown_text(&load.join(" ")), width)?;
    }
    let metric = metric_words(&result.metric, result.load.is_some());
    fold::write(page, "Metric:  ", &shown_text(&metric), width)?;
    let took = format!(
        "{}; took {} (limit {})",
        counted(result.rounds as u64, "round", "interleaved rounds"),
        duration(result.taken_ns as f64),
        duration(result.announced_ns as f64)
    );
    fold::write(page, "Rounds:  ", &took, width)?;
    let from = Provenance {
        made: result.made.as_ref(),
        machine: Some(&result.machine),
        version: Some(&result.version),
    };
    from.write(page, "", width)
}
