//! `/tmp/perf-PID.map`: names of generated code, in a folder that all users may write to.

use std::fs::File;
use std::os::unix::fs::{chown, symlink};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::bench::Bench;
use crate::library::program;
use crate::target::{NOBODY, Target, attach, attached, functions, is_root, shared};

/// The file of one process; it is gone when this is.
struct Map(PathBuf);

impl Map {
    fn of(target: &Target) -> Self {
        Self(PathBuf::from(format!("/tmp/perf-{}.map", target.id())))
    }

    fn is_now(&self, make: impl FnOnce(&PathBuf)) {
        let _ = std::fs::remove_file(&self.0);
        make(&self.0);
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const NAMES: &str = "0 ffffffffffffffff a_compiled_function\n";

fn is_named(profile: &Value) -> bool {
    functions(profile).contains(&"a_compiled_function".to_owned())
}

#[test]
fn only_a_file_of_the_process_s_user_or_root_s_names_its_code() {
    let bench = Bench::new();
    let folder = shared(&bench, "shared");
    let target = Target::ready(Command::new(program(&bench)).arg("generated"));
    let map = Map::of(&target);
    let watched = || attached(attach(&bench, target.id(), "300ms"));

    map.is_now(|path| std::fs::write(path, NAMES).unwrap());
    let Some((_, profile)) = watched() else {
        return;
    };
    assert!(is_named(&profile), "{profile:#}");

    let elsewhere = folder.join("elsewhere");
    std::fs::write(&elsewhere, NAMES).unwrap();
    map.is_now(|path| symlink(&elsewhere, path).unwrap());
    assert!(!is_named(&watched().unwrap().1), "by a link");

    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    let fifo = rustix::fs::FileType::Fifo;
    map.is_now(|path| rustix::fs::mknodat(rustix::fs::CWD, path, fifo, mode, 0).unwrap());
    assert!(!is_named(&watched().unwrap().1), "by a pipe");

    // A line of two gigabytes that takes no room.
    map.is_now(|path| File::create(path).unwrap().set_len(2 << 30).unwrap());
    let (ended, profile) = watched().unwrap();
    assert!(!is_named(&profile), "by nothing");
    assert!(ended.memory_kib < 512 << 10, "{} KiB", ended.memory_kib);

    if is_root() {
        map.is_now(|path| {
            std::fs::write(path, NAMES).unwrap();
            chown(path, Some(NOBODY - 1), None).unwrap();
        });
        let (_, profile) = watched().unwrap();
        assert!(!is_named(&profile), "by a third user");
        let warned = profile["warnings"].to_string();
        assert!(
            warned.contains(&format!("belongs to user {}", NOBODY - 1)),
            "{warned}"
        );
    }
}
