//! `cargo xtask package`.

use std::process::Command;
use std::time::Instant;

use anyhow::{bail, ensure};

use super::crates::PUBLISHED;
use super::{installed, source, tree};
use crate::build::top;

/// Without what only a developer needs: half the time.
const ENVIRONMENT: [(&str, &str); 2] =
    [("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")];

/// Packs the crates, verifies them, and installs the program from them.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let install = match wishes {
        [] => true,
        ["--no-install"] => false,
        _ => bail!("package takes --no-install or nothing"),
    };
    let folder = top().join("target/package");
    let (copy, build) = (folder.join("tree"), folder.join("build"));
    let mut clock = Clock(Instant::now());
    tree::staged(&copy)?;
    clock.say("copied the checkout and completed its crates");

    // With verification: cargo unpacks each package into a folder of its own and builds it there, from packages alone.
    let packed = Command::new(env!("CARGO"))
        .args(["package", "--locked", "--allow-dirty", "--target-dir"])
        .arg(&build)
        .args(PUBLISHED.iter().flat_map(|name| ["--package", name]))
        .current_dir(&copy)
        .envs(ENVIRONMENT)
        .status()?;
    ensure!(packed.success(), "cargo package failed");
    clock.say(&format!("packed and verified {} crates", PUBLISHED.len()));
    if !install {
        return Ok(());
    }

    let (packages, home) = (folder.join("source"), folder.join("home"));
    source::make(&copy, &build.join("package"), &packages)?;
    source::home(&home, &packages)?;
    clock.say("made a folder of packages in place of crates.io");
    let program = installed::install(&home, &build, &folder.join("installed"), ENVIRONMENT)?;
    clock.say("installed the program from it");
    installed::check(&program, &folder)?;
    clock.say("recorded a program with it, and tried another lock");
    Ok(())
}

/// Says how long each step took.
struct Clock(Instant);

impl Clock {
    fn say(&mut self, step: &str) {
        println!("package: {step} ({:.0} s)", self.0.elapsed().as_secs_f64());
        self.0 = Instant::now();
    }
}
