//! The page from top to bottom.

use std::fmt::Write;

use super::{head, lengths, notes, tables};
use crate::Shown;
use crate::profile::text::styles::STRONG;
use locktoll_results::kernel::KernelResult;

/// The default number of rows in a table.
const ROWS: usize = 15;

/// A result, as selected by the verb's flags.
pub struct KernelPage<'a> {
    /// The result to show.
    pub result: &'a KernelResult,
    /// The number of rows in each table.
    pub top: usize,
    /// Whether there is a table by CPU.
    pub by_cpu: bool,
    /// Whether lengths are also shown in ticks of the processor's counter.
    pub cycles: bool,
}

impl Shown for KernelResult {
    fn title(&self) -> String {
        "locktoll kernel".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        let all = KernelPage {
            result: self,
            top: ROWS,
            by_cpu: true,
            cycles: false,
        };
        all.write(page, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

impl Shown for KernelPage<'_> {
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

fn render(page: &mut String, shown: &KernelPage<'_>, width: usize) -> std::fmt::Result {
    let result = shown.result;
    head::write(page, result, width)?;
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
            heading(page, "By CPU")?;
            tables::cpus(page, result, shown.top)?;
        }
        heading(page, "Waits by length")?;
        lengths::write(page, result, width)?;
        if shown.cycles {
            lengths::ticks(page, result)?;
        }
    }
    writeln!(page)?;
    notes::write(page, result, width)
}

fn heading(page: &mut String, title: &str) -> std::fmt::Result {
    writeln!(page, "\n{STRONG}{title}{STRONG:#}")
}
