//! Where the locks of a row can be found in another run of the program, by addresses that do not depend on loading.

use std::collections::BTreeSet;

use locktoll_recording::layout::POOLED;
use locktoll_recording::reader::{Birth, Part};
use locktoll_results::profile::{Anchor, Anchored};

use super::births::Ancestors;
use super::instances::Instance;
use super::statics::Spot;

/// Beyond this number of anchors, a row is not followed any further.
pub const MOST_ANCHORS: usize = 64;

/// Finds the place where an inherited lock was made.
#[derive(Clone, Copy)]
pub struct MadeIn<'a> {
    /// All parts, by their position.
    pub parts: &'a [&'a Part],
    /// Their births.
    pub ancestors: &'a Ancestors,
}

impl<'a> MadeIn<'a> {
    /// Returns the part and the index of the site where locks of this birth were made.
    fn site(&self, part: &'a Part, birth: &Birth) -> Option<(&'a Part, usize)> {
        match self.ancestors.made(birth) {
            Some(made) => made
                .site
                .map(|(position, site)| (self.parts[position], site)),
            None => birth.site.map(|site| (part, site)),
        }
    }
}

/// The places of a row's locks.
#[derive(Default)]
pub struct Anchors {
    found: BTreeSet<Anchor>,
    /// The last birth that was added, with the position of its part: most locks of a row have the same one.
    last: Option<(usize, usize)>,
}

impl Anchors {
    /// Adds the anchors of one lock. `counts` are the births and sites of its counts. `in_array` is the offset of a lock in its array: such
    /// a lock has the anchor of the array.
    pub fn add(
        &mut self,
        (position, part): (usize, &Part),
        made_in: &MadeIn<'_>,
        (instance, in_array): (&Instance, Option<u64>),
        counts: impl Iterator<Item = (Option<usize>, Option<usize>)>,
    ) {
        if self.found.len() > MOST_ANCHORS {
            return;
        }
        if instance.spot != Spot::Elsewhere && instance.address != POOLED {
            let address = instance.address.saturating_sub(in_array.unwrap_or(0));
            self.found.extend(anchor(part, Anchored::Object, address));
            return;
        }
        let mut sites = Vec::new();
        for (birth, site) in counts {
            match birth {
                Some(birth) if self.last == Some((position, birth)) => return,
                Some(birth) => {
                    self.last = Some((position, birth));
                    let born = part.births.get(birth);
                    let site = born.and_then(|it| made_in.site(part, it));
                    sites = site.into_iter().collect();
                    break;
                }
                None => sites.extend(site.map(|site| (part, site))),
            }
        }
        for (part, site) in sites {
            if let Some(site) = part.sites.get(site) {
                self.found
                    .extend(anchor(part, Anchored::Site, site.address));
            }
        }
    }

    /// Returns all anchors in their order. If `array_bytes` is given, each object is the beginning of an array of that size, and
    /// its anchor is that of the array.
    pub fn into_list(self, array_bytes: Option<u64>) -> Vec<Anchor> {
        let of_array = |it: Anchor| Anchor {
            what: match (it.what, array_bytes) {
                (Anchored::Object, Some(bytes)) => Anchored::Within(bytes),
                (what, _) => what,
            },
            ..it
        };
        self.found.into_iter().map(of_array).collect()
    }
}

/// Returns an anchor; `None` if the address lies in no file whose mapping is known from its beginning.
fn anchor(part: &Part, what: Anchored, address: u64) -> Option<Anchor> {
    let (module, _) = part.elf_address(address)?;
    let from_the_start = module.ranges.iter().filter(|it| it.file_offset == Some(0));
    let loaded_at = from_the_start.map(|range| range.start).min()?;
    Some(Anchor {
        what,
        module: module.path.clone(),
        offset: address.checked_sub(loaded_at)?,
    })
}
