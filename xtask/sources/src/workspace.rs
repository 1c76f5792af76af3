//! Where the workspace and its crates are.

use std::path::{Path, PathBuf};

/// The folder of the workspace that this crate was built in.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors()
        .nth(2)
        .expect("the workspace has this crate in xtask/sources")
        .to_owned()
}

/// The crates of the workspace as folders relative to it, sorted: `crates/lab`, `xtask`.
pub fn crates(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(root.join("crates"))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(Path::new("crates").join(entry.ok()?.file_name())))
        .chain(["xtask".into(), "xtask/sources".into()])
        .filter(|folder| root.join(folder).join("Cargo.toml").is_file())
        .collect();
    found.sort();
    found
}
