//! Linux's answers.

pub(super) mod stand_in;
