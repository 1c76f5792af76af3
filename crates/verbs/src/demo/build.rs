//! A build: a given number of jobs at once, each of which compiles small C files one after another for a given time. Without a
//! compiler, each job starts processes and writes, renames and removes files, as a compiler's driver does.

use std::ffi::OsStr;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use locktoll_terminal::system::files::private_folder;

/// Compilers to look for, and a program that every system has.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];
const SMALL_PROGRAM: &str = "true";

/// Returns the name of the compiler found here, or `None` if there is none.
pub fn compiler() -> Option<&'static str> {
    COMPILERS.into_iter().find(|name| on_path(name).is_some())
}

/// Says what a build with this many jobs consists of here.
pub fn built_by(jobs: u32) -> String {
    match compiler() {
        Some(compiler) => format!("{compiler}, {jobs} jobs"),
        None => format!("processes and files, {jobs} jobs; no compiler"),
    }
}

/// Returns the program that a build without a compiler starts.
pub fn small_program() -> Option<PathBuf> {
    on_path(SMALL_PROGRAM)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut all = std::env::split_paths(&path).map(|folder| folder.join(name));
    all.find(|file| file.is_file())
}

/// Builds for `length` with this many jobs, while `hogs` threads only loop.
///
/// # Errors
/// If files cannot be written or programs cannot be started.
pub fn build(length: Duration, jobs: u32, hogs: u32) -> io::Result<()> {
    let folder = private_folder("locktoll-build-")?;
    let end = Instant::now() + length;
    let compiler = compiler();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..hogs {
            scope.spawn(|| {
                let mut loops = 0_u64;
                // Relaxed: the flag carries no other data.
                while !over.load(Ordering::Relaxed) {
                    loops = black_box(loops.wrapping_add(1));
                }
            });
        }
        let folder = folder.path();
        let working: Vec<_> = (0..jobs)
            .map(|job| {
                scope.spawn(move || -> io::Result<()> {
                    for turn in 0_u64.. {
                        if Instant::now() >= end {
                            break;
                        }
                        match compiler {
                            Some(compiler) => compile(folder, compiler, job, turn)?,
                            None => files_and_processes(folder, job)?,
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        let mut result = Ok(());
        for job in working {
            let done = job
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("a job ended early")));
            result = result.and(done);
        }
        // Relaxed: as above.
        over.store(true, Ordering::Relaxed);
        result
    })
}

fn compile(folder: &Path, compiler: &str, job: u32, turn: u64) -> io::Result<()> {
    let source = folder.join(format!("{job}.c"));
    let object = folder.join(format!("{job}.o"));
    std::fs::write(&source, text(turn))?;
    let words = [
        OsStr::new("-O1"),
        OsStr::new("-c"),
        source.as_os_str(),
        OsStr::new("-o"),
        object.as_os_str(),
    ];
    run(Command::new(compiler).args(words))?;
    std::fs::remove_file(object)
}

/// Returns the source of a file, different each turn, with the headers of most programs.
fn text(turn: u64) -> String {
    let mut text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n".to_owned();
    for function in 0..12 {
        text += &format!(
            "int work_{turn}_{function}(const char *text) {{\n    int sum = {function};\n    for (size_t i = 0; i < strlen(text); i++)\n        \
             sum = sum * 31 + text[i];\n    if (sum == {turn})\n        printf(\"%d\\n\", sum);\n    return abs(sum);\n}}\n"
        );
    }
    text
}

fn files_and_processes(folder: &Path, job: u32) -> io::Result<()> {
    for file in 0..8 {
        let name = folder.join(format!("{job}-{file}"));
        let renamed = folder.join(format!("{job}-{file}.o"));
        std::fs::write(&name, [0_u8; 4096])?;
        std::fs::rename(&name, &renamed)?;
        std::fs::remove_file(renamed)?;
    }
    run(&mut Command::new(SMALL_PROGRAM))
}

fn run(command: &mut Command) -> io::Result<()> {
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "{} failed",
            command.get_program().display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_build_ends() {
        build(Duration::from_millis(50), 2, 1).unwrap();
    }
}
