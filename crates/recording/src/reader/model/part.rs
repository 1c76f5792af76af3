//! A recording, and the data of one process image.

use std::string::String;
use std::vec::Vec;

use super::{
    AddressIndex, Birth, Blame, Count, Dropped, Hold, Module, Order, PreemptedWait, Preemption,
    Process, Site, Stack, StackWait, Symbol, Thread, Variable, Watch,
};
use crate::reader::{EventSegment, Warning};

/// The locks of one or several processes.
#[derive(Clone, Debug)]
pub struct Recording {
    /// One entry for each process image, in the order of the file.
    pub parts: Vec<Part>,
    /// Data that is missing or does not add up.
    pub warnings: Vec<Warning>,
}

/// The data of one process image, from exec or fork to its end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The process, its time and its end.
    pub process: Process,
    /// Threads in the order in which the recorder first saw them.
    pub threads: Vec<Thread>,
    /// Files with code that were mapped.
    pub modules: Vec<Module>,
    /// Call sites.
    pub sites: Vec<Site>,
    /// Stacks of calls.
    pub stacks: Vec<Stack>,
    /// Where locks came from.
    pub births: Vec<Birth>,
    /// Acquisitions and waits by thread slot, lock and call site.
    pub counts: Vec<Count>,
    /// Holds, by the same keys as the counts; some of them are pooled.
    pub holds: Vec<Hold>,
    /// Waiting charged to holders, by thread slot, lock and the call sites of both.
    pub blames: Vec<Blame>,
    /// Waits by the stack that led to them.
    pub stack_waits: Vec<StackWait>,
    /// Locks that were acquired while others were held.
    pub orders: Vec<Order>,
    /// Where its events by time are: see [`EventSegment::spans`].
    pub events: Vec<EventSegment>,
    /// Alerts that were raised while the program ran, each one JSON object as text; added after the run.
    pub alerts: Vec<String>,
    /// Functions at call sites, added after the run, by site and depth. Empty if none were added.
    pub symbols: Vec<Symbol>,
    /// Variables that hold locks, added after the run.
    pub variables: Vec<Variable>,
    /// Where and by which version of locktoll the recording was made, in the first part, as written by the program that merged
    /// it; added after the run.
    pub about: Option<String>,
    /// Busy waiting, in the first part, as written by the program that merged it: a JSON document, added after the run.
    pub spinning: Option<String>,
    /// How preempted holders were watched for; `None` if they were not.
    pub watch: Option<Watch>,
    /// Times that holders did not run.
    pub preemptions: Vec<Preemption>,
    /// Waiting for locks whose holders were preempted meanwhile.
    pub preempted_waits: Vec<PreemptedWait>,
    /// Lost data.
    pub dropped: Dropped,
    /// The module at each address, for [`elf_address`](Self::elf_address).
    pub(in crate::reader) addresses: AddressIndex,
}

impl Part {
    /// Returns the module in which `address` lies, and the address there as the ELF file numbers it (the value of a symbol).
    ///
    /// If several modules had the address one after another, the last one seen is taken. `None` for heap, stack and generated
    /// code, or if the module's load bias is not known.
    #[must_use]
    pub fn elf_address(&self, address: u64) -> Option<(&Module, u64)> {
        let module = self.modules.get(self.addresses.find(address)?)?;
        Some((module, address.wrapping_sub(module.bias?)))
    }
}
