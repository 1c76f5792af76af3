//! The locks of the catalogue, each with its type.

use locktoll_locks::catalogue::{self, Catalogued, Lock};
use locktoll_locks::{Mcs, RwFair, RwReader};

use super::super::Family;
use super::super::system;
use super::super::visit::{Listing, Visitor};
use super::Raw;
use super::recipe::{FromCatalogue, Gated};
use super::rw::Rw;
use super::sequence::Sequence;

pub(in super::super) fn visit(visitor: &mut impl Visitor) {
    macro_rules! each {
        ($($lock:ident $name:literal,)+) => {
            $(catalogued::<locktoll_locks::$lock>(visitor);)+
        };
    }
    locktoll_locks::for_each_timed_lock!(each);
    composed(visitor);
}

/// Visits a row of the catalogue, and its presets.
fn catalogued<L: Catalogued + 'static>(visitor: &mut impl Visitor) {
    visitor.lock::<Raw<FromCatalogue<L>>>(ours(L::LOCK, &["spin"]));
    for preset in L::LOCK.presets {
        visitor.lock::<Raw<FromCatalogue<L>>>(ours(L::LOCK, &[]).preset(*preset));
    }
}

/// Visits locks around other locks, and locks with readers.
fn composed(visitor: &mut impl Visitor) {
    system::visit_gated(visitor);
    visitor.lock::<Raw<Gated<Mcs>>>(of("gate-mcs", &["gate"]));
    visitor.lock::<Rw<RwFair>>(of("rw-fair", &["shared"]));
    visitor.lock::<Rw<RwReader>>(of("rw-reader", &["spin", "shared"]));
    visitor.lock::<Sequence>(of("seqlock", &["spin", "shared"]));
}

/// Returns the composed lock with this name in the catalogue.
pub(in super::super) fn of(name: &str, knobs: &'static [&'static str]) -> Listing {
    let lock = catalogue::row(name).expect("the catalogue has it");
    ours(lock, knobs)
}

fn ours(lock: Lock, knobs: &'static [&'static str]) -> Listing {
    let listing = Listing::of(lock, Family::Ours);
    match lock.parameter {
        None if knobs == ["spin"] => listing,
        _ => listing.knobs(knobs),
    }
}
