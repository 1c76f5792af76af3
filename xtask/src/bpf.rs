//! The programs for the kernel: built by Debian's clang, and compared with those that are kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::build::top;

/// Builds every `bpf/*.bpf.c` into `bpf/built`; with `check`, only says whether what is there is what would be built.
pub fn run(check: bool) -> anyhow::Result<()> {
    let folder = top().join("crates/sources/bpf");
    let scratch = tempfile::tempdir()?;
    let mut stale = Vec::new();
    for source in sources(&folder)? {
        let name = source.with_extension("o");
        let built = scratch.path().join(&name);
        compile(&folder, &source, &built)?;
        let kept = folder.join("built").join(&name);
        let (new, old) = (fs::read(&built)?, fs::read(&kept).unwrap_or_default());
        if new == old {
            continue;
        }
        if check {
            stale.push(name.display().to_string());
        } else {
            fs::create_dir_all(folder.join("built"))?;
            fs::write(&kept, new).with_context(|| format!("writing {}", kept.display()))?;
            println!("{}", kept.strip_prefix(top()).unwrap_or(&kept).display());
        }
    }
    ensure!(
        stale.is_empty(),
        "not what their sources make: {}; run `cargo xtask bpf`",
        stale.join(", ")
    );
    Ok(())
}

/// The sources by name, in order.
fn sources(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = PathBuf::from(entry?.file_name());
        if name.to_string_lossy().ends_with(".bpf.c") {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// Compiles one. Names of files go in as they are written here, so that the object is the same wherever the checkout lies.
fn compile(folder: &Path, source: &Path, built: &Path) -> anyhow::Result<()> {
    let headers = multiarch_headers()?;
    run_tool(
        Command::new("clang")
            .current_dir(folder)
            .args(["-target", "bpf", "-mcpu=v3", "-O2", "-g"])
            .args(["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"])
            .arg("-fdebug-compilation-dir=.")
            // <linux/bpf.h> asks for <asm/types.h>, which Debian keeps by architecture; its types are the same on both.
            .arg("-isystem")
            .arg(headers)
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(built),
    )?;
    // Types and lines for the kernel (BTF) stay; what is for debuggers alone goes.
    run_tool(Command::new("llvm-strip").arg("-g").arg(built))
}

fn multiarch_headers() -> anyhow::Result<PathBuf> {
    ["x86_64-linux-gnu", "aarch64-linux-gnu"]
        .map(|name| Path::new("/usr/include").join(name))
        .into_iter()
        .find(|folder| folder.join("asm/types.h").is_file())
        .context("no <asm/types.h>: install linux-libc-dev")
}

fn run_tool(command: &mut Command) -> anyhow::Result<()> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let status = match command.status() {
        Ok(status) => status,
        Err(error) => bail!(
            "cannot run {tool} ({error}); Debian's packages clang, llvm and libbpf-dev have what is needed"
        ),
    };
    ensure!(status.success(), "{tool} failed");
    Ok(())
}
