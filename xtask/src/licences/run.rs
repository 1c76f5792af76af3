//! `cargo xtask licences`.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, bail, ensure};

use super::{collected, compiled};
use crate::build::top;

const FILE: &str = "crates/verbs/notices/packages.txt";

/// Writes the file with cargo-about, or checks that it names exactly the packages that the program is compiled from.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let file = top().join(FILE);
    match wishes {
        [] => {
            let text = collected::collect(&compiled::packages()?)?;
            fs::create_dir_all(file.parent().context("no folder")?)?;
            fs::write(&file, text)?;
            println!("wrote {FILE}");
        }
        ["--check"] => {}
        _ => bail!("licences takes --check or nothing"),
    }
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {FILE}"))?;
    check(&text, &compiled::packages()?)
}

/// Compares the packages that the notices list with those that are compiled.
fn check(text: &str, compiled: &BTreeSet<String>) -> anyhow::Result<()> {
    let listed: BTreeSet<String> = text
        .lines()
        .skip_while(|line| line.starts_with('#'))
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split(" | ").next())
        .map(str::to_owned)
        .collect();
    let missing: Vec<&str> = compiled.difference(&listed).map(String::as_str).collect();
    let superfluous: Vec<&str> = listed.difference(compiled).map(String::as_str).collect();
    ensure!(
        missing.is_empty() && superfluous.is_empty(),
        "{FILE} does not match Cargo.lock: without notice: {}; not in the program: {}. `cargo xtask licences` (needs cargo-about) \
         writes it again",
        list(&missing),
        list(&superfluous)
    );
    Ok(())
}

fn list(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Made.\na 1.0.0 | MIT | x\nb 2.0.0 | MIT | x\n\n==== MIT License: a 1.0.0\nc 1.0.0 | no package\n";

    #[test]
    fn a_new_version_and_a_package_that_is_gone_are_both_reported() {
        let compiled = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
        check(TEXT, &compiled(&["a 1.0.0", "b 2.0.0"])).unwrap();
        let error = check(TEXT, &compiled(&["a 1.0.0", "b 2.1.0"])).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("without notice: b 2.1.0;"), "{error}");
        assert!(error.contains("not in the program: b 2.0.0."), "{error}");
    }

    #[test]
    fn the_kept_notices_are_those_of_the_packages_that_are_compiled() {
        run(&["--check"]).unwrap();
    }
}
