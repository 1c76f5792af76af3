//! The page from top to bottom.

use std::fmt::Write;

use super::super::text_fold::WIDTH;
use super::super::{KernelResult, Shown};
use super::{head, lengths, notes, tables};
use crate::report::profile::text::styles::STRONG;

/// Rows of a table where nobody says how many.
const ROWS: usize = 15;

/// A result as the verb's flags want it.
pub struct KernelPage<'a> {
    /// What to show.
    pub result: &'a KernelResult,
    /// Rows of each table.
    pub top: usize,
    /// Whether there is a table by processor.
    pub by_cpu: bool,
    /// Whether lengths are also shown in ticks of the processor's counter.
    pub cycles: bool,
}

/// All that was gathered, styled.
pub fn kernel_text(result: &KernelResult, width: usize) -> String {
    let page = KernelPage {
        result,
        top: ROWS,
        by_cpu: true,
        cycles: false,
    };
    page.text_within(width)
}

impl Shown for KernelPage<'_> {
    fn title(&self) -> String {
        self.result.title()
    }

    fn text(&self) -> String {
        self.text_within(WIDTH)
    }

    fn text_within(&self, width: usize) -> String {
        let mut page = String::new();
        render(&mut page, self, width).expect("writing to a string does not fail");
        page
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        self.result.json()
    }
}

fn render(page: &mut String, shown: &KernelPage<'_>, width: usize) -> std::fmt::Result {
    let result = shown.result;
    head::write(page, result)?;
    if result.total.count > 0 {
        heading(page, "By kind of lock")?;
        tables::kinds(page, result)?;
        if let Some(callers) = &result.callers {
            heading(page, "By the function that asked for the lock")?;
            tables::callers(page, result, callers, shown.top, width)?;
        }
        if let Some(locks) = &result.locks {
            heading(page, "By lock")?;
            tables::locks(page, result, locks, shown.top)?;
        }
        if shown.by_cpu {
            heading(page, "By processor")?;
            tables::cpus(page, result, shown.top)?;
        }
        heading(page, "Waits by length")?;
        lengths::write(page, result, width)?;
        if shown.cycles {
            lengths::ticks(page, result)?;
        }
    }
    writeln!(page)?;
    notes::write(page, result)
}

fn heading(page: &mut String, title: &str) -> std::fmt::Result {
    writeln!(page, "\n{STRONG}{title}{STRONG:#}")
}
