//! `cargo xtask rooms`: the map of the crates' rooms, and the arrows that break the rules.

use anyhow::bail;
use xtask_sources::{Map, crates, dot, offences, root, table};

pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let (flags, names): (Vec<&str>, Vec<&str>) = wishes.iter().partition(|it| it.starts_with('-'));
    let as_dot = match flags[..] {
        [] => false,
        ["--dot"] => true,
        _ => bail!("rooms takes --dot and names of crates, as in: cargo xtask rooms lab"),
    };
    let root = root();
    let all = crates(&root);
    for name in &names {
        if !all.iter().any(|folder| folder.ends_with(name)) {
            let all: Vec<String> = all.iter().map(|it| it.display().to_string()).collect();
            bail!("no such crate: {name}; there are: {}", all.join(", "));
        }
    }
    for folder in &all {
        if !names.is_empty() && !names.iter().any(|name| folder.ends_with(name)) {
            continue;
        }
        let map = Map::read(&root, folder);
        let folder = folder.display();
        if as_dot {
            print!("{}", dot(&folder.to_string(), &map));
            continue;
        }
        println!("{folder}\n{}", table(&map));
        for offence in offences(&map) {
            println!("{offence}");
        }
    }
    Ok(())
}
