//! The stacks and places of a timeline.

use std::collections::HashMap;

use super::super::part_view::PartView;
use super::super::sites::{SiteId, Sites};
use super::super::stacks::{StackId, Stacks};
use locktoll_results::profile::Frame;
use locktoll_results::profile::timeline::Index;

/// A stack of calls, or one call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Stack(StackId),
    Site(SiteId),
}

/// All stacks and places, numbered as they appear.
#[derive(Default)]
pub struct Places {
    numbers: HashMap<Place, u32>,
    list: Vec<Place>,
}

/// Those of one part, by the numbers of the recording.
pub struct PartPlaces<'l, 'v, 'p> {
    all: &'l mut Places,
    view: &'v PartView<'p>,
    sites: HashMap<u32, usize>,
    stacks: HashMap<u32, usize>,
    /// By the number of the site.
    recent: HashMap<u32, Index>,
    last: (u32, Index),
}

impl Places {
    /// Begins with the places of a part.
    pub fn of_part<'l, 'v, 'p>(&'l mut self, view: &'v PartView<'p>) -> PartPlaces<'l, 'v, 'p> {
        let sites = view.part.sites.iter().enumerate();
        let stacks = view.part.stacks.iter().enumerate();
        PartPlaces {
            all: self,
            view,
            sites: sites.map(|(index, site)| (site.id, index)).collect(),
            stacks: stacks.map(|(index, stack)| (stack.id, index)).collect(),
            recent: HashMap::new(),
            last: (0, Index::NONE),
        }
    }

    fn number(&mut self, place: Place) -> Index {
        let list = &mut self.list;
        let number = *self.numbers.entry(place).or_insert_with(|| {
            list.push(place);
            list.len() as u32 - 1
        });
        Index::new(number as usize)
    }

    /// Returns the frames, and the stacks as indices of them.
    pub fn tables(&self, sites: &Sites, stacks: &Stacks) -> (Vec<Frame>, Vec<Vec<u32>>) {
        let (mut frames, mut numbers) = (Vec::new(), HashMap::new());
        let list = self.list.iter().map(|&place| {
            let calls = match place {
                Place::Stack(stack) => sites.stack(stacks.calls(stack)),
                Place::Site(site) => sites.frames(site).to_vec(),
            };
            let numbered = calls.into_iter().map(|frame| {
                *numbers.entry(frame.clone()).or_insert_with(|| {
                    frames.push(frame);
                    frames.len() as u32 - 1
                })
            });
            numbered.collect()
        });
        let list = list.collect();
        (frames, list)
    }
}

impl PartPlaces<'_, '_, '_> {
    /// Returns the place with the recording's number `site`; none for zero.
    pub fn site(&mut self, site: u32) -> Index {
        if self.last.0 == site {
            return self.last.1;
        }
        let (all, sites, view) = (&mut *self.all, &self.sites, self.view);
        let index = *self.recent.entry(site).or_insert_with(|| {
            let known = sites.get(&site).and_then(|&it| view.sites.ids.get(it));
            known.map_or(Index::NONE, |&known| all.number(Place::Site(known)))
        });
        self.last = (site, index);
        index
    }

    /// Returns the stack with the recording's number `stack`, or else the place `site`.
    pub fn stack(&mut self, stack: u32, site: u32) -> Index {
        let known = self.stacks.get(&stack);
        let known = known.and_then(|&it| self.view.stacks.get(it).copied());
        match known {
            Some(stack) => self.all.number(Place::Stack(stack)),
            None => self.site(site),
        }
    }
}
