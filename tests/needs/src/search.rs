//! Where programs are: the folders of `PATH`, as execvp(3) searches them.

use std::env;
use std::ffi::OsStr;
use std::path::Path;

/// Whether a program of this name could be started now. A name with a slash is a path.
pub(crate) fn is_there(program: &str) -> bool {
    is_in(program, env::var_os("PATH").as_deref())
}

fn is_in(program: &str, folders: Option<&OsStr>) -> bool {
    if program.contains('/') {
        return is_executable(Path::new(program));
    }
    folders.is_some_and(|folders| {
        env::split_paths(folders).any(|folder| is_executable(&folder.join(program)))
    })
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{File, Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_program_is_an_executable_file_in_a_folder_of_the_path() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let path = env::join_paths(folders.iter().map(|folder| folder.path())).unwrap();
        let make = |name: &str, mode| {
            let file = folders[1].path().join(name);
            File::create(&file).unwrap();
            set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            file
        };
        let program = make("program", 0o755);
        make("text", 0o644);
        std::fs::create_dir(folders[0].path().join("folder")).unwrap();

        let found = |name: &str| is_in(name, Some(&path));
        assert!(found("program"));
        assert!(found(program.to_str().unwrap()));
        assert!(!found("text"));
        assert!(!found("folder"));
        assert!(!found("missing"));
        assert!(!is_in("program", None));
    }
}
