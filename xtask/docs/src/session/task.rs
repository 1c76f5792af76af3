//! `cargo xtask console [PAGE...]`: runs the sessions of the pages and prints what changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::changes::{Change, changes};
use super::choice::{Choice, choice};
use super::parse::{Session, sessions};
use crate::pages::{all, root};

/// The longest time of one session.
const MOST: &str = "300";

/// The user and group without privileges.
const NOBODY: &str = "65534";

/// Runs the sessions of these pages; of all if there are none.
///
/// # Errors
/// If the program is not built, or a page does not exist.
pub fn run(pages: &[&str]) -> anyhow::Result<()> {
    let root = root();
    let program = program(&root)?;
    let pages = match pages {
        [] => all(&root)?,
        named => named.iter().map(PathBuf::from).collect(),
    };
    let (mut same, mut changed, mut skipped) = (0, 0, 0);
    for page in pages {
        let text = std::fs::read_to_string(root.join(&page))
            .with_context(|| format!("cannot read {}", page.display()))?;
        let sessions = sessions(&text);
        if sessions.is_empty() {
            continue;
        }
        // The sessions of a page may use files of those before them.
        let scratch = Scratch::new(&root, &program)?;
        for session in sessions {
            let name = session
                .retake
                .as_deref()
                .or(session.commands.first().map(String::as_str));
            let place = format!(
                "{}:{}: {}",
                page.display(),
                session.line,
                name.unwrap_or_default()
            );
            match choice(&session, has) {
                Choice::Skip(why) => {
                    println!("{place}\n  left out: {why}");
                    skipped += 1;
                }
                Choice::Run {
                    script,
                    as_ordinary_user,
                } => {
                    println!("{place}");
                    match retaken(&session, &scratch.run(&script, as_ordinary_user)?) {
                        true => same += 1,
                        false => changed += 1,
                    }
                }
            }
        }
    }
    println!("{same} sessions have the same shape, {changed} changed, {skipped} were left out");
    Ok(())
}

/// Prints what changed, and returns whether nothing did.
fn retaken(session: &Session, now: &[String]) -> bool {
    let changes = changes(&session.output, now);
    for change in &changes {
        match change {
            Change::Gone(line) => println!("  - {line}"),
            Change::New(line) => println!("  + {line}"),
        }
    }
    changes.is_empty()
}

/// Returns the program that is run: `LOCKTOLL`, or the release build.
fn program(root: &Path) -> anyhow::Result<PathBuf> {
    let program = std::env::var_os("LOCKTOLL").map(PathBuf::from);
    let program = program.unwrap_or_else(|| root.join("target/release/locktoll"));
    if !program.is_file() {
        bail!(
            "{} does not exist; run `cargo build --release`, or name a built program with LOCKTOLL=FILE",
            program.display()
        );
    }
    Ok(std::fs::canonicalize(program)?)
}

fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A folder in which the sessions of a page run: it has the program, and the sources of the programs under test.
struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    #[cfg(unix)]
    fn new(root: &Path, program: &Path) -> anyhow::Result<Self> {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir()?;
        // An ordinary user writes here too.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777))?;
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin)?;
        std::fs::copy(program, bin.join("locktoll"))?;
        symlink(root.join("tests"), folder.path().join("tests"))?;
        Ok(Self { folder })
    }

    #[cfg(not(unix))]
    fn new(_: &Path, _: &Path) -> anyhow::Result<Self> {
        bail!("the sessions of the pages need Linux")
    }

    /// Runs the commands and returns the lines of both outputs.
    fn run(&self, script: &str, as_ordinary_user: bool) -> anyhow::Result<Vec<String>> {
        let folder = self.folder.path();
        let mut words = vec!["timeout", "--kill-after=5", MOST];
        if as_ordinary_user && has("setpriv") {
            words.extend([
                "setpriv",
                "--reuid",
                NOBODY,
                "--regid",
                NOBODY,
                "--clear-groups",
            ]);
        }
        let script = format!("exec 2>&1\n{script}");
        words.extend(["sh", "-c", &script]);
        let mut path = folder.join("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new(words[0])
            .args(&words[1..])
            .current_dir(folder)
            .env("PATH", path)
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .env("COLUMNS", "100")
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().map(str::to_owned).collect())
    }
}
