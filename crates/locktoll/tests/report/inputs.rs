//! Documents from others: of any size, and with any contents.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::Output;

use crate::bench::{Bench, text};
use crate::recorded::Recorded;

const RESULT: &str = include_str!("../page/documents/bench.snap.json");

/// Refused in one line that no terminal obeys.
fn refused(bench: &Bench, words: &[&str], expected: &str) {
    let out = bench.locktoll().args(words).output().unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{words:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
    assert!(!said.trim_end().contains(char::is_control), "{said:?}");
}

#[test]
fn a_document_of_any_size_is_refused_unless_that_is_asked_for() {
    let bench = Bench::new();
    fs::write(bench.path("small.json"), RESULT).unwrap();
    let large = fs::File::create(bench.path("large.json")).unwrap();
    (&large).write_all(b"{").unwrap();
    // Without a block on the disk behind most of it.
    large.set_len(64 << 30).unwrap();
    for words in [
        &["report", "large.json"][..],
        &["compare", "small.json", "large.json"],
        &["compare", "small.json", "small.json,large.json"],
    ] {
        refused(&bench, words, "--max-bytes");
    }
    let blanks = fs::File::create(bench.path("blanks.json")).unwrap();
    (&blanks).write_all(&[b' '; 1 << 20]).unwrap();
    refused(
        &bench,
        &["report", "blanks.json"],
        "not a locktoll recording",
    );

    let length = RESULT.len().to_string();
    let words = ["report", "small.json", "--max-bytes"];
    let out = bench.locktoll().args(words).arg(&length).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let less = (RESULT.len() - 1).to_string();
    let words = ["report", "small.json", "--max-bytes", &less];
    refused(&bench, &words, &format!("{less} bytes"));
}

#[test]
fn what_a_document_says_where_a_known_word_belongs_is_quoted_harmlessly() {
    // Sets the title of a terminal, and moves up to where the prompt was.
    let hostile = serde_json::json!("\u{1b}]0;owned\u{7}\u{1b}[1A");
    let recorded = Recorded::known_locks();
    let mut profile = recorded.profile.clone();
    profile["locks"][0]["kind"] = hostile.clone();
    let comparison = include_str!("../page/documents/compare.snap.json");
    let mut comparison: serde_json::Value = serde_json::from_str(comparison).unwrap();
    comparison["rows"][0]["verdict"] = hostile;
    for document in [profile, comparison] {
        fs::write(recorded.bench.path("hostile.json"), document.to_string()).unwrap();
        refused(&recorded.bench, &["report", "hostile.json"], "owned");
    }
}

/// Runs `report` on a file with as much memory as a small machine has: anything read whole would not fit.
fn within_small_memory(bench: &Bench, file: &str) -> Output {
    const BYTES: libc::rlim_t = 512 << 20;
    let mut command = bench.locktoll();
    command.args(["report", file]);
    // SAFETY: setrlimit(2) is async-signal-safe, which is all that may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit {
                rlim_cur: BYTES,
                rlim_max: BYTES,
            };
            match libc::setrlimit(libc::RLIMIT_AS, &raw const limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
    command.output().unwrap()
}

#[test]
fn a_recording_of_200_gb_without_contents_takes_neither_memory_nor_time() {
    const BYTES: u64 = 200_000_000_000;
    /// Where the header has the length of the part: `locktoll_recording::layout::Header::end`.
    const END: u64 = 24;
    let recorded = Recorded::known_locks();
    let path = recorded.bench.path("out.locktoll");
    let length = fs::metadata(&path).unwrap().len();
    let copy = |name: &str| {
        fs::copy(&path, recorded.bench.path(name)).unwrap();
        let file = File::options()
            .write(true)
            .open(recorded.bench.path(name))
            .unwrap();
        file.set_len(BYTES).unwrap();
        file
    };
    // Nothing but zeros, zeros behind a recording, and a recording that says that they are its own.
    File::create(recorded.bench.path("zeros"))
        .unwrap()
        .set_len(BYTES)
        .unwrap();
    copy("longer");
    let claimed = copy("claimed");
    claimed.write_all_at(&BYTES.to_le_bytes(), END).unwrap();
    assert!(length < 1 << 24);
    for (file, shown) in [("zeros", false), ("longer", true), ("claimed", true)] {
        let out = within_small_memory(&recorded.bench, file);
        let said = text(&out.stderr);
        // With a signal, it has no code.
        let expected = if shown { 0 } else { 2 };
        assert_eq!(out.status.code(), Some(expected), "{file}: {said}");
        assert_eq!(text(&out.stdout).contains("slow_lock"), shown, "{file}");
    }
}
