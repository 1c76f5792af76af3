//! Distinct call sites, each once, over all processes.

use std::collections::HashMap;
use std::rc::Rc;

use super::symbols::Place;
use locktoll_results::profile::{Frame, is_wrapper};

/// The number of a call site among all call sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(u32);

/// All call sites by number, in the order in which they appeared.
#[derive(Default)]
pub struct Sites {
    ids: HashMap<SiteKey, SiteId>,
    sites: Vec<KnownSite>,
}

struct KnownSite {
    frames: Rc<[Frame]>,
    /// Whether the place only contains a library's path to a lock.
    wrapper: bool,
}

/// What distinguishes call sites of a lock: the data that is shown.
///
/// A loop that the compiler unrolled has several addresses for one line of the source.
#[derive(Clone, PartialEq, Eq, Hash)]
enum SiteKey {
    /// Functions and lines, if there are names.
    Named(Vec<(Option<String>, Option<String>, Option<u32>)>),
    /// The address, if there are none.
    Bare(Option<Place>),
}

impl SiteKey {
    fn of(place: Option<&Place>, frames: &[Frame]) -> Self {
        if frames.iter().any(|frame| frame.line.is_none()) || frames.is_empty() {
            return Self::Bare(place.cloned());
        }
        let named = |frame: &Frame| (frame.function.clone(), frame.file.clone(), frame.line);
        Self::Named(frames.iter().map(named).collect())
    }
}

impl Sites {
    /// Returns the number of the site with these frames.
    pub fn id(&mut self, place: Option<&Place>, frames: Vec<Frame>) -> SiteId {
        let sites = &mut self.sites;
        *self
            .ids
            .entry(SiteKey::of(place, &frames))
            .or_insert_with(|| {
                sites.push(KnownSite {
                    wrapper: !frames.is_empty() && frames.iter().all(is_wrapper),
                    frames: frames.into(),
                });
                SiteId(u32::try_from(sites.len() - 1).expect("sites have 32-bit numbers"))
            })
    }

    /// Returns the number for calls whose place is not known.
    pub fn unknown(&mut self) -> SiteId {
        self.id(None, Vec::new())
    }

    /// Returns the functions there, innermost first.
    pub fn frames(&self, site: SiteId) -> &[Frame] {
        &self.sites[site.0 as usize].frames
    }

    /// Whether the place only contains a library's path to a lock.
    pub fn is_wrapper(&self, site: SiteId) -> bool {
        self.sites[site.0 as usize].wrapper
    }

    /// Returns the functions of a whole stack of calls, innermost first.
    pub fn stack(&self, calls: &[SiteId]) -> Vec<Frame> {
        calls
            .iter()
            .flat_map(|&site| self.frames(site).iter().cloned())
            .collect()
    }
}
