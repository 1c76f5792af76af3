//! A verb that needs nothing special of the machine, in one line.

use std::fmt::{self, Write};

use locktoll_results::doctor::{DoctorResult, Verb};
use locktoll_shown::Shown;

/// The result for such a verb: its text is that one line, its document is the same as for any verb.
pub struct NeedsNothing {
    /// The verb.
    pub verb: Verb,
    /// The findings.
    pub result: DoctorResult,
}

impl Shown for NeedsNothing {
    fn title(&self) -> String {
        self.result.title()
    }

    fn write(&self, page: &mut String, _width: usize) -> fmt::Result {
        let verb = self.verb.words();
        writeln!(
            page,
            "{verb} works here: it needs no privileges and nothing special of the machine."
        )
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        self.result.json()
    }
}
