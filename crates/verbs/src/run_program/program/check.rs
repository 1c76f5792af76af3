//! From the words of a command to "a library can be put under this", or to the reason why not.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::elf::{Image, image};
use super::{Runtime, find, privilege, script};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// The kernel follows interpreter lines to this depth, then returns `ELOOP`.
const SCRIPT_DEPTH: usize = 5;

/// A program under which a preload library can be put.
#[derive(Debug)]
pub struct Checked {
    /// The file to execute.
    pub path: PathBuf,
    /// The kind of locks that it probably uses; for a script, the kind that its interpreter uses.
    pub runtime: Runtime,
    /// Warnings for the user, although the program can be recorded.
    pub warnings: Vec<String>,
}

/// The purpose for which the program is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Its locks are to be recorded.
    Record,
    /// It is to run on other locks.
    Try,
}

impl Purpose {
    /// Returns `record` or `try`.
    fn verb(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Try => "try",
        }
    }

    /// Returns `recorded` or `tried`.
    fn done(self) -> &'static str {
        match self {
            Self::Record => "recorded",
            Self::Try => "tried",
        }
    }
}

/// Checks the program that `name` means, without starting anything.
///
/// # Errors
/// [`Failure::Usage`] when there is nothing to execute, [`Failure::Unsupported`] when it can be executed but no library can be
/// put under it.
pub fn check(name: &OsStr, purpose: Purpose) -> Result<Checked, Failure> {
    let search = std::env::var_os("PATH");
    let path = find::find(name, search.as_deref())?;
    let mut warnings = Vec::new();
    let runtime = follow(&path, search.as_deref(), 0, purpose, &mut warnings)?;
    Ok(Checked {
        path,
        runtime,
        warnings,
    })
}

fn follow(
    path: &Path,
    search: Option<&OsStr>,
    depth: usize,
    purpose: Purpose,
    warnings: &mut Vec<String>,
) -> Result<Runtime, Failure> {
    let name = shown(path.as_os_str());
    if depth > SCRIPT_DEPTH {
        return Err(Failure::Usage(format!(
            "{name}: too many interpreter lines one after another; the last must be a program"
        )));
    }
    let mut file = match File::open(path) {
        Ok(file) => file,
        // Executable but not readable: the kernel will run it, and nothing is known about it.
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            warnings.push(format!(
                "{name} cannot be read, so it is not known yet whether it can be {}",
                purpose.done()
            ));
            return Ok(Runtime::Other);
        }
        Err(error) => return Err(Failure::Usage(format!("{name}: {error}"))),
    };
    let mut head = Vec::new();
    Read::by_ref(&mut file)
        .take(256)
        .read_to_end(&mut head)
        .map_err(|error| Failure::Usage(format!("{name} cannot be read: {error}")))?;

    if let Some(line) = script::interpreter(&head) {
        let next = PathBuf::from(&line.path);
        find::find(with_slash(&next).as_os_str(), None).map_err(|_| {
            Failure::Usage(format!(
                "{name} names an interpreter that cannot be executed: {}",
                shown(&line.path)
            ))
        })?;
        let interpreter = follow(&next, search, depth + 1, purpose, warnings)?;
        return match script::program_of_env(&line) {
            Some(program) => {
                let program = find::find(&program, search)?;
                follow(&program, search, depth + 1, purpose, warnings)
            }
            None => Ok(interpreter),
        };
    }

    let runtime = judge(&name, image(&file, &head), purpose, warnings)?;
    match privilege::raised_by(path, &file) {
        Ok(Some(raised)) => Err(Failure::Unsupported(format!(
            "{name} is {raised}: the loader ignores preload libraries in a program that changes \
             identity; run it under that identity, or {} a copy without the bit",
            purpose.verb()
        ))),
        Ok(None) => Ok(runtime),
        Err(error) => {
            warnings.push(format!("the privileges of {name} are not known: {error}"));
            Ok(runtime)
        }
    }
}

/// Puts `./` in front of a bare name: interpreter lines name a path relative to the working directory, never one to search for on
/// `PATH`.
fn with_slash(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().contains(&b'/') {
        path.to_owned()
    } else {
        Path::new(".").join(path)
    }
}

fn judge(
    name: &str,
    image: Image,
    purpose: Purpose,
    warnings: &mut Vec<String>,
) -> Result<Runtime, Failure> {
    let (verb, done) = (purpose.verb(), purpose.done());
    let unsupported = |text: String| Err(Failure::Unsupported(text));
    match image {
        Image::NotElf | Image::Damaged => Err(Failure::Usage(format!(
            "{name} is neither a program of this system (ELF) nor a script with an interpreter \
             line (#!); give one of these"
        ))),
        Image::Foreign(kind) => unsupported(format!(
            "{name} is a {kind} program, and the preload library is for {} 64-bit; build the \
             program for this machine to {verb} it",
            std::env::consts::ARCH
        )),
        Image::Static {
            runtime: Runtime::Go,
        } => unsupported(format!(
            "{name} is a Go program without C libraries: its locks live in Go's own runtime, \
             which a preload library cannot {}",
            match purpose {
                Purpose::Record => {
                    "see them; `locktoll attach PID` sees its threads wait, and Go's mutex profile its locks"
                }
                Purpose::Try => "replace",
            }
        )),
        Image::Static { .. } => unsupported(format!(
            "{name} is statically linked, so LD_PRELOAD cannot reach it; link it dynamically \
             against glibc to {verb} it{}",
            match purpose {
                Purpose::Record => ", or watch it with `locktoll attach PID` while it runs",
                Purpose::Try => "",
            }
        )),
        Image::Dynamic {
            loader,
            needed,
            runtime,
            thread_sanitizer,
        } => {
            let base = loader.rsplit('/').next().unwrap_or_default();
            let shown_loader = shown(OsString::from(&loader).as_os_str());
            if base.starts_with("ld-musl") {
                return unsupported(format!(
                    "{name} is linked against musl ({shown_loader}), and the preload library needs \
                     glibc; build the program for a -gnu target to {verb} it"
                ));
            }
            if !base.starts_with("ld-linux") {
                return unsupported(format!(
                    "{name} asks for the loader {shown_loader}, which is not glibc's; build the \
                     program against glibc to {verb} it"
                ));
            }
            if let Some(obstacle) = sanitizer(&needed, thread_sanitizer, purpose) {
                return unsupported(format!("{name} is built with {obstacle}"));
            }
            if runtime == Runtime::Go {
                warnings.push(format!(
                    "{name} is a Go program: the locks of Go's own runtime are invisible to a \
                     preload library; only those of C libraries in it are {done}{}",
                    match purpose {
                        Purpose::Record => " (`locktoll attach PID` sees its threads wait)",
                        Purpose::Try => "",
                    }
                ));
            }
            Ok(runtime)
        }
    }
}

/// Returns why a program with the run-time of a sanitizer cannot be recorded and what can be done; `None` if it can be recorded.
///
/// A linked-in `AddressSanitizer` is not an obstacle: it leaves locks alone.
fn sanitizer(needed: &[String], thread_sanitizer: bool, purpose: Purpose) -> Option<String> {
    let verb = purpose.verb();
    let needs = |library: &str| needed.iter().any(|name| name.starts_with(library));
    if thread_sanitizer || needs("libtsan") {
        let so = match purpose {
            Purpose::Record => "all places would be its own",
            Purpose::Try => "the sanitizer's own work would dominate the cost of locks",
        };
        return Some(format!(
            "ThreadSanitizer, which takes every lock on the program's behalf, so that {so}; {verb} a \
             build without -fsanitize=thread"
        ));
    }
    (needs("libasan") || needs("libhwasan")).then(|| {
        format!(
            "a sanitizer that must be the first library; {verb} a build without \
             -fsanitize=address, or one with the sanitizer linked in (-static-libasan)"
        )
    })
}

#[cfg(test)]
mod tests;
