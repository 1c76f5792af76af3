//! Locks from C and C++ libraries (feature `cpp-peers`; each library also has its own feature).
//!
//! Each goes through a shim in `cpp/`, because its fast path is an inline function or a template in its own language. A C++
//! program inlines these; here, each acquisition and each release costs one additional direct call. `bench --list` says so.

#[cfg(feature = "peer-absl")]
mod absl;
#[cfg(feature = "peer-ck")]
mod ck;
mod ffi;
#[cfg(feature = "peer-nsync")]
mod nsync;
mod peer;
#[cfg(feature = "peer-tbb")]
mod tbb;

use super::Family;
use super::visit::{Listing, Visitor};

pub(super) fn visit(visitor: &mut impl Visitor) {
    #[cfg(feature = "peer-absl")]
    absl::visit(visitor);
    #[cfg(feature = "peer-tbb")]
    tbb::visit(visitor);
    #[cfg(feature = "peer-nsync")]
    nsync::visit(visitor);
    #[cfg(feature = "peer-ck")]
    ck::visit(visitor);
}

/// Makes a line of the list.
const fn cpp(name: &'static str, summary: &'static str) -> Listing {
    Listing::new(name, Family::Cpp, summary)
}
