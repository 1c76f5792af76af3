//! qemu's user mode, which runs programs for another processor on this kernel.

use std::ffi::{OsStr, OsString};
use std::fs::{read, read_link};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The emulator that runs this program.
///
/// For `/proc/self/exe` and `/proc/self/cmdline`, qemu answers with the program that it runs (so that programs find themselves).
/// It does not do so for the files of `/proc/thread-self`, where the kernel's own answer is qemu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Emulator {
    /// The emulator's file.
    path: PathBuf,
    /// The options before the program's name: where libraries are (`-L`), which processor to emulate.
    options: Vec<OsString>,
}

impl Emulator {
    /// Returns the emulator that runs this process; `None` on the real processor.
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

    /// Returns the emulator's name: `qemu-aarch64`.
    pub(super) fn name(&self) -> &str {
        let name = self.path.file_name().and_then(OsStr::to_str);
        name.unwrap_or("qemu")
    }

    /// Builds the command that starts, under the emulator, what `command` would start directly: with its arguments, its changes
    /// to the environment, its folder. The program's name for itself is its file's name if `name` is `None`.
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

/// The loader's variable that preloads libraries into a program (ld.so(8)).
const PRELOAD: &str = "LD_PRELOAD";

/// Returns the command as it can be started here: under the emulator that runs us, if there is one, and unchanged elsewhere.
/// `name` is the program's first word (`argv[0]`), where one was set.
///
/// Set arguments, variables and folder before this call. Set the parts that cannot be read from a command (standard streams,
/// groups, steps before the program is executed) after it.
pub fn startable(command: Command, name: Option<&OsStr>) -> Command {
    match Emulator::running_us() {
        Some(emulator) => emulator.starting(&command, name),
        None => command,
    }
}

/// Returns the words between the emulator's name and the program's. Both lines end in the same number of program arguments.
fn options(emulators: &[u8], programs: &[u8], program: &Path) -> Vec<OsString> {
    let (emulators, programs) = (words(emulators), words(programs));
    let end = emulators.len().saturating_sub(programs.len());
    let mut options = emulators[..end].iter().skip(1).copied().peekable();
    let mut kept = Vec::new();
    while let Some(option) = options.next() {
        // The kernel can be configured to start qemu by the program's name (binfmt_misc, flag P): that name then precedes the
        // arguments.
        if options.peek().is_some() || Path::new(option) != program {
            kept.push(option.to_owned());
        }
    }
    kept
}

/// Splits a file like `/proc/PID/cmdline` into its words: each ends in a zero byte.
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
