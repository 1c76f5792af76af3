//! Tables compared with an independent reading of the same files, and made from damaged files.

mod agreement;
mod hostile;
mod reference;
