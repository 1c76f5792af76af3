//! A cargo of its own, for builds that the outer one cannot make: other flags, other kinds of
//! library.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// `cargo` in this package, free of what the outer cargo has set for its own build.
pub fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let of_the_outer_build = (text.starts_with("CARGO_") && !is_setting(&text))
            || text.starts_with("RUST_TEST_")
            || text.starts_with("NEXTEST")
            || ["RUSTFLAGS", "RUSTDOCFLAGS", "LD_LIBRARY_PATH"].contains(&&*text);
        if of_the_outer_build {
            cargo.env_remove(&name);
        }
    }
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

/// A target folder for the nested build `name`: two cargos on one folder would wait for each other.
pub fn target(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Where the user keeps cargo's things and how it may reach the network.
fn is_setting(name: &str) -> bool {
    [
        "CARGO_HOME",
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
    ]
    .iter()
    .any(|setting| name.starts_with(setting))
}
