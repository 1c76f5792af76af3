//! Plain facts about this system. A fact that cannot be read is `None`.

use locktoll_lab::clock::{Clock, ClockCard};
use locktoll_lab::machine::Machine;

use super::calls::{groups, priority_can_rise, sleeps, waits_on_addresses};

/// All the facts that findings are made from.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The facts about the machine that reports show.
    pub machine: Machine,
    /// The clock that times are read from.
    pub clock: ClockCard,
    /// Groups of at most 64 processors; a thread is in one of them.
    pub processor_groups: Option<u16>,
    /// Whether one of our threads gets the highest priority that needs no privilege, or the system's message.
    pub priority: Result<(), String>,
    /// Whether WaitOnAddress distinguishes a changed word from one that stays as it is, or what it did instead.
    pub wait_on_address: Result<(), String>,
    /// How long Sleep(1) takes, in nanoseconds: the median of several.
    pub sleep_of_1_ms_ns: u64,
    program: String,
}

impl Reading {
    /// Reads everything, and leaves everything as it was. This takes at most some 150 ms.
    pub fn take() -> Self {
        let program = std::env::current_exe();
        Self {
            machine: Machine::observe(),
            clock: Clock::card(),
            processor_groups: groups(),
            priority: priority_can_rise(),
            wait_on_address: waits_on_addresses(),
            sleep_of_1_ms_ns: sleeps(),
            program: program
                .map_or_else(|_| "locktoll".to_owned(), |path| path.display().to_string()),
        }
    }

    /// Returns the same facts: nothing is loaded into the kernel here.
    pub fn tried(self) -> Self {
        self
    }

    /// Returns the path of this program's own file.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Users have no number here.
    pub fn user_id(&self) -> Option<u32> {
        None
    }
}
