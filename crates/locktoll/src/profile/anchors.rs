//! Where the locks of a row are found again in another run of the program, by addresses that loading does not change.

use std::collections::BTreeSet;
use std::path::PathBuf;

use locktoll_recording::layout::POOLED;
use locktoll_recording::reader::Part;

use super::instances::Instance;
use super::statics::Spot;

/// A row with more anchors than these is not followed any further.
pub const MOST_ANCHORS: usize = 64;

/// A place in a file of code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// What lies there.
    pub what: Anchored,
    /// The file, as the process had it mapped.
    pub module: PathBuf,
    /// Bytes from where the file is loaded.
    pub offset: u64,
}

/// What lies at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchored {
    /// A lock.
    Object,
    /// The return address of the call that initialised locks, or first acquired what no call initialised.
    Site,
}

/// The places of a row's locks.
#[derive(Default)]
pub struct Anchors {
    found: BTreeSet<Anchor>,
    /// The birth looked at last, with the position of its part: most locks of a row share it.
    last: Option<(usize, usize)>,
}

impl Anchors {
    /// Adds those of one lock, whose counts came from these births and sites.
    pub fn add(
        &mut self,
        (position, part): (usize, &Part),
        instance: &Instance,
        counts: impl Iterator<Item = (Option<usize>, Option<usize>)>,
    ) {
        if self.found.len() > MOST_ANCHORS {
            return;
        }
        if instance.spot != Spot::Elsewhere && instance.address != POOLED {
            self.found
                .extend(anchor(part, Anchored::Object, instance.address));
            return;
        }
        let mut sites = Vec::new();
        for (birth, site) in counts {
            match birth {
                Some(birth) if self.last == Some((position, birth)) => return,
                Some(birth) => {
                    self.last = Some((position, birth));
                    let born = part.births.get(birth);
                    sites = born.and_then(|it| it.site).into_iter().collect();
                    break;
                }
                None => sites.extend(site),
            }
        }
        for site in sites {
            if let Some(site) = part.sites.get(site) {
                self.found
                    .extend(anchor(part, Anchored::Site, site.address));
            }
        }
    }

    /// All of them, in order.
    pub fn into_list(self) -> Vec<Anchor> {
        self.found.into_iter().collect()
    }
}

/// `None` where the address lies in no file that is known from its beginning.
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
