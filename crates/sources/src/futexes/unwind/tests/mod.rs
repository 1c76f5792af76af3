//! Tables compared with an independent reading of the same files, and tables of damaged files.

mod agreement;
mod hostile;
mod reference;
