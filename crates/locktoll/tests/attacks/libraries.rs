//! Libraries that change while they are read, or are not the files that their names lead to.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Duration;

use crate::bench::Bench;
use crate::library::{built, functions, program, waiting_in};
use crate::target::{Target, attach, attached, functions as named, is_root, shared};

/// So often it is tried: an earlier version was hit in two of three.
const ATTEMPTS: u32 = 4;

#[test]
fn a_library_that_is_cut_short_while_its_names_are_read_kills_nobody() {
    let bench = Bench::new();
    let library = shared(&bench, "shared").join("library.so");
    let model = bench.path("model.so");
    built(&model, &functions(100_000));
    for _ in 0..ATTEMPTS {
        std::fs::copy(&model, &library).unwrap();
        std::fs::set_permissions(&library, PermissionsExt::from_mode(0o666)).unwrap();
        let mut target = waiting_in(&bench, &library);
        let attach = attach(&bench, target.id(), "2s");
        std::thread::sleep(Duration::from_millis(1200));
        target.say("toggle");
        if attached(attach).is_none() {
            return;
        }
    }
}

#[test]
fn a_function_of_another_users_library_has_its_name() {
    let bench = Bench::new();
    let library = shared(&bench, "shared").join("library.so");
    built(&library, "");
    let target = waiting_in(&bench, &library);
    if let Some((_, profile)) = attached(attach(&bench, target.id(), "500ms")) {
        assert!(named(&profile).contains(&"stub".to_owned()), "{profile:#}");
    }
}

#[test]
fn a_library_in_a_mount_namespace_is_not_taken_for_the_one_of_its_name() {
    if !is_root() || !locktoll_needs::programs(&["unshare", "mount"]) {
        return;
    }
    let bench = Bench::new();
    let folder = shared(&bench, "shared");
    let inside = bench.path("inside.so");
    built(&inside, "");
    // Outside, the same name leads to a pipe, and then to a library that calls the place by another name.
    let name = folder.join("library.so");
    let script = "mount -t tmpfs none \"$1\" && cp \"$2\" \"$1/library.so\" && exec \"$3\" \"$1/library.so\"";
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", script, "sh"]);
    command.arg(&folder).arg(&inside).arg(program(&bench));
    let target = Target::start_as_we_are(&mut command);
    if target.said() != "ready\n" {
        locktoll_needs::refused("this kernel does not let us mount");
        return;
    }
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &name, fifo, mode, 0).unwrap();
    let by_pipe = attached(attach(&bench, target.id(), "500ms"));
    std::fs::remove_file(&name).unwrap();
    built(
        &name,
        ".globl decoy\n.set decoy, stub\n.type decoy,@function\n",
    );
    let by_decoy = attached(attach(&bench, target.id(), "500ms"));
    for (_, profile) in by_pipe.into_iter().chain(by_decoy) {
        let named = named(&profile);
        assert!(named.contains(&"stub".to_owned()), "{named:?}");
        assert!(!named.contains(&"decoy".to_owned()), "{named:?}");
    }
}

#[test]
fn a_librarys_name_reaches_no_output_as_it_is() {
    let bench = Bench::new();
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[1A\r\nb<!--<script>alert(1).so";
    let library = shared(&bench, "shared").join(hostile);
    built(&bench.path("plain.so"), "");
    std::fs::rename(bench.path("plain.so"), &library).unwrap();
    let target = waiting_in(&bench, &library);
    let id = target.id().to_string();
    for format in ["text", "csv", "folded", "html", "json", "svg"] {
        let mut command = bench.locktoll();
        command.args(["attach", &id, "--duration", "200ms", "--format", format]);
        let out = command.output().unwrap();
        if out.status.code() == Some(3) {
            return;
        }
        for said in [out.stdout, out.stderr] {
            let said = String::from_utf8(said).unwrap();
            let obeyed = said
                .chars()
                .find(|it| it.is_control() && !"\n\t".contains(*it));
            assert_eq!(obeyed, None, "{format}: {said}");
            let is_page = ["html", "svg"].contains(&format);
            assert!(!(is_page && said.contains("<script>alert(1)")), "{format}");
        }
    }
}
