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
    "install one (Debian: linux-image-amd64), or name a file with --guest-kernel FILE";

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
    match named {
        Some(named) => check_image(named).map(|()| named.to_owned()),
        None => newest(installed(Path::new("/"))),
    }
}

/// Returns the newest of these images that can be read.
fn newest(mut images: Vec<PathBuf>) -> Result<PathBuf, String> {
    images.sort_by_key(|path| Reverse(numbers(path)));
    let mut refused = None;
    for image in images {
        match check_image(&image) {
            Ok(()) => return Ok(image),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    Err(match refused {
        Some(why) => format!("needs a kernel image for the guest: {why}; {REMEDY}"),
        None => format!(
            "needs a kernel image for the guest (/boot/vmlinuz-* or /lib/modules/*/vmlinuz): {REMEDY}"
        ),
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

/// Returns the files that distributions install below `root`: Debian's and most others' in /boot, Fedora's and Arch's with the
/// modules.
fn installed(root: &Path) -> Vec<PathBuf> {
    let in_folder = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).into_iter();
        entries.flatten().flatten().map(|entry| entry.path())
    };
    let is_image = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("vmlinuz")
    };
    let with_modules = in_folder("lib/modules").map(|folder| folder.join("vmlinuz"));
    let with_modules = with_modules.filter(|path| path.is_file());
    in_folder("boot")
        .filter(is_image)
        .chain(with_modules)
        .collect()
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

    /// Writes a file with the magic of a kernel image.
    fn write_image(file: &Path) {
        let mut bytes = vec![0; 0x300];
        bytes[0x202..0x206].copy_from_slice(MAGIC);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, &bytes).unwrap();
    }

    #[test]
    fn the_newest_image_that_is_one_is_chosen() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let none = newest(installed(root)).unwrap_err();
        assert!(
            none.contains("/boot/vmlinuz-*") && none.contains("--guest-kernel"),
            "{none}"
        );
        let broken = root.join("boot/vmlinuz-6.12.1");
        std::fs::create_dir_all(root.join("boot")).unwrap();
        std::fs::write(&broken, b"short").unwrap();
        let refused = newest(installed(root)).unwrap_err();
        assert!(
            refused.contains("vmlinuz-6.12.1 is not") && refused.contains("install"),
            "{refused}"
        );
        let new = root.join("boot/vmlinuz-6.10.2");
        write_image(&new);
        write_image(&root.join("boot/vmlinuz-6.9.12-amd64"));
        write_image(&root.join("boot/System.map-6.11"));
        write_image(&root.join("lib/modules/6.1.0/vmlinuz"));
        assert_eq!(newest(installed(root)), Ok(new.clone()));
        std::fs::remove_dir_all(root.join("boot")).unwrap();
        assert_eq!(
            newest(installed(root)),
            Ok(root.join("lib/modules/6.1.0/vmlinuz"))
        );
    }

    #[test]
    fn an_image_is_known_by_its_magic() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vmlinuz");
        std::fs::write(&file, vec![0; 0x300]).unwrap();
        let refused = kernel_image(Some(&file)).unwrap_err();
        assert!(refused.contains("is not a Linux kernel image"), "{refused}");
        write_image(&file);
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
