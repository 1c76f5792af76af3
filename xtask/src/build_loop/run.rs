//! The task from its words to its tables.

use xtask_sources::crates;

use crate::table::lay_out;

use super::change::changes;
use super::figures::{Figure, HEADS};
use super::options::{Options, Part};
use super::tree::Tree;
use super::{checks, incremental, scratch};

pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let options = Options::read(words)?;
    let tree = Tree::synchronised()?;
    let folders = crates(&tree.folder);
    // Wrong names are refused before anything takes minutes.
    let changes = changes(&tree, &folders, &options)?;

    let load_before = load();
    print(&scratch::figures(&tree, &options)?);
    if options.wants(Part::Incremental) {
        print(&incremental::figures(&tree, &changes, options.rounds)?);
    }
    if options.wants(Part::Checks) {
        for text in checks::report(&tree)? {
            println!("{text}");
        }
    }
    println!(
        "Load of the machine, these builds included: {load_before} at the beginning, {} at the end.",
        load()
    );
    println!(
        "Built in {}; what each command said: {}",
        tree.target.display(),
        tree.logs.display()
    );
    Ok(())
}

/// How busy the machine is: times from a busy one are no times of the builds.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn print(figures: &[Figure]) {
    if figures.is_empty() {
        return;
    }
    let mut page = String::new();
    lay_out(&mut page, &HEADS, figures.iter().map(Figure::row), &[4, 5]);
    println!("{page}");
}
