//! A program is compiled once for each state of its sources, and kept.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::SystemTime;

/// Runs a compiler and gives the path of the program, whose file is called `name`.
///
/// `compiler` has every argument but `-o FILE`. The program is kept below `scratch`, which is the test's `CARGO_TARGET_TMPDIR`, and
/// compiled again only if the compiler, an argument, a file among the arguments or any source in this folder has changed. Tests
/// share the file: one that changes the program needs a [`copy`](copied).
///
/// # Panics
///
/// If the program does not compile.
pub fn compiled(compiler: &Command, name: &str, scratch: &Path) -> PathBuf {
    let kept = scratch.join("programs");
    let folder = kept.join(format!("{:016x}", key(compiler)));
    let program = folder.join(name);
    if program.exists() {
        return program;
    }
    fs::create_dir_all(&folder).expect("a folder for the program");
    // Under another name first: several tests may come here at once, and none may run half a program. The first of them to end
    // names the program, and the others leave it: one that replaced it would delete the file of a program that runs already.
    let part = tempfile::tempdir_in(&kept).expect("a folder for the compiler");
    let made = part.path().join(name);
    let mut command = Command::new(compiler.get_program());
    command.args(compiler.get_args()).arg("-o").arg(&made);
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    match fs::hard_link(&made, &program) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => panic!("{program:?}: {error}"),
        _ => program,
    }
}

/// The same, in a file of the caller's own.
///
/// # Panics
///
/// If the program does not compile.
pub fn copied(compiler: &Command, to: &Path, scratch: &Path) -> PathBuf {
    let name = to.file_name().expect("a file").to_string_lossy();
    let program = compiled(compiler, &name, scratch);
    // Not by this process: a child that another thread starts meanwhile would have the file open for writing, and a file that is
    // being written cannot be run.
    let status = Command::new("cp").arg(&program).arg(to).status();
    assert!(status.is_ok_and(|it| it.success()), "{to:?} is not written");
    to.to_owned()
}

/// Everything that the program depends on.
fn key(compiler: &Command) -> u64 {
    let mut key = DefaultHasher::new();
    SOURCES.hash(&mut key);
    compiler_file(compiler).hash(&mut key);
    compiler.get_program().hash(&mut key);
    for argument in compiler.get_args() {
        argument.hash(&mut key);
        fs::read(argument).ok().hash(&mut key);
    }
    key.finish()
}

/// The compiler's size and date.
fn compiler_file(compiler: &Command) -> Option<(u64, SystemTime)> {
    let name = Path::new(compiler.get_program());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    let found = folders.find_map(|folder| fs::metadata(folder.join(name)).ok())?;
    Some((found.len(), found.modified().ok()?))
}

/// All sources in this folder, since one may include another.
static SOURCES: LazyLock<u64> = LazyLock::new(|| {
    let files: BTreeSet<PathBuf> = fs::read_dir(env!("CARGO_MANIFEST_DIR"))
        .expect("this folder")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    let mut all = DefaultHasher::new();
    for file in files {
        file.file_name().hash(&mut all);
        fs::read(&file).ok().hash(&mut all);
    }
    all.finish()
});

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    fn compiler(source: &Path, flag: &str) -> Command {
        let mut compiler = Command::new("cc");
        compiler.args(["-xc", flag]).arg(source);
        compiler
    }

    #[test]
    fn a_program_is_compiled_again_only_when_something_has_changed() {
        let scratch = tempfile::tempdir().unwrap();
        let source = scratch.path().join("answer");
        fs::write(&source, "int main(void) { return 3; }").unwrap();
        let first = compiled(&compiler(&source, "-O0"), "answer", scratch.path());
        let made = fs::metadata(&first).unwrap().modified().unwrap();
        let again = compiled(&compiler(&source, "-O0"), "answer", scratch.path());
        assert_eq!(again, first);
        assert_eq!(fs::metadata(&again).unwrap().modified().unwrap(), made);

        assert_ne!(
            compiled(&compiler(&source, "-O1"), "answer", scratch.path()),
            first
        );
        fs::write(&source, "int main(void) { return 4; }").unwrap();
        let changed = compiled(&compiler(&source, "-O0"), "answer", scratch.path());
        assert_eq!(Command::new(&changed).status().unwrap().code(), Some(4));
        assert_eq!(Command::new(&first).status().unwrap().code(), Some(3));
    }

    #[test]
    fn tests_that_compile_at_once_share_the_first_program() {
        let scratch = tempfile::tempdir().unwrap();
        let source = scratch.path().join("answer");
        fs::write(&source, "int main(void) { return 3; }").unwrap();
        let inodes: BTreeSet<u64> = std::thread::scope(|scope| {
            let threads = [(); 8].map(|()| {
                scope.spawn(|| {
                    let program = compiled(&compiler(&source, "-O0"), "answer", scratch.path());
                    fs::metadata(program).unwrap().ino()
                })
            });
            threads.map(|it| it.join().unwrap()).into()
        });
        assert_eq!(inodes.len(), 1);
    }

    #[test]
    fn a_copy_can_be_changed() {
        let scratch = tempfile::tempdir().unwrap();
        let source = scratch.path().join("answer");
        fs::write(&source, "int main(void) { return 3; }").unwrap();
        let own = copied(
            &compiler(&source, "-O0"),
            &scratch.path().join("own"),
            scratch.path(),
        );
        fs::write(&own, "").unwrap();
        let kept = compiled(&compiler(&source, "-O0"), "own", scratch.path());
        assert_eq!(Command::new(&kept).status().unwrap().code(), Some(3));
    }
}
