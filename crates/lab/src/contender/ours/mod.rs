//! The locks of `locktoll-locks`.

use super::visit::Visitor;

pub(super) fn visit(_visitor: &mut impl Visitor) {}
