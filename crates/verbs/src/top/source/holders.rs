//! Who holds the locks of the chosen program now, and deadlocks.

use super::Source;
use crate::running;
use crate::top::model::Reading;

/// The looks at the chosen program.
#[derive(Default)]
pub struct Holders(running::Holders);

impl Holders {
    /// Creates the source; nothing is looked at yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Source for Holders {
    fn read(&mut self, reading: &mut Reading) {
        let Some(chosen) = reading.chosen.as_mut().filter(|it| !it.ended) else {
            return;
        };
        // A program that may not be looked at has no holders.
        if let Some(stuck) = self.0.look_at(chosen.pid) {
            chosen.stuck = stuck;
        }
    }

    fn choose(&mut self, _pid: Option<u32>) {
        *self = Self::default();
    }
}
