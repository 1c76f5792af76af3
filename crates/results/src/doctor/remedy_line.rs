//! A remedy in one line.

use super::{Remedy, Where};

impl Remedy {
    /// Returns the remedy in one line, to follow the name of the missing thing.
    pub fn line(&self) -> String {
        let commands = self.commands.join("; then: ");
        let lead = match self.place {
            Where::Here => "allow it with",
            Where::Outside => "from outside",
            Where::Boot => "after a reboot with",
            Where::Nowhere => "",
        };
        match (commands.as_str(), self.note.as_deref()) {
            ("", None) => String::new(),
            ("", Some(note)) => note.to_owned(),
            (commands, None) => format!("{lead}: {commands}"),
            (commands, Some(note)) => format!("{lead}: {commands} ({note})"),
        }
    }
}
