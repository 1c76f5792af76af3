//! Makes a line of the price list.

use crate::stats::Estimate;

use super::series::Series;
use super::{Group, Part};

impl Part {
    /// A line without a figure yet.
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

    /// The figure, or why there is none.
    pub(super) fn value(mut self, value: Result<Estimate, String>) -> Part {
        match value {
            Ok(value) => self.value = Some(value),
            Err(reason) => self.refused = Some(reason),
        }
        self
    }

    /// What the kernel counted in the batches of `series`: the counts that this figure stands on.
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

    /// One more thing to know of the figure.
    pub(super) fn note(mut self, note: impl AsRef<str>) -> Part {
        self.note = Some(match self.note {
            None => note.as_ref().to_owned(),
            Some(earlier) => format!("{earlier}; {}", note.as_ref()),
        });
        self
    }
}
