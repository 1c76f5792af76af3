//! Windows' answers.

pub(super) mod stand_in;
pub(super) mod this_program;
