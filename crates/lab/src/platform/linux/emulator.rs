//! qemu's user mode, with which a program for another processor runs on this kernel.

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
pub(super) struct Emulator {
    /// Its file.
    path: PathBuf,
    /// What it was told before the program's name: where libraries lie (`-L`), what processor it is to be.
    options: Vec<OsString>,
}

impl Emulator {
    /// The one that runs this process; `None` on the processor itself.
    pub(super) fn running_us() -> Option<Self> {
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
    pub(super) fn name(&self) -> &str {
        let name = self.path.file_name().and_then(OsStr::to_str);
        name.unwrap_or("qemu")
    }

    /// The command that starts by the emulator what `command` would start by itself: its words, its changes to the
    /// environment, its folder. What the program is to call itself is its file's name if `name` is none.
    ///
    /// The loader's variables are for the program, not for the emulator, which the system's own loader loads.
    fn starting(&self, command: &Command, name: Option<&OsStr>) -> Command {
        let mut emulated = Command::new(&self.path);
        emulated.args(&self.options);
        if let Some(name) = name {
            emulated.arg("-0").arg(name);
        }
        for (variable, value) in command.get_envs() {
            match value {
                Some(value) if variable == PRELOAD => {
                    let mut setting = OsString::from(PRELOAD);
                    setting.push("=");
                    setting.push(value);
                    emulated.arg("-E").arg(setting).env_remove(PRELOAD);
                }
                Some(value) => drop(emulated.env(variable, value)),
                None => drop(emulated.env_remove(variable)),
            }
        }
        if let Some(folder) = command.get_current_dir() {
            emulated.current_dir(folder);
        }
        emulated.arg(command.get_program()).args(command.get_args());
        emulated
    }
}

/// Libraries that the loader puts under a program (ld.so(8)).
const PRELOAD: &str = "LD_PRELOAD";

/// The command as it can be started here: under an emulator by the emulator that runs us, elsewhere as it is. `name` is what
/// the program is to find as its first word, where that was set.
///
/// Words, variables and folder are to be set before; what cannot be read from a command (standard streams, groups, what is
/// done before the program is executed) after.
pub fn startable(command: Command, name: Option<&OsStr>) -> Command {
    match Emulator::running_us() {
        Some(emulator) => emulator.starting(&command, name),
        None => command,
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
    fn the_loaders_variables_are_for_the_program_alone() {
        let emulator = Emulator {
            path: "/usr/bin/qemu-aarch64".into(),
            options: vec!["-L".into(), "/root".into()],
        };
        let mut command = Command::new("/bin/program");
        command.args(["one", "two"]).env("PARTS", "/parts");
        command.env(PRELOAD, "/a.so:/b.so").env_remove("MODE");
        let emulated = emulator.starting(&command, Some(OsStr::new("called")));
        assert_eq!(emulated.get_program(), "/usr/bin/qemu-aarch64");
        let words: Vec<_> = emulated.get_args().collect();
        let expected = "-L /root -0 called -E LD_PRELOAD=/a.so:/b.so /bin/program one two";
        assert_eq!(words, expected.split(' ').collect::<Vec<_>>());
        let variables: Vec<_> = emulated.get_envs().collect();
        let parts = (OsStr::new("PARTS"), Some(OsStr::new("/parts")));
        let [loaders, mode] = [PRELOAD, "MODE"].map(|name| (OsStr::new(name), None));
        assert_eq!(variables, [loaders, mode, parts]);
    }

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
