//! The versions of the C library's symbols that a file needs.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// The oldest C library that a release promises to run with: the one that Rust's standard library itself needs.
pub const OLDEST: [u32; 2] = [2, 17];

/// Checks that no symbol that a file needs is newer than [`OLDEST`].
pub fn check(file: &Path) -> anyhow::Result<()> {
    let output = Command::new("objdump")
        .arg("-T")
        .arg(file)
        .output()
        .context("cannot start objdump")?;
    ensure!(
        output.status.success(),
        "objdump -T {} failed",
        file.display()
    );
    let newer = newer(&String::from_utf8_lossy(&output.stdout))?;
    ensure!(
        newer.is_empty(),
        "{} needs symbols that are newer than glibc {}.{}: {}",
        file.display(),
        OLDEST[0],
        OLDEST[1],
        newer.join(", ")
    );
    Ok(())
}

/// Reads lines of `objdump -T` and returns the symbols that are too new. A table without one symbol of the C library is refused,
/// since it would pass for every file.
fn newer(table: &str) -> anyhow::Result<Vec<String>> {
    let mut seen = 0;
    let mut newer = Vec::new();
    for line in table.lines().filter(|line| line.contains("*UND*")) {
        let Some(at) = line.find("GLIBC_") else {
            continue;
        };
        let rest = &line[at + "GLIBC_".len()..];
        let version: Vec<u32> = rest
            .split(|it: char| !(it.is_ascii_digit() || it == '.'))
            .next()
            .unwrap_or_default()
            .split('.')
            .filter_map(|part| part.parse().ok())
            .collect();
        seen += 1;
        if version.is_empty() || version.as_slice() > OLDEST.as_slice() {
            let name = line.split_whitespace().last().unwrap_or_default();
            newer.push(format!(
                "{name} ({})",
                rest.split(')').next().unwrap_or_default()
            ));
        }
    }
    if seen == 0 {
        bail!("objdump lists no symbol of the C library");
    }
    Ok(newer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "\
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) read
0000000000000000  w   D  *UND*\t0000000000000000  Base        __rseq_offset
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.17) clock_gettime
";

    #[test]
    fn a_newer_symbol_is_named_and_a_weak_one_without_version_is_not() {
        assert!(newer(OLD).unwrap().is_empty());
        let table =
            format!("{OLD}0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.34) dlsym\n");
        assert_eq!(newer(&table).unwrap(), ["dlsym (2.34)"]);
        // 2.3 is older than 2.17.
        let table = "0 DF *UND*\t0 (GLIBC_2.3) x\n0 DF *UND*\t0 (GLIBC_3.0) y\n";
        assert_eq!(newer(table).unwrap().len(), 1);
    }

    #[test]
    fn a_table_without_symbols_is_refused() {
        assert!(newer("").is_err());
    }
}
