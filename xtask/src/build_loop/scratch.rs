//! Builds and tests from nothing, and again.

use super::figures::Figure;
use super::options::{Options, Part};
use super::tree::Tree;

/// The release build, the build for development, and all tests: each from scratch, and the latter two again.
pub fn figures(tree: &Tree, options: &Options) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let mut time = |name: &str, words: &[&str], limit| -> anyhow::Result<()> {
        let done = tree.cargo(&name.replace([' ', ','], "-"), words)?;
        let figure = Figure::new(name, vec![done.time], limit);
        figures.push(if done.success {
            figure
        } else {
            figure.with_remark("failed: the time is not that of a whole run")
        });
        Ok(())
    };
    if options.wants(Part::Release) {
        tree.clean()?;
        time(
            "cargo build --release, from scratch",
            &["build", "--locked", "--release"],
            Some(240),
        )?;
    }
    if options.wants(Part::Dev) {
        tree.clean()?;
        time("cargo build, from scratch", &["build", "--locked"], None)?;
        time("cargo build, warm", &["build", "--locked"], None)?;
    }
    if options.wants(Part::Test) {
        let words = ["test", "--locked", "--workspace", "--no-fail-fast"];
        tree.clean()?;
        time("cargo test --workspace, from scratch", &words, Some(720))?;
        time("cargo test --workspace, warm", &words, Some(360))?;
    }
    Ok(figures)
}
