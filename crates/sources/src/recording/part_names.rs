//! Names in one process image: embedded ones if the recording has them, else from the program's files.

use std::collections::HashSet;
use std::path::Path;

use locktoll_recording::reader::{Part, Site, Symbol};

use super::sites::{SiteId, Sites};
use super::symbols::{Place, Symbols};
use locktoll_results::profile::Frame;

/// The call sites of a part, by their index there.
pub struct PartSites {
    /// The number of each site among all sites.
    pub ids: Vec<SiteId>,
    /// Where each lies.
    pub places: Vec<Place>,
}

impl PartSites {
    /// Names the sites of `part`. They are looked up once for each site, not for each count: there may be a million counts.
    pub fn new(part: &Part, symbols: &mut Symbols, sites: &mut Sites) -> Self {
        let functions = start_routines(part);
        let mut embedded = part.symbols.chunk_by(|a, b| a.site == b.site).peekable();
        let mut ids = Vec::with_capacity(part.sites.len());
        let mut places = Vec::with_capacity(part.sites.len());
        for (index, &site) in part.sites.iter().enumerate() {
            let place = place_of(part, index, &functions);
            // Symbols come in the order of sites.
            let named = embedded.next_if(|symbols| symbols[0].site == index);
            let frames = match named {
                Some(named) => named
                    .iter()
                    .map(|symbol| frame(part, site, symbol))
                    .collect(),
                None => symbols.frames(part, site, &place),
            };
            ids.push(sites.id(Some(&place), frames));
            places.push(place);
        }
        Self { ids, places }
    }
}

/// Returns the sites that are not calls, but functions with which threads were started.
pub fn start_routines(part: &Part) -> HashSet<usize> {
    let threads = part.threads.iter();
    threads.filter_map(|thread| thread.start_routine).collect()
}

/// Returns where the site at `index` lies.
pub fn place_of(part: &Part, index: usize, start_routines: &HashSet<usize>) -> Place {
    let site = part.sites[index];
    if start_routines.contains(&index) {
        Symbols::function_place(part, site)
    } else {
        Symbols::place(part, site)
    }
}

fn frame(part: &Part, site: Site, symbol: &Symbol) -> Frame {
    let module = site.module.and_then(|index| part.modules.get(index));
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    Frame {
        function: symbol.function.clone(),
        file: symbol.file.clone(),
        line: symbol.line,
        module: module.map(|module| shown(&module.path)),
        offset: Some(symbol.address),
    }
}
