//! `record` among other users: programs that become another user, and folders that all users may write to.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use crate::bench::{Bench, text};

/// A user that we are not.
const ANOTHER: u32 = 65533;

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

/// A folder that everybody may write to, as /tmp is.
fn shared(bench: &Bench) -> std::path::PathBuf {
    let folder = bench.path("shared");
    fs::create_dir(&folder).unwrap();
    mode(&folder, 0o1777);
    folder
}

/// Gives `path` to another user; if not, the reason is noted.
fn given_away(path: &Path) -> bool {
    if chown(path, Some(ANOTHER), Some(ANOTHER)).is_ok() {
        return true;
    }
    locktoll_needs::refused("this user cannot make files that belong to another");
    false
}

#[test]
fn a_child_that_is_set_user_id_runs_as_without_us_and_is_not_recorded() {
    let bench = Bench::new();
    let program = bench.c("pairs", &[]);
    let raised = bench.path("raised");
    fs::copy(&program, &raised).unwrap();
    if !given_away(&raised) {
        return;
    }
    mode(&raised, 0o4755);
    let script = "./raised 2 100 && ./pairs 2 100 && ls -l /proc/self/fd | grep -c parts";
    let bare = {
        let mut command = std::process::Command::new("sh");
        command.current_dir(bench.path(""));
        command.args(["-c", script]).output().unwrap()
    };
    let recorded = bench.record(&["sh", "-c", script]);
    assert_eq!(text(&recorded.stdout), text(&bare.stdout));
    assert_eq!(recorded.status, bare.status);
    let profile = bench.profile("out.locktoll");
    let commands: Vec<String> = profile["processes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|process| process["command"][0].as_str().unwrap_or("").to_owned())
        .collect();
    assert!(commands.iter().any(|it| it == "./pairs"), "{commands:?}");
    assert!(!commands.iter().any(|it| it == "./raised"), "{commands:?}");
}

#[test]
fn parts_are_nobody_else_s_wherever_they_lie() {
    let bench = Bench::new();
    let folder = shared(&bench);
    let program = bench.c("pairs", &[]);
    // Of each folder there, and of what is in it, while the program runs.
    let script = format!(
        "{} 2 100; stat -c '%a %u' shared/*.parts-*; stat -c '%a' shared/*.parts-*/*",
        program.display()
    );
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "-o", "shared/r", "--", "sh", "-c"]);
    let out = command.arg(script).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    // SAFETY: geteuid(2) has no preconditions.
    let ours = format!("700 {}", unsafe { libc::geteuid() });
    let said = text(&out.stdout);
    assert_eq!(said.lines().nth(1), Some(ours.as_str()), "{said}");
    for part in said.lines().skip(2) {
        assert!(part.ends_with("00"), "{said}");
    }
    let left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["r"]);
}

#[test]
fn a_folder_that_another_user_laid_out_is_not_called_an_earlier_recording() {
    let bench = Bench::new();
    let folder = shared(&bench);
    // Above every process id. A user who copies the proposed command would run the commands in the name.
    let planted = folder.join("r.parts-4999999-$(touch owned)");
    fs::create_dir(&planted).unwrap();
    let record = || {
        let mut command = bench.locktoll();
        command.args(["record", "--quiet", "-o", "shared/r", "--", "true"]);
        text(&command.output().unwrap().stderr)
    };
    let said = record();
    let proposed = format!("`locktoll report '{}'`", planted.display());
    assert!(said.contains(&proposed), "{said}");
    if !given_away(&planted) {
        return;
    }
    let said = record();
    assert!(!said.contains("4999999"), "{said}");
    assert!(planted.exists());
}
