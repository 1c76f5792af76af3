//! The library for C and C++: builds it, and lays it out below a prefix.
//!
//! ```text
//! include/locktoll.h, locktoll.hpp, locktoll_tsan.h
//! lib/liblocktoll.a
//! lib/liblocktoll.so -> liblocktoll.so.0 -> liblocktoll.so.0.1.0
//! lib/pkgconfig/locktoll.pc, locktoll-static.pc
//! ```
//!
//! Cargo makes an archive, of which the C compiler's linker takes what the exported functions need: one object, whose
//! other symbols are local. The static library is that object, and the shared one is linked from it. So neither contains anything of Rust's
//! that could meet another Rust library in the same program, and the shared one has a soname and versions of its symbols.
//!
//! The tools are `cc`, `objcopy` and `ar`; `CC`, `OBJCOPY` and `AR` name others.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::build;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What programs look for: it changes when programs must be compiled anew.
const SONAME: &str = "liblocktoll.so.0";

/// Builds everything and puts it below `prefix`.
pub fn run(prefix: &Path) -> anyhow::Result<()> {
    let source = build::top().join("crates/tollgate");
    let map = source.join("c/locktoll.map");
    let made = tempfile::tempdir()?;
    let object = link_object(&build::c_archive()?, &map, made.path())?;
    let archive = archive(&object, made.path())?;
    let shared = link_shared(&object, &map, made.path())?;

    let include = folder(&prefix.join("include"))?;
    for header in ["locktoll.h", "locktoll.hpp", "locktoll_tsan.h"] {
        put(&source.join("include").join(header), &include.join(header))?;
    }
    let lib = folder(&prefix.join("lib"))?;
    put(&archive, &lib.join("liblocktoll.a"))?;
    let full_name = format!("liblocktoll.so.{VERSION}");
    put(&shared, &lib.join(&full_name))?;
    link(&full_name, &lib.join(SONAME))?;
    link(SONAME, &lib.join("liblocktoll.so"))?;

    let pkgconfig = folder(&lib.join("pkgconfig"))?;
    let template = source.join("c/locktoll.pc.in");
    let template = fs::read_to_string(&template)
        .with_context(|| format!("cannot read {}", template.display()))?;
    for (name, libs) in [
        ("locktoll", "-L${libdir} -llocktoll"),
        ("locktoll-static", "${libdir}/liblocktoll.a"),
    ] {
        let text = template
            .replace("@NAME@", name)
            .replace("@VERSION@", VERSION)
            .replace("@LIBS@", libs);
        let file = made.path().join(name);
        fs::write(&file, text)?;
        put(&file, &pkgconfig.join(format!("{name}.pc")))?;
    }
    println!("installed liblocktoll {VERSION} below {}", prefix.display());
    Ok(())
}

/// One object with the exported functions and what they need.
fn link_object(archive: &Path, map: &Path, into: &Path) -> anyhow::Result<PathBuf> {
    let object = into.join("locktoll.o");
    let mut cc = tool("CC", "cc");
    cc.args(["-r", "-nostdlib", "-Wl,--gc-sections", "-o"])
        .arg(&object);
    for name in exported(map)? {
        cc.arg(format!("-Wl,--undefined={name}"));
    }
    succeed(cc.arg(archive))?;
    let local = [
        "--wildcard",
        "--keep-global-symbol=locktoll_*",
        "--strip-debug",
    ];
    succeed(tool("OBJCOPY", "objcopy").args(local).arg(&object))?;
    Ok(object)
}

fn archive(object: &Path, into: &Path) -> anyhow::Result<PathBuf> {
    let archive = into.join("liblocktoll.a");
    succeed(tool("AR", "ar").arg("rcsD").args([&archive, object]))?;
    Ok(archive)
}

fn link_shared(object: &Path, map: &Path, into: &Path) -> anyhow::Result<PathBuf> {
    let library = into.join("liblocktoll.so");
    let mut cc = tool("CC", "cc");
    cc.args(["-shared", "-Wl,-z,relro,-z,now,-z,defs", "-o"])
        .arg(&library)
        .arg(object)
        .arg(format!("-Wl,-soname,{SONAME}"))
        .arg(format!("-Wl,--version-script={}", map.display()));
    succeed(&mut cc)?;
    Ok(library)
}

/// The functions that the version script names.
fn exported(map: &Path) -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(map).with_context(|| format!("cannot read {}", map.display()))?;
    let names = text
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';'));
    Ok(names
        .filter(|name| name.starts_with("locktoll_"))
        .map(str::to_owned)
        .collect())
}

fn tool(variable: &str, usual: &str) -> Command {
    Command::new(env::var_os(variable).unwrap_or_else(|| usual.into()))
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let name = |command: &Command| command.get_program().display().to_string();
    let status = command.status();
    let status = status.with_context(|| format!("cannot start {}", name(command)))?;
    ensure!(status.success(), "{} failed ({status})", name(command));
    Ok(())
}

fn folder(path: &Path) -> anyhow::Result<PathBuf> {
    fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
    Ok(path.to_owned())
}

/// Copies a file into place in one step: a program that uses the one that lay there goes on with it.
fn put(file: &Path, place: &Path) -> anyhow::Result<()> {
    let beside = beside(place);
    fs::copy(file, &beside)
        .and_then(|_| fs::rename(&beside, place))
        .with_context(|| format!("cannot write {}", place.display()))
}

fn link(to: &str, place: &Path) -> anyhow::Result<()> {
    let beside = beside(place);
    // What an earlier run that was cut off may have left.
    let _ = fs::remove_file(&beside);
    symlink(to, &beside)
        .and_then(|()| fs::rename(&beside, place))
        .with_context(|| format!("cannot write {}", place.display()))
}

fn beside(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or(OsStr::new("file")).to_owned();
    name.push(".new");
    place.with_file_name(name)
}
