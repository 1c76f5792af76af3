//! Makes a release: the glibc and static archives, packages, checksums and the bill of materials. The result does not depend on the folder.

mod archive;
mod bill;
mod built;
mod installed;
mod packed;
mod run;
mod symbols;

pub use run::run;
