//! Builds the embedded parts of the program: the two libraries that it loads into other programs, and the version with
//! its commit.

use std::env;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::ZlibEncoder;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets the package's version");
    let stamped = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo:rustc-env=LOCKTOLL_VERSION={stamped}");

    if let Err(reason) = carry_libraries() {
        // `cargo::error` ends the build with this line alone, without a panic around it.
        println!("cargo::error={}", reason.replace('\n', " "));
    }
}

/// The commit of the checkout, or `None` outside one (a packaged crate).
fn commit() -> Option<String> {
    let git = |words: &[&str]| {
        let out = Command::new("git").args(words).output().ok()?;
        out.status
            .success()
            .then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    let head = git(&["rev-parse", "--git-path", "HEAD"])?;
    println!("cargo:rerun-if-changed={head}");
    if let Some(branch) = git(&["symbolic-ref", "-q", "HEAD"]) {
        let branch = git(&["rev-parse", "--git-path", &branch])?;
        println!("cargo:rerun-if-changed={branch}");
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

/// The compiler's flags for the libraries. They have no others: flags for the program do not reach them.
const LIBRARY_FLAGS: &str = "LOCKTOLL_LIBRARY_RUSTFLAGS";

/// A folder with the libraries as they were built before: a release builds them once for all its programs.
const BUILT_LIBRARIES: &str = "LOCKTOLL_BUILT_LIBRARIES";

/// A library that is put under other people's programs.
struct Library {
    /// The folder of its crate.
    folder: &'static str,
    /// The file that is built of it.
    file: &'static str,
    /// The folders whose changes change it.
    made_of: &'static [&'static str],
    /// What its build asks for.
    flags: &'static [&'static str],
}

const LIBRARIES: &[Library] = &[
    Library {
        folder: "preload",
        file: "liblocktoll_preload.so",
        made_of: &["preload", "recording"],
        flags: &[],
    },
    Library {
        folder: "substitute",
        file: "liblocktoll_substitute.so",
        made_of: &["substitute", "locks", "tollgate", "waiting"],
        flags: &["--features", "interpose"],
    },
];

/// Builds the libraries for Linux. On Windows no verb puts one under a program.
fn carry_libraries() -> Result<(), String> {
    let target = env::var("TARGET").map_err(|_| "cargo did not set TARGET")?;
    if target.contains("-windows-") {
        return Ok(());
    }
    if !target.contains("-linux-gnu") && !target.contains("-linux-musl") {
        return Err(format!(
            "locktoll measures on Linux with the GNU C library or musl, and on Windows; {target} is another target"
        ));
    }
    println!("cargo:rerun-if-env-changed={BUILT_LIBRARIES}");
    if let Ok(folder) = env::var(BUILT_LIBRARIES) {
        println!("cargo:rerun-if-changed={folder}");
        return LIBRARIES
            .iter()
            .try_for_each(|library| carry_built(library, Path::new(&folder)));
    }
    // They go under programs of the GNU C library. A program that is linked against musl carries the same ones.
    let target = target.replace("-musl", "-gnu");
    let crates = sources_of_libraries()?;
    LIBRARIES
        .iter()
        .try_for_each(|library| carry_library(library, &crates, &target))
}

/// Returns the folder with the crates that the libraries are made of: in a checkout the crates next to this one, in a
/// published crate the copy of them that it carries.
fn sources_of_libraries() -> Result<PathBuf, String> {
    let here = required("CARGO_MANIFEST_DIR")?;
    let crates = here.join("..");
    if LIBRARIES
        .iter()
        .all(|library| crates.join(library.folder).join("Cargo.toml").is_file())
    {
        let sources = LIBRARIES.iter().flat_map(|library| library.made_of);
        for source in sources {
            for part in ["src", "Cargo.toml", "build.rs"] {
                let path = crates.join(source).join(part);
                if path.exists() {
                    println!("cargo:rerun-if-changed={}", path.display());
                }
            }
        }
        return Ok(crates);
    }
    let carried = here.join("carried");
    if !carried.is_dir() {
        return Err(format!(
            "the sources of the libraries that are put under programs are missing ({}); build from a checkout of locktoll, or \
             from a crate that `cargo xtask package` has made",
            carried.display()
        ));
    }
    println!("cargo:rerun-if-changed={}", carried.display());
    let unpacked = required("OUT_DIR")?.join("carried");
    let failed = |error: std::io::Error| format!("cannot copy {}: {error}", carried.display());
    match std::fs::remove_dir_all(&unpacked) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => unpack(&carried, &unpacked).map_err(failed)?,
    }
    Ok(unpacked)
}

/// Copies a carried folder. Its manifests have a further ending there, since cargo leaves a folder with a manifest out of the
/// package of the crate around it.
fn unpack(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            unpack(&entry.path(), &to.join(name))?;
        } else {
            let name = name.to_string_lossy();
            let name = name.strip_suffix(".carried").unwrap_or(&name);
            std::fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

/// Builds a library by a cargo of its own and leaves it in `OUT_DIR`, where the source includes it from.
///
/// A second cargo, since a library needs another crate type and another panic strategy than the
/// program, and a build dependency cannot have either in stable cargo.
fn carry_library(library: &Library, crates: &Path, target: &str) -> Result<(), String> {
    let out = required("OUT_DIR")?;
    let manifest = crates.join(library.folder).join("Cargo.toml");

    // A folder of their own for everything: the outer cargo holds the lock of its profile's folder
    // until this script has ended, so sharing that folder would never come to an end. Both
    // libraries share theirs, and so what both are made of. All profiles of the program and the
    // libraries' own tests (tests/library.rs) share it, too, so that each library is built once.
    let build = libraries(&out)?;
    // Of the checkout, or of the carried workspace.
    let lock = [crates.join("../Cargo.lock"), crates.join("Cargo.lock")];
    let lock = lock.iter().find(|lock| lock.is_file());
    let mut cargo = Command::new(required("CARGO")?);
    cargo
        .args(["rustc", "--quiet", "--profile", "preload", "--lib"])
        .args(["--crate-type", "cdylib"])
        .args(library.flags)
        .arg("--manifest-path")
        .arg(&manifest)
        .args(["--target", target])
        .arg("--target-dir")
        .arg(&build);
    if let Some(lock) = lock {
        println!("cargo:rerun-if-changed={}", lock.display());
        cargo.arg("--locked");
    }
    forget_outer_build(&mut cargo);
    // A release is built alike in every folder: it hides the folders' names in both the program and its libraries.
    println!("cargo:rerun-if-env-changed={LIBRARY_FLAGS}");
    if let Ok(flags) = env::var(LIBRARY_FLAGS) {
        cargo.env("RUSTFLAGS", flags);
    }
    cargo.env("CARGO_BUILD_BUILD_DIR", &build);

    let done = cargo
        .output()
        .map_err(|error| format!("cannot start cargo for {}: {error}", library.file))?;
    if !done.status.success() {
        return Err(format!(
            "{} did not build ({}): {}; for all of it: cargo build -p locktoll-{} {}",
            library.file,
            done.status,
            first_errors(&String::from_utf8_lossy(&done.stderr)),
            library.folder,
            library.flags.join(" ")
        ));
    }
    carry_built(library, &build.join(target).join("preload"))
}

/// Writes a library to where the source includes it from, compressed: line tables are three quarters of it.
fn carry_built(library: &Library, folder: &Path) -> Result<(), String> {
    let built = folder.join(library.file);
    let carried = required("OUT_DIR")?.join(format!("{}.z", library.file));
    let pack = || -> std::io::Result<()> {
        let mut packed = ZlibEncoder::new(File::create(&carried)?, Compression::best());
        packed.write_all(&std::fs::read(&built)?)?;
        packed.finish().map(drop)
    };
    pack().map_err(|error| format!("cannot pack {}: {error}", built.display()))
}

/// The folder in which the libraries are built: next to that of the outer cargo's profile, `TARGET/debug` or
/// `TARGET/release`, below which `OUT_DIR` is `build/PACKAGE/out`.
fn libraries(out: &Path) -> Result<PathBuf, String> {
    out.ancestors()
        .nth(4)
        .map(|target| target.join("libraries"))
        .ok_or_else(|| format!("{} is not where cargo has its OUT_DIR", out.display()))
}

/// The errors of a compiler's output without what surrounds them, three at most.
fn first_errors(output: &str) -> String {
    let errors: Vec<&str> = output
        .lines()
        .filter(|line| line.starts_with("error"))
        .take(3)
        .collect();
    if errors.is_empty() {
        output.trim().to_owned()
    } else {
        errors.join("; ")
    }
}

/// Takes away what the outer cargo says about its own build.
///
/// Wrappers (clippy's driver among them) and flags (`--cfg loom`, sanitizers, coverage) are meant
/// for the program, and must not reach a library that is put under other people's programs.
/// What says where packages come from (`CARGO_HOME`, `CARGO_NET_OFFLINE`, registries) stays.
fn forget_outer_build(cargo: &mut Command) {
    const EXACT: &[&str] = &[
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_RUSTFLAGS",
        "CARGO_BUILD_RUSTC_WRAPPER",
        "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_TARGET",
        "CARGO_BUILD_TARGET_DIR",
        "CARGO_TARGET_DIR",
        "CARGO_INCREMENTAL",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_MANIFEST_LINKS",
        "RUSTFLAGS",
        "RUSTDOCFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "OUT_DIR",
        "TARGET",
        "HOST",
        "PROFILE",
        "OPT_LEVEL",
        "DEBUG",
        "NUM_JOBS",
    ];
    const PREFIXES: &[&str] = &[
        "CARGO_PKG_",
        "CARGO_FEATURE_",
        "CARGO_CFG_",
        "CLIPPY_",
        "DEP_",
    ];
    for (name, _) in env::vars_os() {
        let Some(name) = name.to_str() else { continue };
        let per_target_flags = name.starts_with("CARGO_TARGET_") && name.ends_with("_RUSTFLAGS");
        if per_target_flags
            || EXACT.contains(&name)
            || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        {
            cargo.env_remove(name);
        }
    }
}

/// A path that cargo gives to every build script.
fn required(name: &str) -> Result<PathBuf, String> {
    match env::var_os(name) {
        Some(value) => Ok(Path::new(&value).to_owned()),
        None => Err(format!("cargo did not set {name}")),
    }
}
