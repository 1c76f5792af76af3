//! `cargo xtask lines`: lines of the product by crate, now or at a commit, and what is too long.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use tempfile::TempDir;
use xtask_sources::{Counted, Limit, crates, product_files, root, too_long, total_lines};

use crate::table::lay_out;

pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let (flags, commits): (Vec<&str>, Vec<&str>) =
        wishes.iter().partition(|it| it.starts_with('-'));
    let all = match flags[..] {
        [] => false,
        ["--all"] => true,
        _ => bail!("lines takes --all and a commit, as in: cargo xtask lines 284c6dd"),
    };
    match commits[..] {
        [] => report("the work tree", &root(), all),
        [commit] => {
            let unpacked = unpack(commit)?;
            report(commit, unpacked.path(), all)
        }
        _ => bail!("lines takes one commit"),
    }
    Ok(())
}

/// The sources of a commit in a folder of their own.
fn unpack(commit: &str) -> anyhow::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let mut archive = Command::new("git")
        .args(["archive", "--format=tar", commit])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .context("git does not start")?;
    let contents = archive.stdout.take().context("git has no output")?;
    let unpacked = Command::new("tar")
        .arg("-x")
        .current_dir(&folder)
        .stdin(contents)
        .status()
        .context("tar does not start")?;
    ensure!(archive.wait()?.success(), "git cannot archive {commit}");
    ensure!(unpacked.success(), "tar cannot unpack {commit}");
    Ok(folder)
}

/// What is added up of a crate.
#[derive(Default)]
struct Sum {
    files: usize,
    code: usize,
    lines: usize,
    total: usize,
    longer: [usize; 3],
}

impl Sum {
    fn of(root: &Path, folder: &Path, files: &[Counted]) -> Sum {
        let count = |limit: usize| files.iter().filter(|file| file.lines > limit).count();
        let functions = files.iter().flat_map(|file| &file.functions);
        Sum {
            files: files.len(),
            code: files.iter().map(|file| file.code).sum(),
            lines: files.iter().map(|file| file.lines).sum(),
            total: total_lines(&root.join(folder)),
            longer: [
                count(300),
                count(400),
                functions.filter(|it| it.lines > 80).count(),
            ],
        }
    }

    fn add(&mut self, other: &Sum) {
        self.files += other.files;
        self.code += other.code;
        self.lines += other.lines;
        self.total += other.total;
        for (sum, more) in self.longer.iter_mut().zip(other.longer) {
            *sum += more;
        }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let numbers = [self.code, self.lines, self.total, self.files];
        let numbers = numbers.into_iter().chain(self.longer);
        let numbers = numbers.map(|number| number.to_string());
        [name.to_owned()].into_iter().chain(numbers).collect()
    }
}

fn report(of: &str, root: &Path, all: bool) {
    println!(
        "Lines of {of}. Code: product lines without blank lines, comments and items that only tests see. Files: all\n\
         lines of the same files. Everything: tests, benches and examples too.\n"
    );
    let mut rows = Vec::new();
    let mut counted: Vec<Counted> = Vec::new();
    let (mut product, mut everything) = (Sum::default(), Sum::default());
    for folder in crates(root) {
        let files = product_files(root, &folder);
        let sum = Sum::of(root, &folder, &files);
        rows.push(sum.row(&folder.display().to_string()));
        everything.add(&sum);
        if !folder.starts_with("xtask") {
            product.add(&sum);
        }
        counted.extend(files);
    }
    rows.push(product.row("without xtask"));
    rows.push(everything.row("all"));
    let heads = [
        "",
        "code",
        "files' lines",
        "everything",
        "files",
        "> 300",
        "> 400",
        "functions > 80",
    ];
    let mut page = String::new();
    lay_out(&mut page, &heads, rows.into_iter(), &[]);
    print!("{page}");
    let limit = Limit {
        file: if all { 300 } else { 400 },
        function: 80,
    };
    let long = too_long(&counted, limit);
    println!(
        "\nFiles over {} lines, and functions over 80 without a reason:",
        limit.file
    );
    for line in &long {
        println!("  {line}");
    }
    if long.is_empty() {
        println!("  none");
    }
}
