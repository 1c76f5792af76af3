//! Context switches of every process by cause: needs privileges.

use super::Source;
use crate::running::Switches;
use crate::top::model::Reading;

impl Source for Switches {
    fn read(&mut self, reading: &mut Reading) {
        // Counts that cannot be read now may be readable the next time; until then the figures of other sources are shown.
        reading.switches = self.counts().ok();
    }

    fn choose(&mut self, _pid: Option<u32>) {
        // All processes are counted all the time.
    }
}
