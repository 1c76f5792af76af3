//! A recording, and the data of one process image.

use std::string::String;
use std::vec::Vec;

use super::{
    AddressIndex, Birth, Blame, Count, Dropped, Hold, Module, PreemptedWait, Preemption, Process,
    Site, Stack, StackWait, Symbol, Thread, Variable, Watch,
};
use crate::reader::Warning;

/// One or several processes' locks.
#[derive(Clone, Debug)]
pub struct Recording {
    /// One entry a process image, in the order of the file.
    pub parts: Vec<Part>,
    /// What is missing or does not add up.
    pub warnings: Vec<Warning>,
}

/// What one process image did, from exec or fork to its end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Who, when and how it ended.
    pub process: Process,
    /// Threads in the order the recorder first saw them.
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
    /// Holds, as the counts; some of them pooled.
    pub holds: Vec<Hold>,
    /// Whose waiting is whose doing, by thread slot, lock and the call sites of both.
    pub blames: Vec<Blame>,
    /// Waits by the stack that led to them.
    pub stack_waits: Vec<StackWait>,
    /// Functions at call sites, added after the run, by site and depth. Empty if nobody did.
    pub symbols: Vec<Symbol>,
    /// Variables that hold locks, added after the run.
    pub variables: Vec<Variable>,
    /// Where and by which locktoll the recording was made, as whoever merged it wrote it, in the first part; added after the run.
    pub about: Option<String>,
    /// How preempted holders were watched for; `None` if they were not.
    pub watch: Option<Watch>,
    /// Times that holders did not run.
    pub preemptions: Vec<Preemption>,
    /// Waiting for locks whose holders were preempted meanwhile.
    pub preempted_waits: Vec<PreemptedWait>,
    /// What was not recorded.
    pub dropped: Dropped,
    /// Which module is where, for [`elf_address`](Self::elf_address).
    pub(in crate::reader) addresses: AddressIndex,
}

impl Part {
    /// The module that `address` lies in, and the address there as the ELF file numbers it (the value of a symbol).
    ///
    /// Where several modules held the address one after another, the one seen last is taken. `None` for heap, stack
    /// and generated code, or if the module's load bias is not known.
    #[must_use]
    pub fn elf_address(&self, address: u64) -> Option<(&Module, u64)> {
        let module = self.modules.get(self.addresses.find(address)?)?;
        Some((module, address.wrapping_sub(module.bias?)))
    }
}
