//! Links and files that others have placed where an output goes: in a folder that all users may write to, such as /tmp.
//!
//! Only root can make files of another user, so most of these tests are skipped for other users. The last ones, about things
//! that must continue to work there, run for all users.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::bench::{Bench, text};

/// A user that we are not.
const ANOTHER: u32 = 65533;

/// A folder that everybody may write to, and beside it one where our own files are.
struct Shared {
    bench: Bench,
    folder: PathBuf,
    /// A file of ours that nobody else may write to.
    victim: PathBuf,
}

impl Shared {
    fn new() -> Self {
        let bench = Bench::new();
        let folder = bench.path("shared");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, PermissionsExt::from_mode(0o1777)).unwrap();
        fs::create_dir(bench.path("ours")).unwrap();
        let victim = bench.path("ours/victim");
        fs::write(&victim, "").unwrap();
        fs::set_permissions(&victim, PermissionsExt::from_mode(0o600)).unwrap();
        let known = include_str!("../page/documents/bench.snap.json");
        fs::write(bench.path("result.json"), known).unwrap();
        Self {
            bench,
            folder,
            victim,
        }
    }

    /// None, with the reason noted, for a user who cannot play another.
    fn with_others() -> Option<Self> {
        let shared = Self::new();
        let probe = shared.folder.join("probe");
        fs::write(&probe, "").unwrap();
        if chown(&probe, Some(ANOTHER), None).is_err() {
            locktoll_needs::refused("this user cannot make files that belong to another");
            return None;
        }
        Some(shared)
    }

    /// A link of another user's.
    fn plant(&self, name: &str, to: &Path) -> PathBuf {
        let link = self.folder.join(name);
        symlink(to, &link).unwrap();
        lchown(&link, Some(ANOTHER), Some(ANOTHER)).unwrap();
        link
    }

    fn run(&self, words: &[&str], output: &Path) -> Output {
        let mut command = self.bench.locktoll();
        let (verb, rest) = words.split_first().unwrap();
        command.arg(verb).arg("-o").arg(output).args(rest);
        command.output().unwrap()
    }
}

/// Each verb that writes a file that the user names, with as little to do as there is.
fn verbs() -> Vec<Vec<String>> {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    vec![
        words("report result.json"),
        words("doctor"),
        words("record --quiet -- true"),
        words(&format!("attach {} --duration 20ms", std::process::id())),
        words("kernel --duration 20ms"),
        words("bench --lock std --threads 1 --duration 1ms --repeat 1"),
    ]
}

fn is_refused(output: &Output, words: &[&str], expected: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
}

#[test]
fn a_link_that_another_user_planted_is_not_written_through() {
    let Some(shared) = Shared::with_others() else {
        return;
    };
    let missing = shared.bench.path("ours/missing");
    let folder = shared.bench.path("ours");
    for (number, words) in verbs().iter().enumerate() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for (kind, output) in [
            ("file", shared.plant(&format!("f{number}"), &shared.victim)),
            ("new", shared.plant(&format!("n{number}"), &missing)),
            (
                "folder",
                shared.plant(&format!("d{number}"), &folder).join("missing"),
            ),
        ] {
            let out = shared.run(&words, &output);
            assert_eq!(fs::read(&shared.victim).unwrap(), b"", "{kind} {words:?}");
            assert!(!missing.exists(), "{kind} {words:?}");
            is_refused(&out, &words, "a link that belongs to another user");
        }
    }
}

#[test]
fn a_link_of_another_user_s_is_not_followed_by_way_of_our_own() {
    let Some(shared) = Shared::with_others() else {
        return;
    };
    let theirs = shared.plant("theirs", &shared.victim);
    let ours = shared.bench.path("ours/link");
    symlink(&theirs, &ours).unwrap();
    let words = ["doctor"];
    let out = shared.run(&words, &ours);
    assert_eq!(fs::read(&shared.victim).unwrap(), b"");
    is_refused(&out, &words, "a link that belongs to another user");
}

#[test]
fn files_and_pipes_that_another_user_laid_out_are_not_written_to() {
    let Some(shared) = Shared::with_others() else {
        return;
    };
    let (file, pipe) = (shared.folder.join("file"), shared.folder.join("pipe"));
    fs::write(&file, "").unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for output in [&file, &pipe] {
        fs::set_permissions(output, PermissionsExt::from_mode(0o666)).unwrap();
        chown(output, Some(ANOTHER), None).unwrap();
        let words = ["report", "result.json"];
        let child = {
            let mut command = shared.bench.locktoll();
            command.args(["report", "result.json", "-o"]).arg(output);
            command.stderr(Stdio::piped()).spawn().unwrap()
        };
        let out = ended_within_reason(child);
        is_refused(&out, &words, "belongs to another user");
    }
    assert_eq!(fs::read(&file).unwrap(), b"");
}

/// Its output; a process that waits for somebody to read a pipe is ended, and has failed.
fn ended_within_reason(mut child: std::process::Child) -> Output {
    for _ in 0..200 {
        if child.try_wait().unwrap().is_some() {
            return child.wait_with_output().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn what_is_planted_while_a_program_runs_is_not_written_through() {
    let Some(shared) = Shared::with_others() else {
        return;
    };
    let output = shared.folder.join("out");
    let script = format!(
        "ln -s {} {out} && chown -h {ANOTHER} {out}",
        shared.victim.display(),
        out = output.display()
    );
    shared.run(&["record", "--quiet", "--", "sh", "-c", &script], &output);
    assert_eq!(fs::read(&shared.victim).unwrap(), b"");
}

#[test]
fn parts_that_another_user_laid_out_are_not_taken_for_those_of_a_recording() {
    let Some(shared) = Shared::with_others() else {
        return;
    };
    let parts = shared.folder.join("out.parts-1");
    fs::create_dir(&parts).unwrap();
    let recorded = shared.run(&["record", "--quiet", "--", "true"], &parts.join("1.part"));
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let report = || {
        let mut command = shared.bench.locktoll();
        command.args(["report", "shared/out"]).output().unwrap()
    };
    let ours = report();
    assert!(ours.status.success(), "{}", text(&ours.stderr));
    chown(&parts, Some(ANOTHER), None).unwrap();
    is_refused(&report(), &["report"], "does not exist");
}

#[test]
fn the_state_of_reproduce_is_nobody_else_s() {
    let Some(shared) = Shared::with_others() else {
        return;
    };
    let pipe = shared.bench.path("ours/pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let large = shared.bench.path("ours/large");
    fs::File::create(&large).unwrap().set_len(64 << 30).unwrap();
    let theirs = shared.folder.join("state");
    fs::write(&theirs, "{}").unwrap();
    chown(&theirs, Some(ANOTHER), None).unwrap();
    for (state, expected) in [
        (shared.plant("link", &shared.victim), "a link that belongs"),
        (theirs, "belongs to another user"),
        (pipe, "not a regular file"),
        (large, "larger than any"),
    ] {
        let mut command = shared.bench.locktoll();
        command.args(["reproduce", "E13", "--state"]).arg(&state);
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        is_refused(&ended_within_reason(child), &["reproduce"], expected);
    }
    assert_eq!(fs::read(&shared.victim).unwrap(), b"");
}

#[test]
fn links_of_ours_and_of_the_folder_s_owner_are_followed() {
    let Some(shared) = Shared::with_others() else {
        return;
    };
    // Everything belongs to us: to root, who owns the folder, too.
    let own = shared.folder.join("own");
    symlink(&shared.victim, &own).unwrap();
    let out = shared.run(&["report", "result.json"], &own);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(own.is_symlink() && !fs::read(&shared.victim).unwrap().is_empty());
    // In a folder of nobody's own, where that user may put what it likes.
    chown(&shared.folder, Some(ANOTHER), None).unwrap();
    let theirs = shared.plant("theirs", &shared.victim);
    let out = shared.run(&["report", "result.json"], &theirs);
    assert!(out.status.success(), "{}", text(&out.stderr));
}

#[test]
fn rights_and_owner_of_what_is_replaced_are_kept() {
    let shared = Shared::new();
    let kept = || {
        let metadata = fs::metadata(&shared.victim).unwrap();
        (metadata.mode() & 0o7777, metadata.uid(), metadata.gid())
    };
    let before = kept();
    // A recording of nothing but the C library's own start is one all the same.
    for words in [&["record", "--quiet", "--", "true"][..], &["doctor"]] {
        fs::write(&shared.victim, "").unwrap();
        let out = shared.run(words, &shared.victim);
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert!(!fs::read(&shared.victim).unwrap().is_empty());
        assert_eq!(kept(), before, "{words:?}");
    }
    if chown(&shared.victim, Some(ANOTHER), Some(ANOTHER)).is_err() {
        locktoll_needs::refused("this user cannot make files that belong to another");
        return;
    }
    let out = shared.run(&["doctor"], &shared.victim);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(kept(), (0o600, ANOTHER, ANOTHER));
}

#[test]
fn standard_output_by_its_other_name_is_added_to_and_nothing_is_replaced() {
    let shared = Shared::new();
    let direct = shared
        .bench
        .locktoll()
        .args(["report", "result.json"])
        .output()
        .unwrap();
    let file = shared.bench.path("ours/log");
    fs::write(&file, "before\n").unwrap();
    let inode = fs::metadata(&file).unwrap().ino();
    let mut command = shared.bench.locktoll();
    command.args(["report", "result.json", "-o", "/dev/stdout"]);
    let piped = command.output().unwrap();
    assert!(piped.status.success(), "{}", text(&piped.stderr));
    assert_eq!(text(&piped.stdout), text(&direct.stdout));

    command.stdout(fs::File::options().append(true).open(&file).unwrap());
    assert!(command.status().unwrap().success());
    let added = fs::read_to_string(&file).unwrap();
    assert_eq!(added, format!("before\n{}", text(&direct.stdout)));
    assert_eq!(fs::metadata(&file).unwrap().ino(), inode);

    let nowhere = shared.run(&["report", "result.json"], Path::new("/dev/null"));
    assert!(nowhere.status.success(), "{}", text(&nowhere.stderr));
}
