//! Windows' answers.

pub(super) mod stand_in;
