//! Context switches per unit of a probe, where they were counted.

use crate::probe::Switches;

/// Context switches in a unit, all threads of the probe together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::probe) struct Count {
    /// Both kinds together; `None` where they were not counted.
    pub total: Option<f64>,
    /// Each kind; `None` where they are not distinguished.
    pub kinds: Option<Switches>,
}

impl From<Switches> for Count {
    fn from(switches: Switches) -> Count {
        Count {
            total: Some(switches.total()),
            kinds: Some(switches),
        }
    }
}

impl Switches {
    /// Both kinds together.
    pub fn total(&self) -> f64 {
        self.voluntary + self.involuntary
    }
}
