//! Distinct call stacks, each once, over all processes.

use std::collections::HashMap;
use std::rc::Rc;

use locktoll_recording::reader::Part;

use super::sites::SiteId;

/// The number of a stack among all stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(u32);

/// All stacks.
#[derive(Default)]
pub struct Stacks {
    ids: HashMap<Rc<[SiteId]>, StackId>,
    stacks: Vec<Rc<[SiteId]>>,
}

impl Stacks {
    /// Returns the number of the stack with these calls, innermost first.
    pub fn id(&mut self, calls: Vec<SiteId>) -> StackId {
        if let Some(&id) = self.ids.get(&calls[..]) {
            return id;
        }
        let id = StackId(u32::try_from(self.stacks.len()).expect("stacks have 32-bit numbers"));
        let calls: Rc<[SiteId]> = calls.into();
        self.stacks.push(calls.clone());
        self.ids.insert(calls, id);
        id
    }

    /// Returns the stacks of a part, by their index there; `sites` are its sites.
    pub fn of_part(&mut self, part: &Part, sites: &[SiteId]) -> Vec<StackId> {
        let stacks = part.stacks.iter();
        stacks
            .map(|stack| {
                let known = stack.sites.iter().flatten();
                self.id(known.filter_map(|&site| sites.get(site).copied()).collect())
            })
            .collect()
    }

    /// Returns its calls, innermost first.
    pub fn calls(&self, id: StackId) -> &[SiteId] {
        &self.stacks[id.0 as usize]
    }
}
