//! The conditions that an experiment must satisfy before any of it starts.

use super::Experiment;
use crate::cell::{Invalid, within, wrong};
use crate::contender::{self, Named};

impl Experiment {
    /// Checks every knob and the combinations between them.
    ///
    /// # Errors
    /// The first fault found, and the accepted values.
    pub fn check(&self) -> Result<(), Invalid> {
        if self.locks.is_empty() {
            return wrong("{lock} names nothing; at least one is needed");
        }
        if let Some(refused) = &self.refused {
            return Err(refused.clone());
        }
        self.settings
            .iter()
            .try_for_each(|setting| setting.check_bounds())?;
        within("repeat", self.repeat, 1, 1_000)?;
        self.check_locks()?;
        self.settings
            .iter()
            .try_for_each(|setting| setting.check_combinations())
    }

    /// Checks that every lock is known and has the alignment for its requested offset, and that some lock obeys each knob that is
    /// turned.
    fn check_locks(&self) -> Result<(), Invalid> {
        let mut locks: Vec<Named> = Vec::new();
        for lock in &self.locks {
            locks.push(
                contender::named(lock).map_err(|unknown| Invalid::Text(unknown.to_string()))?,
            );
        }
        for entry in locks.iter().map(|named| named.entry) {
            let mut offsets = self.settings.iter().map(|setting| setting.align);
            let misplaced = |offset: &u32| !(*offset as usize).is_multiple_of(entry.alignment);
            if let Some(offset) = offsets.find(misplaced) {
                return wrong(format!(
                    "{{align}} {offset}: {} must be aligned to {} bytes",
                    entry.name, entry.alignment
                ));
            }
        }
        let any = |turned: fn(&crate::cell::Setting) -> bool| self.settings.iter().any(turned);
        for (knob, turned) in [
            ("spin", any(|setting| setting.spin.is_some())),
            ("gate", any(|setting| setting.gate.is_some())),
        ] {
            // A lock that is named with its number has no knob left to set.
            let obeys = |named: &Named| named.number.is_none() && named.entry.knobs.contains(&knob);
            if turned && !locks.iter().any(obeys) {
                let having = contender::registry().iter();
                let having: Vec<&str> = having
                    .filter(|entry| entry.knobs.contains(&knob))
                    .map(|entry| entry.name)
                    .collect();
                return wrong(format!(
                    "{{{knob}}} moves none of the locks asked for; it moves {}",
                    having.join(", ")
                ));
            }
        }
        Ok(())
    }
}
