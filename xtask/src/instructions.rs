//! `cargo xtask instructions`: what a pair of acquisition and release takes, instruction by instruction.

use anyhow::bail;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    use std::process::Command;

    use anyhow::Context;
    use locktoll_stepping::{Libraries, PAIRS, Row, Table, ways};

    use crate::build;

    let is_to_be_kept = match wishes {
        [] => false,
        ["--keep"] => true,
        _ => bail!("instructions takes --keep, as in: cargo xtask instructions --keep"),
    };
    build::libraries()?;
    let target = build::top().join("target");
    let libraries = Libraries::of_build(&target);
    let locks = locktoll_substitute::candidate::ALL.iter().map(|it| it.name);
    let mut rows = Vec::new();
    for way in ways(locks) {
        let counts = way.count(PAIRS, &libraries, &target.join("tmp"))?;
        let name = way.name();
        rows.push(Row { name, counts });
    }
    let rustc = Command::new("rustc").arg("--version").output()?;
    let made_by = Table::made_by(&String::from_utf8_lossy(&rustc.stdout));
    let table = Table { made_by, rows };
    print!("{}", table.text());
    if is_to_be_kept {
        let file = build::top().join("benches/instructions.md");
        let text = std::fs::read_to_string(&file)?;
        let kept = Table::read(&text).context("benches/instructions.md has no table")?;
        std::fs::write(&file, text.replace(&kept.text(), &table.text()))?;
    }
    Ok(())
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub fn run(_: &[&str]) -> anyhow::Result<()> {
    bail!("instructions are counted on Linux on x86-64")
}
