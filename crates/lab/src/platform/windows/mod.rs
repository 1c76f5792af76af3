//! Windows' answers.

pub(super) mod priority;
pub(super) mod stand_in;
pub(super) mod this_program;
