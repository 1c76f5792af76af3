//! Builds a line of the price list.

use crate::stats::Estimate;

use super::series::Series;
use super::{Group, Part};

impl Part {
    /// Creates a line that has no figure yet.
    pub(super) fn new(name: &str, title: &str, group: Group, formula: impl Into<String>) -> Part {
        Part {
            name: name.into(),
            title: title.into(),
            group,
            formula: formula.into(),
            value: None,
            switches_expected: None,
            switches_counted: None,
            mix: None,
            refused: None,
            note: None,
        }
    }

    /// Sets the figure, or the reason why there is none.
    pub(super) fn value(mut self, value: Result<Estimate, String>) -> Part {
        match value {
            Ok(value) => self.value = Some(value),
            Err(reason) => self.refused = Some(reason),
        }
        self
    }

    /// Sets the switches that the kernel counted in the batches of `series`, on which this figure is based.
    pub(super) fn counts(mut self, series: &Series) -> Part {
        self.switches_expected = series.expected();
        let counted = series.counted();
        if series.expected().is_some() || counted.is_some_and(|switches| switches > 0.0) {
            self.switches_counted = counted;
            self.mix = series.switches();
        }
        if let Some(note) = series.repeated() {
            self = self.note(note);
        }
        self
    }

    /// Adds a note on the figure.
    pub(super) fn note(mut self, note: impl AsRef<str>) -> Part {
        self.note = Some(match self.note {
            None => note.as_ref().to_owned(),
            Some(earlier) => format!("{earlier}; {}", note.as_ref()),
        });
        self
    }
}
