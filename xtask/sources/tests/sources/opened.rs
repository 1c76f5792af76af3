//! That files of others are opened in one place (`terminal::system::files`, reading.rs), where nothing waits for them and nothing but a
//! regular file is taken: no other way of opening or mapping a file stands in the crates that read what other processes and users have
//! laid out, but for the lines that are listed here with their reasons.

use std::path::{Path, PathBuf};

use xtask_sources::root;

/// Where files and processes of others are read.
const READERS: [&str; 4] = [
    "crates/recording/src/reader",
    "crates/results/src",
    "crates/sources/src",
    "crates/verbs/src",
];

/// What opens a file, or maps one.
const OPENS: [&str; 12] = [
    "File::open(",
    "File::options(",
    "OpenOptions",
    "OFlags",
    "fs::read(",
    "fs::read_to_string(",
    "Recording::open(",
    "Mmap::",
    "MmapMut",
    "MmapOptions",
    "MmapRaw",
    "libc::open",
];

/// Files that may, by one of these words, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    // The kernel's own files, at places that nobody else can put anything into.
    (
        "crates/sources/src/kernel_locks/symbols.rs",
        "File::open(",
        "/proc/kallsyms",
    ),
    (
        "crates/sources/src/ebpf/cost.rs",
        "fs::read_to_string(",
        "/proc/self",
    ),
    (
        "crates/sources/src/perf/sampler.rs",
        "fs::read_to_string(",
        "/sys/devices",
    ),
    (
        "crates/sources/src/spinning/limits.rs",
        "fs::read_to_string(",
        "/sys/fs/cgroup",
    ),
    (
        "crates/sources/src/stuck/whom.rs",
        "fs::read_to_string(",
        "/proc/sys",
    ),
    (
        "crates/sources/src/recording/steady.rs",
        "OFlags",
        "a folder, and nothing else, to lock it",
    ),
    (
        "crates/verbs/src/agent/push/folder.rs",
        "OFlags",
        "a folder, and nothing else, which is then checked",
    ),
    (
        "crates/verbs/src/diagnosis/reading/kernel.rs",
        "File::open(",
        "/proc/kallsyms",
    ),
    (
        "crates/verbs/src/diagnosis/reading/config.rs",
        "File::open(",
        "/proc/config.gz",
    ),
    (
        "crates/verbs/src/diagnosis/reading/config.rs",
        "fs::read_to_string(",
        "/boot",
    ),
    (
        "crates/verbs/src/diagnosis/reading/btf.rs",
        "fs::read(",
        "/sys/kernel",
    ),
    (
        "crates/verbs/src/diagnosis/reading/small_files.rs",
        "fs::read(",
        "/proc/sys and /sys",
    ),
    (
        "crates/verbs/src/reproduce/guest/linux/inside.rs",
        "OpenOptions",
        "the serial line of a guest that has no other process",
    ),
    (
        "crates/verbs/src/reproduce/system_watch/linux/kernel.rs",
        "fs::read_to_string(",
        "/proc/stat",
    ),
    (
        "crates/verbs/src/reproduce/system_watch/linux/look.rs",
        "fs::read_to_string(",
        "our own children",
    ),
    (
        "crates/verbs/src/run_program/embedded/place.rs",
        "fs::read_to_string(",
        "/proc/self and /proc/sys",
    ),
    (
        "crates/verbs/src/trial/process/child.rs",
        "File::open(",
        "our own standard input",
    ),
    // Processes that the user has started through us, and what we gave them.
    (
        "crates/verbs/src/trial/process/listening.rs",
        "fs::read_to_string(",
        "/proc/PID/net of our children",
    ),
    (
        "crates/verbs/src/trial/process/counted.rs",
        "File::open(",
        "a page in a folder of ours",
    ),
    (
        "crates/verbs/src/trial/process/captured.rs",
        "OFlags",
        "outputs in a folder of ours",
    ),
    (
        "crates/verbs/src/slices/linux.rs",
        "libc::open",
        "/dev/null",
    ),
    (
        "crates/sources/src/elf/source/apart.rs",
        "File::options(",
        "/dev/null",
    ),
    // Named by the user, who runs it or has it run.
    (
        "crates/verbs/src/run_program/program/check.rs",
        "File::open(",
        "the program that is to run",
    ),
    (
        "crates/verbs/src/reproduce/catalogue.rs",
        "fs::read_to_string(",
        "descriptions of claims, whose commands are run",
    ),
    // A folder that nobody but us and root controls.
    (
        "crates/verbs/src/run_program/embedded/extract.rs",
        "OpenOptions",
        "the cache",
    ),
    (
        "crates/verbs/src/run_program/embedded/extract.rs",
        "File::options(",
        "the cache",
    ),
    // Maps of the kernel's programs, memory of our own, and a mapping that is never read.
    (
        "crates/sources/src/futexes/unwind/space.rs",
        "MmapOptions",
        "a map of the kernel's",
    ),
    (
        "crates/sources/src/futexes/unwind/space.rs",
        "MmapRaw",
        "a map of the kernel's",
    ),
    (
        "crates/sources/src/perf/ring.rs",
        "MmapOptions",
        "records of the kernel's",
    ),
    (
        "crates/sources/src/perf/ring.rs",
        "MmapRaw",
        "records of the kernel's",
    ),
    (
        "crates/sources/src/mapped/opened.rs",
        "MmapOptions",
        "what the kernel calls a file, not what is in it",
    ),
    (
        "crates/verbs/src/diagnosis/reading/forked.rs",
        "MmapMut",
        "a page without a file",
    ),
    // The reader's own door, for those who read files of their own: its library knows no operating system.
    (
        "crates/recording/src/reader/recording.rs",
        "File::open(",
        "no crate of the program uses it",
    ),
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains("tests") || name == "at_work" {
            continue;
        }
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if name.ends_with(".rs") => found.push(path),
            false => {}
        }
    }
    found
}

/// Words that open files in the product's part of a source, by line.
fn openings(text: &str) -> Vec<(usize, &'static str)> {
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = product.lines().enumerate();
    lines
        .flat_map(|(index, line)| {
            let code = line.split("//").next().unwrap_or_default();
            let found = OPENS.into_iter().filter(|word| code.contains(word));
            found.map(move |word| (index + 1, word)).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn files_of_others_are_opened_in_one_place() {
    let root = root();
    let mut offences = Vec::new();
    let mut used = Vec::new();
    for file in READERS.iter().flat_map(|folder| files(&root.join(folder))) {
        let name = file.strip_prefix(&root).expect("below the root");
        let name = name.display().to_string().replace('\\', "/");
        let text = std::fs::read_to_string(&file).expect("a source file");
        for (line, word) in openings(&text) {
            let allowed = EXCEPTIONS.iter().find(|it| (it.0, it.1) == (&name, word));
            match allowed {
                Some(exception) => used.push(exception),
                None => offences.push(format!("{name}:{line}: {word}")),
            }
        }
    }
    assert!(
        offences.is_empty(),
        "these open files past terminal::system::files::open_regular and of_process:\n{}",
        offences.join("\n")
    );
    let unused: Vec<_> = EXCEPTIONS.iter().filter(|it| !used.contains(it)).collect();
    assert!(unused.is_empty(), "exceptions of nothing: {unused:?}");
}

#[test]
fn an_opening_is_seen_in_code_and_not_in_comments_or_tests() {
    let text = "// File::open(x)\nlet file = File::open(path)?;\nlet map = Mmap::map(&file); // fs::read(\n\
                #[cfg(test)]\nmod tests {\n    let x = std::fs::read(\"y\");\n}\n";
    assert_eq!(openings(text), [(2, "File::open("), (3, "Mmap::")]);
}
