//! `reproduce` with claims about an emulated guest, by the built binary.
//!
//! The guest needs QEMU and a kernel image: one that is installed, or the one that `.ci/run` unpacks.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const QEMU: &str = "qemu-system-x86_64";
/// A short run: six rounds with either host are the fewest that give an interval.
const SHORT: &str = "--cpus 2 --jobs 4 --duration 300ms --repeat 6";

/// Folders of one claim, and of everything that locktoll writes while it runs it.
struct Claim {
    folder: tempfile::TempDir,
}

impl Claim {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "id = \"Z1\"\ntitle = \"a guest\"\nclaim = \"a claim\"\nseconds = 10\n\
             [source]\narticle = \"an article\"\nyear = 2008\nmachine = \"a machine\"\n\
             [means]\nholds = \"Yes.\"\ndoes_not_hold = \"No.\"\n\
             [[run]]\nguest = \"{SHORT}\"\n\
             [[check]]\nwhat = \"waits, busy\"\nat_least = 0\nfigure = \"spin_wait_count\"\n\
             value = {{ host = \"busy\", cycles = [0, 40] }}\n\
             [[check]]\nwhat = \"waits, idle\"\nat_least = 0\nfigure = \"spin_wait_count\"\n\
             value = {{ host = \"idle\", cycles = [0, 40] }}\n"
        );
        std::fs::create_dir(folder.path().join("claims")).unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        std::fs::write(folder.path().join("claims/Z1.toml"), text).unwrap();
        Self { folder }
    }

    fn command(&self, image: Option<&Path>) -> Command {
        let path = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_locktoll"));
        command
            .args(["reproduce", "--json", "--experiments"])
            .arg(path.join("claims"))
            .arg("--state")
            .arg(path.join("state.json"))
            .env("TMPDIR", path.join("tmp"));
        if let Some(image) = image {
            command.arg("--guest-kernel").arg(image);
        }
        command
    }

    fn leftovers(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join("tmp")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }
}

/// The kernel image to boot, if one must be named; `None`, and the test is skipped, where there is none.
fn image() -> Option<Option<PathBuf>> {
    let unpacked = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/guest/vmlinuz");
    if unpacked.is_file() {
        return Some(Some(unpacked));
    }
    let installed = std::fs::read_dir("/boot").into_iter().flatten().flatten();
    let mut names = installed.map(|entry| entry.file_name());
    if names.any(|name| name.to_string_lossy().starts_with("vmlinuz-")) {
        return Some(None);
    }
    locktoll_needs::missing("kernel image (/boot/vmlinuz-*)");
    None
}

fn claim_of(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    let document: Value = serde_json::from_slice(&output.stdout).expect(&errors);
    document["claims"][0].clone()
}

/// The process that `parent` has started, once there is one.
fn child_of(parent: &Child) -> u32 {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            let Ok(id) = process.file_name().to_string_lossy().parse::<u32>() else {
                continue;
            };
            let status = std::fs::read_to_string(process.path().join("status")).unwrap_or_default();
            let is_child = status.contains(&format!("\nPPid:\t{}\n", parent.id()));
            if is_child && status.starts_with("Name:\tqemu-system") {
                return id;
            }
        }
        assert!(Instant::now() < deadline, "no guest was started");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn waits_in_a_guest_are_counted_with_both_hosts_and_nothing_is_left() {
    if !locktoll_needs::programs(&[QEMU]) {
        return;
    }
    let Some(image) = image() else {
        return;
    };
    let test = Claim::new();
    let output = test.command(image.as_deref()).output().unwrap();
    let claim = claim_of(&output);
    let place = claim["measured_in"].as_str().unwrap_or_default();
    assert!(
        place.starts_with("an emulated virtual machine (QEMU "),
        "{claim:#}"
    );
    assert!(place.contains("2 virtual CPUs, Linux "), "{place}");
    assert!(place.contains("while the host was idle"), "{place}");
    for check in claim["checks"].as_array().unwrap() {
        assert_eq!(check["measured"]["n"], 6, "{check:#}");
    }
    let series = claim["series"].as_array().unwrap();
    let names: Vec<&Value> = series.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["host idle", "host busy"]);
    let points = |one: &Value| one["points"].as_array().unwrap().clone();
    let lengths = |one: &Value| Vec::from_iter(points(one).iter().map(|it| it["x"].clone()));
    assert_eq!(lengths(&series[0]), lengths(&series[1]));
    let counted = series.iter().flat_map(points);
    let waits: f64 = counted
        .map(|point| point["y"]["median"].as_f64().unwrap())
        .sum();
    assert!(waits >= 1.0, "{series:#?}");
    assert_eq!(test.leftovers(), [""; 0]);
}

#[test]
fn an_interrupt_ends_the_guest() {
    if !locktoll_needs::programs(&[QEMU]) {
        return;
    }
    let Some(image) = image() else {
        return;
    };
    let test = Claim::new();
    let mut command = test.command(image.as_deref());
    let mut locktoll = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let guest = child_of(&locktoll);
    // SAFETY: no memory is involved, and the process has not been waited for.
    unsafe { libc::kill(locktoll.id() as libc::pid_t, libc::SIGINT) };
    let status = locktoll.wait().unwrap();
    assert!(!status.success(), "{status}");
    assert!(!Path::new(&format!("/proc/{guest}")).exists());
    assert_eq!(test.leftovers(), [""; 0]);
}

#[test]
fn without_an_emulator_the_claim_says_what_to_install() {
    let test = Claim::new();
    let output = test.command(None).env("PATH", "").output().unwrap();
    let because = claim_of(&output)["because"].as_str().unwrap().to_owned();
    assert!(
        because.contains("install it (Debian: qemu-system-x86)"),
        "{because}"
    );
}

#[test]
fn a_guest_that_does_not_boot_is_a_reason_with_the_emulators_words() {
    if !locktoll_needs::programs(&[QEMU]) {
        return;
    }
    // The magic of an image, and nothing else.
    let test = Claim::new();
    let image = test.folder.path().join("vmlinuz");
    let mut bytes = vec![0; 0x1000];
    bytes[0x202..0x206].copy_from_slice(b"HdrS");
    std::fs::write(&image, bytes).unwrap();
    let output = test.command(Some(&image)).output().unwrap();
    let claim = claim_of(&output);
    assert_eq!(claim["verdict"], "cannot_be_judged_here", "{claim:#}");
    let because = claim["because"].as_str().unwrap();
    assert!(
        because.contains("the guest ended early; its last words: "),
        "{because}"
    );
    assert_eq!(test.leftovers(), [""; 0]);
}

#[test]
fn a_file_that_is_no_kernel_image_is_refused_before_anything_starts() {
    let test = Claim::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = test.command(Some(&own)).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("--guest-kernel") && said.contains("a vmlinuz file"),
        "{said}"
    );
    assert_eq!(said.trim().lines().count(), 1, "{said}");
}
