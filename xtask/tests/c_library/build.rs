//! Installs the library once, and compiles programs against it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::run::said;

/// Where the tests' files go.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The folder below which the library has been installed.
pub fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = folder().join("c-prefix");
        let mut install = Command::new(env!("CARGO_BIN_EXE_xtask"));
        install.arg("install-c").arg(&prefix);
        // A folder of its own: another cargo may hold the usual one.
        install.env("CARGO_TARGET_DIR", folder().join("c-build"));
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            // What the outer cargo or a tool around it has set for its own build.
            if text.starts_with("CARGO_PKG_") || ["RUSTFLAGS", "LD_LIBRARY_PATH"].contains(&&*text)
            {
                install.env_remove(&name);
            }
        }
        let told = said(&mut install);
        assert!(told.starts_with("installed liblocktoll "), "{told}");
        prefix
    })
}

/// Which of the two libraries.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Shared,
    Static,
}

impl Kind {
    pub const BOTH: [Self; 2] = [Self::Shared, Self::Static];

    /// pkg-config's name for it.
    pub fn module(self) -> &'static str {
        match self {
            Self::Shared => "locktoll",
            Self::Static => "locktoll-static",
        }
    }
}

/// What pkg-config says.
pub fn pkg_config(prefix: &Path, words: &[&str]) -> Vec<String> {
    let folder = prefix.join("lib/pkgconfig");
    let said = said(
        Command::new("pkg-config")
            .env("PKG_CONFIG_PATH", folder)
            .args(words),
    );
    said.split_whitespace().map(str::to_owned).collect()
}

/// Where the programs' sources are.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/tollgate/tests/c")
}

/// The compiler for C++, which a machine need not have.
pub fn cpp_compiler() -> String {
    env::var("CXX").unwrap_or_else(|_| "c++".to_owned())
}

/// Compiles a source, without a warning, into a file of the name `made`. C++ if its name says so.
pub fn compile(source: &str, kind: Kind, flags: &[&str], made: &str) -> PathBuf {
    let source = sources().join(source);
    let compiler = match source.extension() {
        Some(ending) if ending == "cpp" => cpp_compiler(),
        _ => env::var("CC").unwrap_or_else(|_| "cc".to_owned()),
    };
    let made = folder().join(made);
    said(
        Command::new(compiler)
            .args([
                "-O2",
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
                "-pthread",
            ])
            .args(flags)
            .arg(source)
            .args(pkg_config(prefix(), &["--cflags", "--libs", kind.module()]))
            .args(["-ldl", "-o"])
            .arg(&made),
    );
    made
}
