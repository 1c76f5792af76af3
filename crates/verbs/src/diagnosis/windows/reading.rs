//! Plain facts about this system. A fact that cannot be read is `None`.

use locktoll_lab::clock::{Clock, ClockCard};
use locktoll_lab::machine::Machine;

use super::calls::{groups, priority_can_rise, sleeps, waits_on_addresses};

/// All that findings are made from.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What reports show of the machine.
    pub machine: Machine,
    /// What is timed with.
    pub clock: ClockCard,
    /// Groups of at most 64 processors; a thread is in one of them.
    pub processor_groups: Option<u16>,
    /// Whether a thread of ours gets the highest priority that needs no privilege, or what the system said.
    pub priority: Result<(), String>,
    /// Whether WaitOnAddress tells a changed word from one that stays as it is, or what it did instead.
    pub wait_on_address: Result<(), String>,
    /// How long Sleep(1) takes, in nanoseconds, the median of several.
    pub sleep_of_1_ms_ns: u64,
    program: String,
}

impl Reading {
    /// Looks, and leaves everything as it was. It takes some 150 ms at most.
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

    /// The same: nothing is loaded into the kernel here.
    pub fn tried(self) -> Self {
        self
    }

    /// The path of this very program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Users have no number here.
    pub fn user_id(&self) -> Option<u32> {
        None
    }
}
