//! That the operating system is known at the doors alone: the rule that the lab is built by, as a test of its sources.
//!
//! A door is the `mod` line of a `mod.rs` or `lib.rs`, with `#[cfg(...)]` above it. What stands behind a door of one system
//! (`pthread`, `watch`) may know it; everything else may not.

use std::path::{Path, PathBuf};

/// What shows that a line knows the system it is compiled for.
const KNOWS: [&str; 11] = [
    "cfg(windows",
    "cfg(unix",
    "cfg(target_os",
    "cfg!(windows",
    "cfg!(unix",
    "cfg!(target_os",
    "libc::",
    "rustix::",
    "windows_sys::",
    "std::os::",
    "platform::linux",
];

/// Files with the system's own paths know it too.
const PATHS: [&str; 2] = ["\"/proc/", "\"/sys/"];

/// A door's condition names a system if it says one of these.
const SYSTEMS: [&str; 3] = ["target_os", "windows", "unix"];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found
}

fn is_door(path: &Path) -> bool {
    path.ends_with("mod.rs") || path.ends_with("lib.rs")
}

/// Rooms that a door opens on one system alone, without their endings: `contender/pthread`.
fn rooms_of_one_system(door: &Path, text: &str) -> Vec<PathBuf> {
    let folder = door.parent().expect("a file has a folder");
    let mut rooms = Vec::new();
    let mut condition = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[") || !condition.is_empty() && !condition.ends_with(']') {
            condition.push_str(line);
            continue;
        }
        let name = line
            .strip_suffix(';')
            .and_then(|line| line.rsplit_once("mod "))
            .map(|(_, name)| name);
        if let Some(name) = name
            && SYSTEMS.iter().any(|system| condition.contains(system))
        {
            rooms.push(folder.join(name));
        }
        condition.clear();
    }
    rooms
}

/// Lines that know the system where nobody may, as `file:line: text`.
fn offences(sources: &Path) -> Vec<String> {
    let all = files(sources);
    let read = |path: &Path| std::fs::read_to_string(path).expect("a source file");
    let mut rooms = vec![sources.join("platform")];
    for door in all.iter().filter(|path| is_door(path)) {
        rooms.extend(rooms_of_one_system(door, &read(door)));
    }
    let mut offences = Vec::new();
    for path in &all {
        let without_ending = path.with_extension("");
        if rooms.iter().any(|room| without_ending.starts_with(room)) {
            continue;
        }
        for (index, line) in read(path).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let at_door = is_door(path);
            let knows = |word: &str| code.contains(word) && !(at_door && word.starts_with("cfg("));
            if KNOWS.iter().chain(&PATHS).any(|word| knows(word)) {
                let file = path.strip_prefix(sources).expect("found there");
                let file = file.display().to_string().replace('\\', "/");
                offences.push(format!("{file}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    offences
}

#[test]
fn the_system_is_known_at_the_doors_alone() {
    let offences = offences(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

#[test]
fn a_room_that_knows_the_system_is_found_unless_a_door_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "lib.rs",
        "#[cfg(target_os = \"linux\")]\npub mod calls;\nmod plain;\nmod rooms;\n",
    );
    write("calls.rs", "fn f() { unsafe { libc::getpid() }; }\n");
    write("calls/deeper.rs", "use rustix::io;\n");
    write("platform/windows.rs", "use windows_sys::core;\n");
    write(
        "rooms/mod.rs",
        "#[cfg(any(\n    windows,\n    unix\n))]\nmod own;\nmod shared;\n",
    );
    write("rooms/own.rs", "use std::os::fd;\n");
    assert_eq!(offences(folder.path()), Vec::<String>::new());

    write(
        "plain.rs",
        "// libc:: in a comment\nfn f() {}\n#[cfg(windows)]\nfn g() {}\n",
    );
    write("rooms/shared.rs", "const FILE: &str = \"/proc/stat\";\n");
    write("rooms/mod.rs", "#[cfg(unix)]\nmod own;\nuse libc::pid_t;\n");
    let mut found = offences(folder.path());
    found.sort();
    assert_eq!(
        found,
        [
            "plain.rs:3: #[cfg(windows)]",
            "rooms/mod.rs:3: use libc::pid_t;",
            "rooms/shared.rs:1: const FILE: &str = \"/proc/stat\";",
        ]
    );
}
