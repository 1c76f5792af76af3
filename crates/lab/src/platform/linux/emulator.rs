//! qemu's user mode, by which a program of another processor runs on this kernel.

use std::ffi::{OsStr, OsString};
use std::fs::{read, read_link};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The emulator that runs this program.
///
/// qemu answers `/proc/self/exe` and `/proc/self/cmdline` with the program that it runs (so that programs find themselves), but
/// not those of `/proc/thread-self`, where the kernel's own answer is qemu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emulator {
    /// Its file.
    path: PathBuf,
    /// What it was told before the program's name: where libraries lie (`-L`), what processor it is to be.
    options: Vec<OsString>,
}

impl Emulator {
    /// The one that runs this process; `None` on the processor itself.
    pub fn running_us() -> Option<Self> {
        let program = read_link("/proc/self/exe").ok()?;
        let path = read_link("/proc/thread-self/exe").ok()?;
        let is_emulator =
            path != program && path.file_name()?.as_bytes().starts_with(b"qemu-") && path.exists();
        is_emulator.then(|| Self {
            options: options(
                &read("/proc/thread-self/cmdline").unwrap_or_default(),
                &read("/proc/self/cmdline").unwrap_or_default(),
                &program,
            ),
            path,
        })
    }

    /// Its name: `qemu-aarch64`.
    pub fn name(&self) -> &str {
        let name = self.path.file_name().and_then(OsStr::to_str);
        name.unwrap_or("qemu")
    }

    /// A command that starts it as it was started; what is added next is options of its own, and then the program's name.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.options);
        command
    }
}

/// What stands between the emulator's name and the program's. Both lines end in the program's arguments, which are as many.
fn options(emulators: &[u8], programs: &[u8], program: &Path) -> Vec<OsString> {
    let (emulators, programs) = (words(emulators), words(programs));
    let end = emulators.len().saturating_sub(programs.len());
    let mut options = emulators[..end].iter().skip(1).copied().peekable();
    let mut kept = Vec::new();
    while let Some(option) = options.next() {
        // The kernel can be told to start qemu by the program's name (binfmt_misc, flag P): it stands in front of the arguments then.
        if options.peek().is_some() || Path::new(option) != program {
            kept.push(option.to_owned());
        }
    }
    kept
}

/// The words of a file like `/proc/PID/cmdline`: each ends in a zero.
fn words(line: &[u8]) -> Vec<&OsStr> {
    let line = line.strip_suffix(b"\0").unwrap_or(line);
    line.split(|&byte| byte == 0)
        .map(OsStr::from_bytes)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_options_are_told_from_the_programs() {
        let between = |emulators: &[u8], programs: &[u8]| {
            options(emulators, programs, Path::new("/bin/program"))
        };
        let none: [OsString; 0] = [];
        assert_eq!(
            between(
                b"/usr/bin/qemu-aarch64\0program\0-L\0/x\0",
                b"program\0-L\0/x\0"
            ),
            none
        );
        assert_eq!(
            between(
                b"qemu-aarch64\0-L\0/root\0-cpu\0max\0program\0\0one\0",
                b"program\0\0one\0"
            ),
            ["-L", "/root", "-cpu", "max"]
        );
        assert_eq!(
            between(b"qemu-aarch64\0-0\0other\0program\0one\0", b"other\0one\0"),
            ["-0", "other"]
        );
        assert_eq!(
            between(
                b"qemu-aarch64\0/bin/program\0program\0one\0",
                b"program\0one\0"
            ),
            none,
            "started by binfmt_misc"
        );
        assert_eq!(between(b"", b""), none);
    }
}
