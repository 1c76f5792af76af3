//! `cargo xtask schemas`: writes `docs/schemas` from the types.

use crate::{files, generated};

/// Writes the schemas that have grown, and says which.
///
/// # Errors
/// If one lost something, or a file cannot be written.
pub fn run() -> anyhow::Result<()> {
    let written = files::keep(&files::folder(), &generated::all())?;
    match written.is_empty() {
        true => println!("docs/schemas is up to date"),
        false => println!("written: {}", written.join(", ")),
    }
    Ok(())
}
