//! Tables against an independent reading of the same files, and against damaged ones.

mod agreement;
mod hostile;
mod reference;
