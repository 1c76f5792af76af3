//! The emulator and the kernel image, where they are installed.

use std::cmp::Reverse;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use locktoll_terminal::system::files::open_regular;

/// The emulator's name on the PATH, and Debian's package of it.
const EMULATOR: &str = "qemu-system-x86_64";
const EMULATOR_PACKAGE: &str = "qemu-system-x86";

/// What to do without an image.
const REMEDY: &str =
    "install one (Debian: linux-image-amd64), or name a file by --guest-kernel FILE";

/// A kernel image for x86 has this at this place (Documentation/arch/x86/boot.rst in the kernel's sources).
const MAGIC: &[u8; 4] = b"HdrS";
const MAGIC_AT: u64 = 0x202;

/// Finds the emulator on the PATH.
///
/// # Errors
/// What to install.
pub fn emulator() -> Result<PathBuf, String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("needs an x86-64 machine: the guest runs a copy of this program".to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = std::env::split_paths(&path).map(|folder| folder.join(EMULATOR));
    all.find(|file| file.is_file()).ok_or_else(|| {
        format!(
            "needs {EMULATOR}, which is not on the PATH: install it (Debian: {EMULATOR_PACKAGE})"
        )
    })
}

/// Returns the emulator's name and version: `QEMU 7.2.22`.
pub fn version(emulator: &Path) -> String {
    let said = Command::new(emulator)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    let said = said.map_or_else(
        |_| String::new(),
        |said| String::from_utf8_lossy(&said.stdout).into_owned(),
    );
    match version_in(&said) {
        Some(version) => format!("QEMU {version}"),
        None => "QEMU".to_owned(),
    }
}

fn version_in(said: &str) -> Option<&str> {
    let (_, rest) = said.split_once("version ")?;
    rest.split_whitespace().next()
}

/// Returns the image that the user named, or the newest that is installed and can be read.
///
/// # Errors
/// What is missing, and what to do.
pub fn kernel_image(named: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(named) = named {
        check_image(named)?;
        return Ok(named.to_owned());
    }
    let mut installed = installed();
    installed.sort_by_key(|path| Reverse(numbers(path)));
    let mut refused = None;
    for image in installed {
        match check_image(&image) {
            Ok(()) => return Ok(image),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    Err(match refused {
        Some(why) => format!("needs a kernel image for the guest: {why}; {REMEDY}"),
        None => format!("needs a kernel image for the guest (/boot/vmlinuz-*): {REMEDY}"),
    })
}

/// Checks that a file is a kernel image that can be read.
///
/// # Errors
/// What is wrong with it.
pub fn check_image(image: &Path) -> Result<(), String> {
    let name = image.display();
    let magic = || {
        let mut file = open_regular(image)?;
        let mut magic = [0; MAGIC.len()];
        file.seek(SeekFrom::Start(MAGIC_AT))?;
        // A shorter file has none.
        let read = file.read(&mut magic)?;
        Ok::<_, std::io::Error>(magic[..read] == MAGIC[..])
    };
    match magic() {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!(
            "{name} is not a Linux kernel image for x86 (a vmlinuz file)"
        )),
        Err(error) => Err(format!("{name} cannot be read: {error}")),
    }
}

/// Returns the files that distributions install: Debian's and most others' in /boot, Fedora's and Arch's with the modules.
fn installed() -> Vec<PathBuf> {
    let in_folder = |folder: &str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let is_image = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("vmlinuz")
    };
    let with_modules = in_folder("/lib/modules").into_iter();
    let with_modules = with_modules.map(|folder| folder.join("vmlinuz"));
    let mut all: Vec<PathBuf> = in_folder("/boot").into_iter().filter(is_image).collect();
    all.extend(with_modules.filter(|path| path.is_file()));
    all
}

/// Returns the numbers in a path, which compare as versions do.
fn numbers(path: &Path) -> Vec<u64> {
    let text = path.to_string_lossy();
    let numbers = text.split(|character: char| !character.is_ascii_digit());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let numbers = |path: &str| numbers(Path::new(path));
        assert!(numbers("/boot/vmlinuz-6.10.2") > numbers("/boot/vmlinuz-6.9.12-amd64"));
        assert!(
            numbers("/boot/vmlinuz-6.1.0-56-cloud-amd64")
                > numbers("/boot/vmlinuz-6.1.0-9-cloud-amd64")
        );
    }

    #[test]
    fn an_image_is_known_by_its_magic() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vmlinuz");
        let mut bytes = vec![0; 0x300];
        std::fs::write(&file, &bytes).unwrap();
        let refused = kernel_image(Some(&file)).unwrap_err();
        assert!(refused.contains("is not a Linux kernel image"), "{refused}");
        bytes[0x202..0x206].copy_from_slice(MAGIC);
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(kernel_image(Some(&file)), Ok(file.clone()));
        std::fs::write(&file, b"short").unwrap();
        assert!(check_image(&file).is_err());
        let refused = check_image(&folder.path().join("none")).unwrap_err();
        assert!(refused.contains("cannot be read"), "{refused}");
    }

    #[test]
    fn the_emulators_version_is_read() {
        let said = "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)\nCopyright";
        assert_eq!(version_in(said), Some("7.2.22"));
        assert_eq!(version_in("no such thing"), None);
    }
}
